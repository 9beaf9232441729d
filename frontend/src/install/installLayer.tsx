import { useEffect, useState, type ReactNode } from "react";
import type { SheetGuard, SheetMark } from "../design/guardedSheet";
import { useStore } from "../design/store";
import { t } from "../design/strings";
import { Spin } from "../design/tag";
import { countdown } from "../design/format";
import type { From, InstallFlow } from "./installFlow";
import { OtherSigner, Refused } from "./refusals";
import { ReviewSheet } from "./reviewSheet";

interface InstallLayerProps {
  readonly flow: InstallFlow;
  readonly mark: SheetMark;
  readonly guard: SheetGuard;
  /** covered: a question is open. It goes first; nothing sits above a question. */
  readonly covered: boolean;
  /** onApps shows what is installed. */
  readonly onApps: () => void;
}

/** InstallLayer shows where the one install stands. */
export function InstallLayer({ flow, mark, guard, covered, onApps }: InstallLayerProps): ReactNode {
  const state = useStore(flow.store);
  if (covered) return null;
  switch (state.is) {
    case "reading":
      return <Reading name={state.name} from={state.from} onCancel={() => flow.cancel()} />;
    case "other-signer":
      return <OtherSigner review={state.review} onDecline={() => void flow.answer(false)} onReview={() => flow.reviewAnyway()} />;
    case "review":
      return <ReviewSheet key={state.review.reviewId} review={state.review} mark={mark} guard={guard} onAnswer={(yes) => flow.answer(yes)} />;
    case "refused": {
      const { again } = state;
      return (
        <Refused
          name={state.name}
          message={state.message}
          code={state.code}
          onClose={() => flow.dismiss()}
          {...(again === "" ? {} : { onAgain: () => void flow.fromAddress(again) })}
          onApps={() => {
            flow.dismiss();
            onApps();
          }}
        />
      );
    }
    default:
      return null;
  }
}

interface ReadingProps {
  readonly name: string;
  readonly from: From;
  readonly onCancel: () => void;
}

/** Reading says what is read, since when, and can be given up. */
function Reading({ name, from, onCancel }: ReadingProps): ReactNode {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const began = performance.now();
    const timer = setInterval(() => setSeconds(Math.floor((performance.now() - began) / 1000)), 1000);
    return () => clearInterval(timer);
  }, []);
  const words = from === "address" ? t.install.fetching(name) : from === "folder" ? t.install.packing(name) : t.install.reading(name);
  return (
    <div className="toasts">
      <div className="toast">
        <Spin />
        <span role="status" className="trunc">
          {words}
        </span>
        {seconds > 0 && (
          <span className="num" aria-hidden>
            {countdown(seconds * 1000)}
          </span>
        )}
        <button type="button" onClick={onCancel}>
          {t.install.stop}
        </button>
      </div>
    </div>
  );
}
