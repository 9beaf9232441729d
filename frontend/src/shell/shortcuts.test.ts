import { expect, test } from "vitest";
import { shortcutOf } from "./shortcuts";

const chord = (key: string, more: Partial<Parameters<typeof shortcutOf>[0]> = {}) => ({ key, ctrl: false, meta: false, alt: false, shift: false, ...more });

test("chords of the shell", () => {
  expect(shortcutOf(chord("k", { ctrl: true }))).toBe("launcher");
  expect(shortcutOf(chord("K", { meta: true }))).toBe("launcher");
  expect(shortcutOf(chord("F8"))).toBe("question");
  expect(shortcutOf(chord("F6"))).toBe("region");
  expect(shortcutOf(chord("F6", { shift: true }))).toBe("region-back");
});

test("what looks like one is none", () => {
  for (const c of [chord("k"), chord("k", { ctrl: true, shift: true }), chord("k", { ctrl: true, alt: true }), chord("F8", { ctrl: true }), chord("F6", { alt: true }), chord("Escape")])
    expect(shortcutOf(c)).toBe("none");
});
