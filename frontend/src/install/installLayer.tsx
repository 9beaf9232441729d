import { useRef, useEffect, type ReactNode } from "react";
import { Button } from "../design/button";
import type { SheetGuard, SheetMark } from "../design/guardedSheet";
import { TopDialog } from "../design/modal";
import { Notice } from "../design/notice";
import { useStore } from "../design/store";
import { t } from "../design/strings";
import { Spin } from "../design/tag";
import type { InstallFlow } from "./installFlow";
import { ReviewSheet } from "./reviewSheet";

interface InstallLayerProps {
  readonly flow: InstallFlow;
  readonly mark: SheetMark;
  readonly guard: SheetGuard;
  /** covered: a question is open. It goes first; nothing sits above a question. */
  readonly covered: boolean;
}

/** InstallLayer shows where the one install stands. */
export function InstallLayer({ flow, mark, guard, covered }: InstallLayerProps): ReactNode {
  const state = useStore(flow.store);
  if (covered) return null;
  switch (state.is) {
    case "reading":
      return (
        <div className="toasts" role="status">
          <div className="toast">
            <Spin />
            {t.install.reading(state.name)}
          </div>
        </div>
      );
    case "review":
      return <ReviewSheet key={state.review.reviewId} review={state.review} mark={mark} guard={guard} onAnswer={(yes) => flow.answer(yes)} />;
    case "refused":
      return <Refused name={state.name} message={state.message} code={state.code} onClose={() => flow.dismiss()} />;
    default:
      return null;
  }
}

interface RefusedProps {
  readonly name: string;
  readonly message: string;
  readonly code: string;
  readonly onClose: () => void;
}

/** Refused says why a package was not installed, and that nothing was written. */
export function Refused({ name, message, code, onClose }: RefusedProps): ReactNode {
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => close.current?.focus(), []);
  return (
    <TopDialog className="modal" label={t.install.refused} onClose={onClose} light>
      <Notice
        tone="danger"
        title={t.install.refused}
        code={code}
        actions={
          <Button ref={close} size="sm" onClick={onClose}>
            {t.install.close}
          </Button>
        }
      >
        <p className="[overflow-wrap:anywhere]">
          <bdi className="med">{name}</bdi>: {message}
        </p>
        <p>{t.install.kept}</p>
      </Notice>
    </TopDialog>
  );
}
