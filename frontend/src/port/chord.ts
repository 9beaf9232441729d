// The shell's own key chords. The window catches them before any page does; in a browser a page that has the keyboard
// hears them instead of the shell, so the SDK hands them on by name (rules K1–K6). The list is fixed: nothing else that
// a person types in an app ever leaves it.

const digits = ["1", "2", "3", "4", "5", "6", "7", "8", "9"] as const;
type Digit = (typeof digits)[number];

/** Chord names one of the shell's chords. */
export type Chord = "launcher" | "question" | "region" | "region-back" | "stop" | "close-tile" | `workspace-${Digit}` | `move-tile-${Digit}`;

/** CHORDS is the fixed list. */
export const CHORDS: readonly Chord[] = [
  "launcher",
  "question",
  "region",
  "region-back",
  "stop",
  "close-tile",
  ...digits.map((digit): Chord => `workspace-${digit}`),
  ...digits.map((digit): Chord => `move-tile-${digit}`),
];

/** Keys is the part of a keyboard event that makes a chord. */
export interface Keys {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

/** isChord says whether a value is a name of the list. */
export function isChord(value: unknown): value is Chord {
  return CHORDS.includes(value as Chord);
}

/** chordOf reads a key event as the window does (app/window shortcut), or gives null: then the key is the page's alone. */
export function chordOf({ key, code, ctrlKey: ctrl, metaKey: meta, altKey: alt, shiftKey: shift }: Keys): Chord | null {
  if (alt) return null;
  if (!ctrl && !meta) {
    if (key === "F6") return shift ? "region-back" : "region";
    return key === "F8" && !shift ? "question" : null;
  }
  // A second alphabet has no k and no q: then the key's place says which it is. Shift changes what a digit types.
  const letter = /^[a-z]$/i.test(key) ? key.toLowerCase() : /^Key[A-Z]$/.test(code) ? code.slice(3).toLowerCase() : key;
  if (ctrl) {
    if (meta || shift) return null;
    return letter === "k" ? "launcher" : key === "." || code === "Period" ? "stop" : null;
  }
  const digit = /^Digit([1-9])$/.exec(code)?.[1] as Digit | undefined;
  if (digit !== undefined) return shift ? `move-tile-${digit}` : `workspace-${digit}`;
  if (shift) return null;
  return letter === "k" ? "launcher" : letter === "q" ? "close-tile" : null;
}
