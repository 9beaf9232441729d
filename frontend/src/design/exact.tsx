import { Copy } from "lucide-react";
import { useMemo, type ReactNode } from "react";
import { IconButton } from "./button";
import { copyText } from "./copy";
import { exactPieces, type Piece } from "./exactTokens";
import { bytes } from "./format";
import { t } from "./strings";

const classOf: Record<Piece["kind"], string | undefined> = { key: "k", string: "s", number: "n", escape: "e", word: "n", mark: undefined, space: undefined };

/** ExactText shows JSON in mono, every literal as it was sent, hidden characters as escapes. */
export function ExactText({ json }: { readonly json: string }): ReactNode {
  const pieces = useMemo(() => exactPieces(json), [json]);
  return (
    <pre className="code">
      {pieces.map((p, i) => {
        const name = classOf[p.kind];
        return name === undefined ? p.text : <span key={i} className={name}>{p.text}</span>;
      })}
    </pre>
  );
}

const decoder = new TextDecoder();

/** Exact is the plate of exact data: who sends it, how many bytes, in full. It scrolls with its sheet and is never cut. */
export function Exact({ title, data }: { readonly title: string; readonly data: Uint8Array }): ReactNode {
  const json = useMemo(() => decoder.decode(data), [data]);
  return (
    <div className="exact">
      <header>
        <bdi>{title}</bdi>
        <span className="dim num">{bytes(data.length)}</span>
        <span className="grow" />
        <IconButton icon={Copy} small label={t.question.copy} onClick={() => copyText(json)} />
      </header>
      <ExactText json={json} />
    </div>
  );
}
