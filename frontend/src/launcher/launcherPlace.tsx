import { useLayoutEffect, useRef, type KeyboardEvent, type ReactNode } from "react";
import { TopDialog } from "../design/modal";
import { t } from "../design/strings";

/** Typed is what the owner typed before the launcher had come. */
export interface Typed {
  readonly text: string;
  /** enter: and pressed Enter after it. */
  readonly enter: boolean;
}

interface LauncherPlaceProps {
  readonly onTyped: (typed: Typed) => void;
  readonly onClose: () => void;
}

/** LauncherPlace takes the keyboard while the launcher is fetched: nothing of what is typed may be lost, or reach a tile. */
export function LauncherPlace({ onTyped, onClose }: LauncherPlaceProps): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  const enter = useRef(false);
  useLayoutEffect(() => input.current?.focus(), []);
  const tell = (): void => onTyped({ text: input.current?.value ?? "", enter: enter.current });
  const onKey = (e: KeyboardEvent): void => {
    if (e.key === "Escape" || e.ctrlKey || e.metaKey || e.altKey) return;
    if (enter.current) return e.preventDefault();
    if (e.key !== "Enter" || e.nativeEvent.isComposing) return;
    enter.current = true;
    tell();
  };
  return (
    <TopDialog className="pal" label={t.launcher.label} onClose={onClose} light>
      <div className="q" aria-busy>
        <input ref={input} aria-label={t.launcher.label} placeholder={t.launcher.placeholder} autoComplete="off" spellCheck={false} onChange={tell} onKeyDown={onKey} />
      </div>
    </TopDialog>
  );
}
