import { useRef, type KeyboardEvent, type ReactNode } from "react";
import type { Option } from "./choiceMenu";

interface SegmentedProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly Option[];
  readonly onValue: (value: string) => void;
}

/** Segmented shows two to four choices side by side: a radio group with arrow keys. */
export function Segmented({ label, value, options, onValue }: SegmentedProps): ReactNode {
  const group = useRef<HTMLDivElement>(null);
  const move = (e: KeyboardEvent): void => {
    const step = e.key === "ArrowRight" || e.key === "ArrowDown" ? 1 : e.key === "ArrowLeft" || e.key === "ArrowUp" ? -1 : 0;
    if (step === 0) return;
    e.preventDefault();
    const at = options.findIndex((o) => o.value === value);
    const next = options[(at + step + options.length) % options.length];
    if (next === undefined) return;
    onValue(next.value);
    group.current?.querySelector<HTMLElement>(`[data-value="${CSS.escape(next.value)}"]`)?.focus();
  };
  return (
    <div ref={group} className="seg" role="radiogroup" aria-label={label} onKeyDown={move}>
      {options.map((o) => (
        <button key={o.value} type="button" role="radio" aria-checked={o.value === value} data-value={o.value} tabIndex={o.value === value ? 0 : -1} onClick={() => onValue(o.value)}>
          {o.label}
        </button>
      ))}
    </div>
  );
}
