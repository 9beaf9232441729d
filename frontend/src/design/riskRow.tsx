import type { ReactNode } from "react";
import { t } from "./strings";
import { Tag, type Tone } from "./tag";

interface RiskRowProps {
  /** level is 1 low to 4 high. */
  readonly level: number;
  readonly title: string;
  readonly consequence: string;
  readonly fact: string;
}

const tones: readonly Tone[] = ["plain", "plain", "warning", "danger", "danger"];

/** RiskRow is one consequence: the word first, plain words, the machine's fact at the edge. */
export function RiskRow({ level, title, consequence, fact }: RiskRowProps): ReactNode {
  return (
    <li className="con">
      <span className="rk">
        <Tag tone={tones[level] ?? "danger"}>{t.install.risk[level] ?? t.install.risk[4]}</Tag>
      </span>
      <div className="grow">
        <p className="med">{title}</p>
        <p className="sm mut">{consequence}</p>
      </div>
      {fact !== "" && <span className="xs dim mono max-w-[45%] text-end [overflow-wrap:anywhere]">{fact}</span>}
    </li>
  );
}
