/** SheetKey is a key as the sheet judges it, from the page or from the native window. */
export interface SheetKey {
  readonly key: string;
  readonly alt: boolean;
  readonly ctrl: boolean;
  readonly shift: boolean;
  readonly meta: boolean;
  /** repeat: the key is held down. */
  readonly repeat: boolean;
}

/** SheetAct is what a key means to a question. */
export type SheetAct =
  | { readonly act: "none" }
  /** wait: it means nothing, but it starts the wait anew. */
  | { readonly act: "wait" }
  | { readonly act: "refuse" }
  /** allow: the n-th way to allow, from 1, in the order shown. */
  | { readonly act: "allow"; readonly n: number }
  | { readonly act: "move"; readonly back: boolean }
  | { readonly act: "press" }
  | { readonly act: "scroll"; readonly by: "line" | "page" | "all"; readonly back: boolean };

const modifiers = new Set(["Alt", "AltGraph", "Control", "Shift", "Meta", "OS", "CapsLock", "NumLock", "Fn"]);
const scrolls: Readonly<Record<string, SheetAct>> = {
  ArrowDown: { act: "scroll", by: "line", back: false },
  ArrowUp: { act: "scroll", by: "line", back: true },
  PageDown: { act: "scroll", by: "page", back: false },
  PageUp: { act: "scroll", by: "page", back: true },
  End: { act: "scroll", by: "all", back: false },
  Home: { act: "scroll", by: "all", back: true },
};

/** sheetAct reads a key. A bare modifier is nothing, or Alt would lock the button that Alt 1 presses. */
export function sheetAct(k: SheetKey): SheetAct {
  if (modifiers.has(k.key)) return { act: "none" };
  if (k.repeat) return scrolls[k.key] ?? { act: "wait" };
  if (k.ctrl || k.meta) return { act: "wait" };
  if (k.alt) return /^[1-9]$/.test(k.key) ? { act: "allow", n: Number(k.key) } : { act: "wait" };
  switch (k.key) {
    case "Escape":
      return { act: "refuse" };
    case "Tab":
      return { act: "move", back: k.shift };
    case "Enter":
    case " ":
      return { act: "press" };
    default:
      return scrolls[k.key] ?? { act: "wait" };
  }
}
