import { Link2Off, RotateCw, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "../design/classes";
import { t } from "../design/strings";
import { Tag, type Tone } from "../design/tag";
import type { Change, Review } from "../wire/neutron/link/v1/link_pb";
import { differenceOf } from "./reviewFacts";

const tones: readonly Tone[] = ["plain", "plain", "warning", "danger", "danger"];
const endIcons: Readonly<Record<string, LucideIcon>> = { frames: RotateCw };

/** ChangeList shows what an update makes different, what stays, and what the update itself ends. */
export function ChangeList({ review }: { readonly review: Review }): ReactNode {
  const { more, less, other, ends, same } = differenceOf(review);
  const none = more.length + less.length + other.length === 0;
  return (
    <>
      <div>
        <div className="lab">
          <h3 className="h-sm">{t.install.changes}</h3>
          <span className="xs dim">{t.install.tally(more.length, less.length, other.length, same.length)}</span>
        </div>
        <ul className="panel diff">
          {more.map((c) => (
            <Row key={c.tag + c.fact} change={c} sign="+" word={t.install.added} kind="add" />
          ))}
          {other.map((c) => (
            <Row key={c.tag + c.fact} change={c} sign="~" word={t.install.changed} kind="add" />
          ))}
          {less.map((c) => (
            <Row key={c.tag + c.fact} change={c} sign="−" word={t.install.removed} kind="rem" />
          ))}
          {none && <li className="med">{t.install.noChanges}</li>}
          {same.length > 0 && (
            <li className="sm mut">
              <p>
                {t.install.unchanged(same.length)} {same.map((r) => r.title).join(" · ")}
              </p>
            </li>
          )}
        </ul>
      </div>
      {ends.length > 0 && (
        <div>
          <div className="lab">
            <h3 className="h-sm">{t.install.ends}</h3>
          </div>
          <ul className="panel diff">
            {ends.map((c) => {
              const Icon = endIcons[c.tag] ?? Link2Off;
              return (
                <li key={c.tag}>
                  <Icon className="i dim" aria-hidden />
                  <div className="grow">
                    <p className="med">{c.title}</p>
                    <p className="sm mut">{c.consequence}</p>
                  </div>
                  {c.fact !== "" && <span className="xs dim mono">{c.fact}</span>}
                </li>
              );
            })}
          </ul>
        </div>
      )}
    </>
  );
}

interface RowProps {
  readonly change: Change;
  readonly sign: string;
  readonly word: string;
  readonly kind: "add" | "rem";
}

function Row({ change: { level, title, consequence, fact }, sign, word, kind }: RowProps): ReactNode {
  return (
    <li className={kind}>
      <span className={cx("pm", kind === "add" && "t-warning")} aria-hidden>
        {sign}
      </span>
      <span className="sr-only">{word}</span>
      <span className="rk">
        <Tag tone={tones[level] ?? "danger"}>{level === 0 ? t.install.less : (t.install.risk[level] ?? t.install.risk[4])}</Tag>
      </span>
      <div className="grow">
        <p className="med">{title}</p>
        {consequence !== "" && <p className="sm mut">{consequence}</p>}
      </div>
      {fact !== "" && <span className="xs dim mono max-w-[40%] text-end [overflow-wrap:anywhere]">{fact}</span>}
    </li>
  );
}
