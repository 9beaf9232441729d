import { Lock, RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../design/button";
import { minute } from "../design/format";
import { NeutronMark } from "../design/mark";
import { t } from "../design/strings";
import { Spin } from "../design/tag";

/** Locked is the page after the owner locked Neutron. It shows no mark: nothing secret stands on it. */
export function Locked({ at, inWindow }: { readonly at: number; readonly inWindow: boolean }): ReactNode {
  return (
    <>
      <main className="lk">
        <NeutronMark size={40} />
        <h1 className="h-xl">{t.locked.title}</h1>
        <p className="p">{t.locked.text}</p>
        {/* The window never loads this address: after a real click it asks the kernel for a fresh start. */}
        {inWindow && (
          <a className="btn primary lg" href="/unlock">
            {t.locked.unlock}
          </a>
        )}
        <p className="cmd">
          {inWindow ? t.locked.window : t.locked.fresh}
          <code>{inWindow ? t.locked.command : t.locked.link}</code>
        </p>
      </main>
      {at > 0 && (
        <footer className="lk-base num">
          <span>
            <Lock className="i i-14" aria-hidden />
            {t.locked.by(minute(at))}
          </span>
        </footer>
      )}
    </>
  );
}

/** Refused is the page whose address was used before: only a fresh link helps. */
export function Refused(): ReactNode {
  return (
    <main className="lk">
      <NeutronMark size={40} />
      <h1 className="h-xl">{t.link.refusedTitle}</h1>
      <p className="p" role="alert">{t.link.refusedText}</p>
      <p className="cmd">
        {t.link.fresh}
        <code>{t.locked.link}</code>
      </p>
      <p className="mono dim sm mt-2">SECRET_REFUSED</p>
    </main>
  );
}

/** Mismatch is the page of an older or newer version than the kernel. */
export function Mismatch({ onReload }: { readonly onReload: () => void }): ReactNode {
  return (
    <main className="lk">
      <NeutronMark size={40} />
      <h1 className="h-xl">{t.link.mismatchTitle}</h1>
      <p className="p" role="alert">{t.link.mismatchText}</p>
      <Button look="primary" size="lg" icon={RotateCw} onClick={onReload}>
        {t.link.reload}
      </Button>
      <p className="mono dim sm mt-2">PROTOCOL_MISMATCH</p>
    </main>
  );
}

/** Connecting stands before the first welcome. Quick starts never show its word. */
export function Connecting({ attempt }: { readonly attempt: number }): ReactNode {
  return (
    <main className="lk">
      <NeutronMark size={40} />
      <p className="row dim mt-3" role="status">
        <Spin />
        {t.link.connecting}
      </p>
      {attempt > 1 && <p className="xs dim num">{t.link.attempt(attempt)}</p>}
    </main>
  );
}
