import { useEffect, useRef, type ReactNode } from "react";
import { Button } from "../design/button";
import { TopDialog } from "../design/modal";
import { Notice } from "../design/notice";
import { t } from "../design/strings";
import { SignerState, type Review } from "../wire/neutron/link/v1/link_pb";
import { TwoKeys } from "./signerPlate";

interface RefusedProps {
  readonly name: string;
  readonly message: string;
  readonly code: string;
  readonly onClose: () => void;
  /** onAgain is there when the same address can be asked once more. */
  readonly onAgain?: () => void;
  readonly onApps: () => void;
}

/** Refused says why a package was not installed, that nothing was written, and what to do. */
export function Refused({ name, message, code, onClose, onAgain, onApps }: RefusedProps): ReactNode {
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => close.current?.focus(), []);
  const known = t.install.refusals[code];
  const title = known?.title ?? t.install.refused;
  // Many of the kernel's sentences say it themselves.
  const says = /Nothing was (changed|installed|written)/.test(message);
  return (
    <TopDialog className="modal" label={title} onClose={onClose} light>
      <Notice
        tone="danger"
        title={title}
        code={code}
        actions={
          <>
            <Button ref={close} size="sm" onClick={onClose}>
              {t.install.close}
            </Button>
            {onAgain !== undefined && code === "FETCH_FAILED" && (
              <Button size="sm" look="ghost" onClick={onAgain}>
                {t.install.again}
              </Button>
            )}
            {code === "VERSION_NOT_NEWER" && (
              <Button size="sm" look="ghost" onClick={onApps}>
                {t.install.manage}
              </Button>
            )}
          </>
        }
      >
        <p className="[overflow-wrap:anywhere]">
          <bdi className="med">{name}</bdi>: {message} {!says && t.install.kept}
        </p>
        {known !== undefined && <p className="mt-1">{known.advice}</p>}
      </Notice>
    </TopDialog>
  );
}

interface OtherSignerProps {
  readonly review: Review;
  readonly onDecline: () => void;
  readonly onReview: () => void;
}

/** OtherSigner stops before the review of a package by another key than the pinned one. Going on is the owner's alone. */
export function OtherSigner({ review, onDecline, onReview }: OtherSignerProps): ReactNode {
  const no = useRef<HTMLButtonElement>(null);
  useEffect(() => no.current?.focus(), []);
  const title = review.signer?.state === SignerState.CHANGED ? t.install.otherKey : t.install.noKey;
  const installed = review.installedVersion;
  return (
    <TopDialog className="modal wide" label={title} onClose={onDecline}>
      <Notice
        tone="danger"
        title={title}
        code="SIGNER_CHANGED"
        actions={
          <>
            <Button ref={no} size="sm" onClick={onDecline}>
              {installed === "" ? t.install.decline : t.install.keep(installed)}
            </Button>
            <Button size="sm" look="ghost" onClick={onReview}>
              {t.install.anyway}
            </Button>
          </>
        }
      >
        <p className="[overflow-wrap:anywhere]">
          <bdi className="med">
            {review.app?.name} {review.app?.version}
          </bdi>
          : {installed === "" ? t.install.otherText : t.install.otherMine}
        </p>
        <TwoKeys review={review} />
        <p>
          {installed !== "" && `${t.install.stays(installed)} `}
          {t.install.kept} {t.install.otherDo}
        </p>
      </Notice>
    </TopDialog>
  );
}
