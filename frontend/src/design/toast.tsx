import type { ReactNode } from "react";
import { createStore, useStore } from "./store";

/** Toast is one short line that needs no answer; at most one action. */
export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly code?: string;
  readonly action?: { readonly label: string; readonly run: () => void };
}

const lifetimeMs = 6000;
const most = 3;
const toasts = createStore<readonly Toast[]>([]);
let last = 0;

/** toast shows a line for six seconds. More than three at a time push the oldest out. */
export function toast(text: string, more: Omit<Toast, "id" | "text"> = {}): void {
  const id = ++last;
  toasts.set((all) => [...all, { id, text, ...more }].slice(-most));
  setTimeout(() => drop(id), lifetimeMs);
}

function drop(id: number): void {
  toasts.set((all) => (all.some((one) => one.id === id) ? all.filter((one) => one.id !== id) : all));
}

/** Toasts is where they appear; one per page. */
export function Toasts(): ReactNode {
  const all = useStore(toasts);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {all.map((one) => (
        <div key={one.id} className="toast">
          <span className="trunc">{one.text}</span>
          {one.code !== undefined && one.code !== "" && <span className="mono">{one.code}</span>}
          {one.action && (
            <button
              type="button"
              onClick={() => {
                drop(one.id);
                one.action?.run();
              }}
            >
              {one.action.label}
            </button>
          )}
        </div>
      ))}
    </div>
  );
}
