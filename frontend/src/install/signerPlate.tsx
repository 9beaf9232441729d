import { CircleCheck, Copy, KeyRound, ShieldAlert, ShieldOff } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "../design/button";
import { copyText } from "../design/copy";
import { keyWords } from "../design/format";
import { t } from "../design/strings";
import { SignerState, type Review } from "../wire/neutron/link/v1/link_pb";
import { needsNewSigner, vouchless } from "./reviewFacts";

/** SameKey is the line of facts for a package by the key that is known already. */
export function SameKey({ review }: { readonly review: Review }): ReactNode {
  if (review.signer?.state !== SignerState.SAME) return null;
  return (
    <>
      <dt>{t.install.signature}</dt>
      <dd>
        <CircleCheck className="i i-14 t-success" aria-hidden />
        {t.install.sameKey(review.installedVersion)}
        <Key hex={review.signer.key} />
      </dd>
    </>
  );
}

/** SignerPlate says what is known of who signed, whenever it is not just the same key again. */
export function SignerPlate({ review }: { readonly review: Review }): ReactNode {
  const signer = review.signer;
  if (signer?.state === SignerState.NEW) {
    const [key, pinned, rest] = t.install.signedNewText;
    return (
      <div className="sig">
        <KeyRound className="i" aria-hidden />
        <div className="grow">
          <b>{t.install.signedNew}</b>
          <p className="mut">
            {key} <Key hex={signer.key} /> {pinned} <span className="mono">{review.app?.id}</span>. {rest}
          </p>
        </div>
      </div>
    );
  }
  if (needsNewSigner(review))
    return (
      <div className="sig danger">
        <ShieldAlert className="i" aria-hidden />
        <div className="grow">
          <b>{signer?.state === SignerState.CHANGED ? t.install.otherKey : t.install.noKey}</b>
          <p className="mut">{review.installedVersion === "" ? t.install.otherText : t.install.otherMine}</p>
          <TwoKeys review={review} />
        </div>
      </div>
    );
  if (vouchless(review))
    return (
      <div className="sig">
        <ShieldOff className="i" aria-hidden />
        <div className="grow">
          <b>{t.install.unsigned}</b>
          <p className="mut">{t.install.unsignedText}</p>
        </div>
      </div>
    );
  return null;
}

/** TwoKeys puts the pinned key and that of the package under each other, whole. */
export function TwoKeys({ review }: { readonly review: Review }): ReactNode {
  const key = review.signer?.key ?? "";
  return (
    <dl className="keys">
      <dt>{t.install.keyBefore}</dt>
      <dd className="mono">{keyWords(review.signer?.pinned ?? "", true)}</dd>
      <dt>{t.install.keyNow}</dt>
      <dd className={key === "" ? "mut" : "mono"}>{key === "" ? t.install.noneNow : keyWords(key, true)}</dd>
    </dl>
  );
}

/** Key is enough of a key to compare by eye; the whole one is copied. */
export function Key({ hex }: { readonly hex: string }): ReactNode {
  return (
    <span className="key">
      <span className="mono" title={hex}>
        {keyWords(hex)}
      </span>
      <IconButton icon={Copy} small label={t.install.copyKey} onClick={() => copyText(hex)} />
    </span>
  );
}
