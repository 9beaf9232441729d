// @vitest-environment jsdom
import { afterEach, expect, test, vi } from "vitest";
import { shortcutOf, takeHint } from "./shortcuts";

afterEach(() => document.body.replaceChildren());

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

test("K5 a hint opens the launcher or moves the focus to the chip; it presses nothing", () => {
  document.body.innerHTML = "<button data-chip>Daybook asks</button><header data-region><button id=bar></button></header><iframe></iframe>";
  const chip = document.querySelector("[data-chip]") as HTMLElement;
  const pressed = vi.fn();
  document.body.addEventListener("click", pressed);
  const open = vi.fn();
  takeHint("launcher", open);
  takeHint("question", open);
  expect([open.mock.calls.length, document.activeElement]).toEqual([1, chip]);
  takeHint("region", open);
  expect(document.activeElement?.id).toBe("bar");
  for (const name of ["stop", "close-tile", "workspace-1", "move-tile-9"] as const) takeHint(name, open);
  expect([open.mock.calls.length, document.activeElement?.id, pressed.mock.calls.length]).toEqual([1, "bar", 0]);
});

test("K5 under anything of the shell that is open a hint does nothing", () => {
  const open = vi.fn();
  for (const html of ["<dialog open><button id=here></button></dialog>", "<div role=menu><button id=here></button></div>"]) {
    document.body.innerHTML = `${html}<button data-chip></button>`;
    document.getElementById("here")?.focus();
    takeHint("launcher", open);
    takeHint("question", open);
    expect([open.mock.calls.length, document.activeElement?.id]).toEqual([0, "here"]);
  }
});
