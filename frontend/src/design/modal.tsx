import { useLayoutEffect, useRef, type ReactNode } from "react";

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
