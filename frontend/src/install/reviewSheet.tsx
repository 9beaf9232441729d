import { Copy } from "lucide-react";
import { useState, type ReactNode } from "react";
import { AppIcon } from "../design/appIcon";
import { IconButton } from "../design/button";
import { copyText } from "../design/copy";
import { bytes, shortHash } from "../design/format";
import { GuardedSheet, type SheetGuard, type SheetMark } from "../design/guardedSheet";
import { t } from "../design/strings";
import { Unverified } from "../design/tag";
import { SignerState, type Review } from "../wire/neutron/link/v1/link_pb";
import { ChangeList } from "./changeList";
import { shownRisks } from "./reviewFacts";
import { RiskList } from "./riskList";
import { SameKey, SignerPlate } from "./signerPlate";

interface ReviewSheetProps {
  readonly review: Review;
  readonly mark: SheetMark;
  readonly guard: SheetGuard;
  readonly onAnswer: (yes: boolean) => Promise<void>;
}

/** ReviewSheet shows what a package may do before anything of it is written. The focus starts on refusal. */
export function ReviewSheet({ review, mark, guard, onAnswer }: ReviewSheetProps): ReactNode {
  const [busy, setBusy] = useState(false);
  const app = review.app;
  const name = app?.name ?? "";
  const version = app?.version ?? "";
  const installed = review.installedVersion;
  const update = installed !== "";
  const labelId = `review-${review.reviewId}`;
  return (
    <GuardedSheet
      guard={guard}
      mark={mark}
      labelId={labelId}
      kind={update ? t.install.reviewUpdate : t.install.review}
      wide
      busy={busy}
      chrome={<span className="dim trunc">{update ? t.install.keeps(installed) : review.source.startsWith("https://") ? t.install.fetched : t.install.chrome}</span>}
      refuse={update ? { id: "cancel", label: t.install.keep(installed), note: t.install.keepNote } : { id: "cancel", label: t.install.cancel, note: t.install.cancelNote }}
      allow={[{ id: "install", label: update ? t.install.updateTo(version) : t.install.install(name, version), note: noteOf(review) }]}
      late={t.install.seenEnd}
      onChoose={(id) => {
        setBusy(true);
        onAnswer(id === "install").catch(() => setBusy(false));
      }}
    >
      <div className="idn">
        <span className="plate" title={t.install.picture}>
          <AppIcon id={app?.id ?? ""} svg={app?.iconSvg} size={44} />
        </span>
        <div className="grow">
          <h2 id={labelId}>{update ? t.install.update(name, installed, version) : t.install.title(name, version)}</h2>
          <dl className="kv mt-1">
            <dt>{t.install.from}</dt>
            <dd>
              <bdi>{review.source}</bdi>
            </dd>
            <dt>{t.install.id}</dt>
            <dd className="mono">{app?.id}</dd>
            <dt>{t.install.package}</dt>
            <dd className="num">
              {t.install.files(bytes(review.sizeBytes), review.files)}
              <span className="mono dim" title={app?.hash}>
                sha256 {shortHash(app?.hash ?? "", true)}
              </span>
              <IconButton icon={Copy} small label={t.install.copyDigest} onClick={() => copyText(app?.hash ?? "")} />
            </dd>
            <SameKey review={review} />
          </dl>
        </div>
      </div>
      <SignerPlate review={review} />
      {update ? (
        <ChangeList review={review} />
      ) : (
        <div>
          <div className="lab">
            <h3 className="h-sm">{t.install.may}</h3>
            <span className="xs dim">{t.install.computed}</span>
          </div>
          <RiskList risks={shownRisks(review)} />
        </div>
      )}
      {app !== undefined && app.description !== "" && <Unverified by={t.install.says}>{app.description}</Unverified>}
    </GuardedSheet>
  );
}

/** noteOf is the consequence on the button: what happens to the pinned key comes before everything else. */
function noteOf(review: Review): string {
  switch (review.signer?.state) {
    case SignerState.CHANGED:
      return t.install.takeKey;
    case SignerState.MISSING:
      return t.install.takeNone;
    case SignerState.NEW:
      return t.install.pinNote;
    default:
      return review.installedVersion === "" ? t.install.installNote : t.install.updateNote;
  }
}
