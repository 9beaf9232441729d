import { CircleHelp } from "lucide-react";
import type { ReactNode } from "react";
import { Kbd } from "../design/button";
import { t } from "../design/strings";
import type { Question } from "../wire/neutron/link/v1/link_pb";
import { nameOf } from "./queue";

interface QuestionChipProps {
  readonly waiting: readonly Question[];
  readonly onOpen: (q: Question) => void;
}

/** QuestionChip is where a question waits that the owner did not just cause. It takes no focus. */
export function QuestionChip({ waiting, onOpen }: QuestionChipProps): ReactNode {
  const first = waiting[0];
  return (
    <span role="status" aria-live="polite">
      {first !== undefined && (
        <button type="button" className="asks" data-chip="" aria-keyshortcuts="F8" onClick={() => onOpen(first)}>
          <CircleHelp className="i i-14" aria-hidden />
          <bdi className="who trunc">{t.question.asks(nameOf(first.caller))}</bdi>{" "}
          {waiting.length > 1 && <span className="dim num font-normal">{t.question.more(waiting.length - 1)} </span>}
          <span className="sr">{t.question.open} </span>
          <Kbd>F8</Kbd>
        </button>
      )}
    </span>
  );
}
