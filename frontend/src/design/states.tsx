import { CircleSlash2, Inbox, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "./button";
import { cx } from "./classes";
import { t } from "./strings";
import { Spin } from "./tag";

interface PlaceProps {
  readonly icon?: LucideIcon;
  readonly title: string;
  readonly text: ReactNode;
  readonly tone?: "neutral" | "danger";
  /** actions are at most two, the safest first. */
  readonly actions?: ReactNode;
  /** fact is the machine's own line under it: code, id, time. */
  readonly fact?: string;
  readonly children?: ReactNode;
}

/** Place is what stands where content would: empty, failed, blocked. One title, one sentence. */
export function Place({ icon: Icon = Inbox, title, text, tone = "neutral", actions, fact, children }: PlaceProps): ReactNode {
  return (
    <div className="state" role={tone === "danger" ? "alert" : undefined}>
      <span className={cx("si", tone === "neutral" && "neu")} aria-hidden>
        <Icon className="i i-20" />
      </span>
      <h2 className="h-md">{title}</h2>
      <p className="mut">{text}</p>
      {actions !== undefined && <div className="row">{actions}</div>}
      {fact !== undefined && fact !== "" && <span className="mono dim sm">{fact}</span>}
      {children}
    </div>
  );
}

/** Failed says that a read did not work; nothing was changed by it. */
export function Failed({ message, code, retry }: { readonly message: string; readonly code: string; readonly retry: () => void }): ReactNode {
  return (
    <Place
      icon={CircleSlash2}
      tone="danger"
      title={t.states.failed}
      text={`${message} ${t.states.failedText}`}
      fact={code}
      actions={<Button onClick={retry}>{t.states.retry}</Button>}
    />
  );
}

/** Skeleton holds the shape of what comes: static blocks, no shimmer. */
export function Skeleton({ word, lines = 8 }: { readonly word: string; readonly lines?: number }): ReactNode {
  return (
    <div className="skeleton" role="status">
      <div className="skb" aria-hidden>
        {Array.from({ length: lines }, (_, i) => (
          <span key={i} className="sk" />
        ))}
      </div>
      <div className="starting">
        <Spin />
        {word}
      </div>
    </div>
  );
}
