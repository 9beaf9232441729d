import { HardDrive, ShieldAlert, Timer, Unplug } from "lucide-react";
import { useState, type ReactNode } from "react";
import { Button } from "../design/button";
import { Banner } from "../design/notice";
import { t } from "../design/strings";
import type { Phase } from "../link/signature";
import type { Health } from "../wire/neutron/link/v1/link_pb";

interface BannersProps {
  readonly phase: Phase;
  readonly attempt: number;
  readonly health: Health | null;
  readonly nameOf: (appId: string) => string;
  readonly onShow: (appId: string) => void;
}

// After so many tries a restart is likelier than a hiccup, and a restarted Neutron has another address.
const patience = 4;

/** Banners say at the top what concerns the whole workspace, worst first. */
export function Banners({ phase, attempt, health, nameOf, onShow }: BannersProps): ReactNode {
  const [dismissed, dismiss] = useState(0n);
  const stall = health?.stall;
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
    </>
  );
}
