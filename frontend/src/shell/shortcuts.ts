import type { Chord as FrameChord } from "../broker/signature";

/** Shortcut is what a chord means outside of questions. */
export type Shortcut = "launcher" | "question" | "region" | "region-back" | "none";

interface Chord {
  readonly key: string;
  readonly ctrl: boolean;
  readonly meta: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
}

/** shortcutOf reads a chord: Ctrl or Cmd K, F6, F8. */
export function shortcutOf({ key, ctrl, meta, alt, shift }: Chord): Shortcut {
  if (alt) return "none";
  if ((ctrl || meta) && !shift && key.toLowerCase() === "k") return "launcher";
  if (ctrl || meta) return "none";
  if (key === "F8") return "question";
  if (key === "F6") return shift ? "region-back" : "region";
  return "none";
}

/**
 * takeHint does what a frame's page says was pressed in it (port SPEC K5). An app can forge it, so it opens the launcher
 * or moves the focus, and only where nothing of the shell is open that the owner may be using.
 */
export function takeHint(chord: FrameChord, openLauncher: () => void): void {
  if (document.querySelector("dialog[open], [role='menu'], [role='alertdialog']") !== null) return;
  switch (chord) {
    case "launcher":
      return openLauncher();
    case "question":
      return document.querySelector<HTMLElement>("[data-chip]")?.focus();
    case "region":
    case "region-back":
      return nextRegion(chord === "region-back");
    default:
      return;
  }
}

/** nextRegion moves the focus to the first control of the next region: the bar, then each tile's tab row. */
export function nextRegion(back: boolean): void {
  const regions = [...document.querySelectorAll<HTMLElement>("[data-region]")].filter((r) => r.offsetParent !== null || r.tagName === "HEADER");
  if (regions.length === 0) return;
  const at = regions.findIndex((r) => r.contains(document.activeElement));
  const next = regions[(at + (back ? -1 : 1) + regions.length) % regions.length] ?? regions[0];
  next?.querySelector<HTMLElement>("button, [tabindex]")?.focus();
}
