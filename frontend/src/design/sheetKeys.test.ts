import { describe, expect, test } from "vitest";
import { sheetAct, type SheetKey } from "./sheetKeys";

const key = (k: string, more: Partial<SheetKey> = {}): SheetKey => ({ key: k, alt: false, ctrl: false, shift: false, meta: false, repeat: false, ...more });

describe("keys of a sheet", () => {
  test.each([
    ["Escape", {}, { act: "refuse" }],
    ["1", { alt: true }, { act: "allow", n: 1 }],
    ["2", { alt: true }, { act: "allow", n: 2 }],
    ["Tab", {}, { act: "move", back: false }],
    ["Tab", { shift: true }, { act: "move", back: true }],
    ["Enter", {}, { act: "press" }],
    [" ", {}, { act: "press" }],
    ["PageDown", {}, { act: "scroll", by: "page", back: false }],
  ] as const)("%s %j", (k, more, want) => {
    expect(sheetAct(key(k, more))).toEqual(want);
  });

  test("bare letters and digits do nothing but start the wait anew", () => {
    for (const k of ["a", "y", "n", "1", "2", "F8", "Delete"]) expect(sheetAct(key(k))).toEqual({ act: "wait" });
  });

  test("a bare modifier is no key: Alt must not lock what Alt 1 presses", () => {
    for (const k of ["Alt", "Control", "Shift", "Meta", "AltGraph", "CapsLock"]) expect(sheetAct(key(k))).toEqual({ act: "none" });
  });

  test("a key held down never answers", () => {
    for (const k of ["Escape", "Enter", " ", "Tab"]) expect(sheetAct(key(k, { repeat: true }))).toEqual({ act: "wait" });
    expect(sheetAct(key("1", { alt: true, repeat: true }))).toEqual({ act: "wait" });
  });

  test("chords with Ctrl or Meta never answer", () => {
    for (const more of [{ ctrl: true }, { meta: true }, { ctrl: true, alt: true }]) {
      expect(sheetAct(key("1", more))).toEqual({ act: "wait" });
      expect(sheetAct(key("Enter", more))).toEqual({ act: "wait" });
      expect(sheetAct(key("Escape", more))).toEqual({ act: "wait" });
    }
  });

  test("Alt with anything but a digit from 1 waits", () => {
    for (const k of ["0", "a", "Enter", "10"]) expect(sheetAct(key(k, { alt: true }))).toEqual({ act: "wait" });
  });
});
