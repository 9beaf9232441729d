import { CircleSlash2, HardDrive, ShieldAlert, Timer, Unplug } from "lucide-react";
import { useState, type ReactNode } from "react";
import { Button } from "../design/button";
import { Banner } from "../design/notice";
import { t } from "../design/strings";
import type { Phase } from "../link/signature";
import { FrameStatus, Role, type FrameState, type Health, type Notice } from "../wire/neutron/link/v1/link_pb";

interface BannersProps {
  readonly phase: Phase;
  readonly attempt: number;
  readonly health: Health | null;
  readonly frames: readonly FrameState[];
  readonly notices: readonly Notice[];
  readonly onDismiss: (n: Notice) => void;
  readonly onRetry: (f: FrameState) => void;
  readonly nameOf: (appId: string) => string;
  readonly onShow: (appId: string) => void;
}

// After so many tries a restart is likelier than a hiccup, and a restarted Neutron has another address.
const patience = 4;

/** Banners say at the top what concerns the whole workspace, worst first. */
export function Banners({ phase, attempt, health, frames, notices, onDismiss, onRetry, nameOf, onShow }: BannersProps): ReactNode {
  const [dismissed, dismiss] = useState(0n);
  const stall = health?.stall;
  const stuck = frames.filter((f) => f.role === Role.BACKGROUND && (f.status === FrameStatus.BLOCKED || f.status === FrameStatus.QUARANTINED));
  const names = stall?.suspects.map(nameOf).join(", ") ?? "";
  return (
    <>
      {phase === "lost" && <Banner tone="warning" icon={Unplug} title={t.link.lost} text={attempt > patience ? t.link.lostLong : t.link.lostText} code={attempt > 1 ? t.link.attempt(attempt) : ""} />}
      {health !== null && !health.gateOpen && health.gateReason !== "" && (
        <Banner tone="danger" icon={ShieldAlert} title={t.banner.gate} text={`${t.banner.gateText} ${health.gateReason}`} code="BRIDGE_OPEN" />
      )}
      {health?.diskFull === true && <Banner tone="danger" icon={HardDrive} title={t.banner.disk} text={t.banner.diskText} code="STORE_FULL" />}
      {stall !== undefined && stall.atMs > dismissed && (
        <Banner
          tone="warning"
          icon={Timer}
          title={t.banner.stall}
          text={stall.quarantined !== "" ? t.banner.stallQuarantined(nameOf(stall.quarantined)) : names === "" ? t.banner.stallNobody : t.banner.stallSuspects(names)}
          code={stall.quarantined !== "" ? "QUARANTINED" : ""}
          actions={
            <>
              {stall.quarantined !== "" && (
                <Button size="sm" onClick={() => onShow(stall.quarantined)}>
                  {t.banner.show}
                </Button>
              )}
              <Button size="sm" look="ghost" onClick={() => dismiss(stall.atMs)}>
                {t.banner.dismiss}
              </Button>
            </>
          }
        />
      )}
      {phase === "open" &&
        stuck.map((f) => (
          <Banner
            key={f.endpointId}
            tone="warning"
            icon={CircleSlash2}
            title={t.banner.background(nameOf(f.appId))}
            text={f.reason === "" ? t.banner.backgroundText : f.reason}
            code={f.code}
            actions={
              <>
                <Button size="sm" onClick={() => onRetry(f)}>
                  {f.status === FrameStatus.QUARANTINED ? t.tile.once : t.tile.retry}
                </Button>
                <Button size="sm" look="ghost" onClick={() => onShow(f.appId)}>
                  {t.banner.show}
                </Button>
              </>
            }
          />
        ))}
      {notices.map((n) => (
        <Banner
          key={n.code + n.text}
          tone="warning"
          title={n.text}
          text={n.kept}
          code={n.code}
          actions={
            <Button size="sm" look="ghost" onClick={() => onDismiss(n)}>
              {t.banner.dismiss}
            </Button>
          }
        />
      ))}
    </>
  );
}
