import { Lock, ScrollText, Settings } from "lucide-react";
import type { ReactNode } from "react";
import { QuestionChip } from "../consent/questionChip";
import { IconButton, Kbd } from "../design/button";
import { NeutronMark } from "../design/mark";
import { t } from "../design/strings";
import { Spin } from "../design/tag";
import type { Phase } from "../link/signature";
import type { Question } from "../wire/neutron/link/v1/link_pb";
import type { Page } from "./nav";

interface BarProps {
  readonly phase: Phase;
  readonly pending: number;
  readonly page: Page;
  readonly waiting: readonly Question[];
  readonly onLauncher: () => void;
  readonly onQuestion: (q: Question) => void;
  readonly onPage: (page: Page) => void;
  readonly onLock: () => void;
}

/** Bar is the one strip where the kernel alone paints. */
export function Bar({ phase, pending, page, waiting, onLauncher, onQuestion, onPage, onLock }: BarProps): ReactNode {
  const settings = page !== "workspace" && page !== "audit";
  const online = phase === "open";
  return (
    <header className="bar" aria-label={t.bar.label} data-region="">
      <button type="button" className="launch" aria-keyshortcuts="Control+K" onClick={onLauncher}>
        <NeutronMark />
        <span className="sr">{t.bar.launcher}: </span>
        <span className="lt">{t.bar.search}</span> <Kbd>Ctrl K</Kbd>
      </button>
      <span className="grow" />
      <span role="status" className="link-word">
        {!online && (
          <>
            <Spin />
            <span className="lw">{t.bar.reconnecting}</span>
          </>
        )}
        {pending > 0 && <span className="num">{t.bar.pending(pending)}</span>}
      </span>
      <QuestionChip waiting={waiting} onOpen={onQuestion} />
      <span className="sep" />
      <IconButton icon={ScrollText} label={t.bar.audit} on={page === "audit"} onClick={() => onPage(page === "audit" ? "workspace" : "audit")} />
      <IconButton icon={Lock} label={t.bar.lock} disabled={!online} onClick={onLock} />
      <IconButton icon={Settings} label={t.bar.settings} on={settings} onClick={() => onPage(settings ? "workspace" : "apps")} />
    </header>
  );
}
