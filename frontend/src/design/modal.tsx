import { useEffect, useId, useLayoutEffect, useRef, type ReactNode } from "react";
import { Button } from "./button";
import { cx } from "./classes";

interface TopDialogProps {
  readonly className: string;
  readonly label?: string;
  readonly labelledBy?: string;
  readonly onClose: () => void;
  /** light: a click outside closes it. */
  readonly light?: boolean;
  readonly children: ReactNode;
}

/** TopDialog is a native modal dialog: it lies in the top layer, over every frame, and keeps Tab inside. */
export function TopDialog({ className, label, labelledBy, onClose, light = false, children }: TopDialogProps): ReactNode {
  const ref = useRef<HTMLDialogElement>(null);
  // A layout effect: its end runs while the dialog is still in the page, so that closing gives the focus back.
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      className={className}
      aria-label={label}
      aria-labelledby={labelledBy}
      onCancel={(e) => {
        e.preventDefault();
        onClose();
      }}
      onPointerDown={(e) => {
        if (light && e.target === ref.current) onClose();
      }}
    >
      {children}
    </dialog>
  );
}

interface ConfirmProps {
  readonly title: string;
  readonly text: string;
  readonly action: string;
  readonly cancel: string;
  readonly danger?: boolean;
  readonly busy?: boolean;
  readonly onAnswer: (yes: boolean) => void;
}

/** Confirm asks before something that cannot be undone; the focus starts on the way out. */
export function Confirm({ title, text, action, cancel, danger = false, busy = false, onAnswer }: ConfirmProps): ReactNode {
  const id = useId();
  const no = useRef<HTMLButtonElement>(null);
  useEffect(() => no.current?.focus(), []);
  return (
    <TopDialog className={cx("modal")} labelledBy={id} onClose={() => onAnswer(false)}>
      <header>
        <h2 id={id} className="h-md">
          {title}
        </h2>
      </header>
      <p className="body">{text}</p>
      <footer>
        <Button ref={no} onClick={() => onAnswer(false)}>
          {cancel}
        </Button>
        <Button look={danger ? "danger" : "plain"} disabled={busy} onClick={() => onAnswer(true)}>
          {action}
        </Button>
      </footer>
    </TopDialog>
  );
}
