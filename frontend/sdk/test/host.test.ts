import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CHORDS, chordOf, isChord, type Keys } from "../../src/port/chord";
import { watchChords } from "../src/host";
import { Stage, type Line } from "./stage";

let stage: Stage;
let line: Line;
beforeEach(async () => {
  stage = new Stage();
  line = stage.connect();
  await line.push();
});
afterEach(() => stage.dispose());

const look = (): (string | undefined)[] => [stage.root.style.colorScheme, stage.root.attributes.get("data-theme")];
const tell = async (payload: unknown): Promise<unknown> => {
  line.exec("host.context", payload);
  const { ok, error } = await line.next();
  return error?.code ?? ok;
};

describe("surroundings", () => {
  test("T2 the theme is on the page before a listener runs and before the answer; the same again changes nothing", async () => {
    const heard: unknown[] = [];
    expect(stage.bus.host.context).toBeNull();
    const stop = stage.bus.host.listen((context) => heard.push([context.theme, ...look()]));
    expect(heard).toEqual([]);
    expect(await tell({ theme: "dark" })).toEqual({});
    await tell({ theme: "dark" });
    await tell({ theme: "light" });
    expect(heard).toEqual([["dark", "dark", "dark"], ["light", "light", "light"]]);
    stop();
    await tell({ theme: "dark" });
    expect([heard.length, stage.bus.host.context]).toEqual([2, { theme: "dark" }]);
    stage.bus.host.listen((context) => heard.push(context.theme));
    expect(heard.at(-1)).toBe("dark");
  });

  test("T2 a listener that throws keeps nobody from hearing, and the answer comes", async () => {
    const report = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const heard: string[] = [];
    stage.bus.host.listen(() => {
      throw new Error("mine");
    });
    stage.bus.host.listen((context) => heard.push(context.theme));
    expect([await tell({ theme: "dark" }), heard]).toEqual([{}, ["dark"]]);
    report.mockRestore();
  });

  test("T3 a context of another form changes nothing", async () => {
    await tell({ theme: "dark" });
    for (const bad of [{}, null, [], { theme: "system" }, { theme: 1 }, { theme: "light", more: 1 }, "light"]) expect(await tell(bad)).toBe("INVALID_REQUEST");
    expect([look(), stage.bus.host.context]).toEqual([["dark", "dark"], { theme: "dark" }]);
  });
});

const press = (key: string, more: Partial<Keys & { isTrusted: boolean; repeat: boolean }> = {}) => {
  const seen: string[] = [];
  const event = { key, code: "", ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, isTrusted: true, repeat: false, ...more };
  return { ...event, seen, preventDefault: () => void seen.push("prevented"), stopImmediatePropagation: () => void seen.push("stopped") };
};

describe("chords", () => {
  test("K1 trusted keys of the list are handed on, once, and not seen by the page; nothing else is", async () => {
    let hear: (event: unknown) => void = () => undefined;
    const said: string[] = [];
    let shell = true;
    watchChords({ addEventListener: ((_: string, fn: never, capture: boolean) => capture && (hear = fn)) as never }, (chord) => {
      if (shell) said.push(chord);
      return shell;
    });
    const one = press("k", { ctrlKey: true });
    hear(one);
    expect([said, one.seen]).toEqual([["launcher"], ["prevented", "stopped"]]);
    const held = press("k", { ctrlKey: true, repeat: true });
    hear(held);
    expect([said, held.seen]).toEqual([["launcher"], ["prevented", "stopped"]]);
    shell = false;
    for (const event of [press("F8", { isTrusted: false }), press("a"), press("Enter"), press("F8")]) {
      hear(event);
      expect(event.seen).toEqual([]);
    }
    expect(said).toEqual(["launcher"]);
  });

  test("K1 a chord goes to the shell by its name, on the port that is live", async () => {
    expect(stage.bus.chord("region")).toBe(true);
    expect((await line.action("host.chord")).payload.payload).toEqual({ chord: "region" });
    const alone = new Stage();
    expect(alone.bus.chord("region")).toBe(false);
    alone.dispose();
  });

  test("K1 the list is the window's", () => {
    const named = (key: string, more: Partial<Keys> = {}): string | null => chordOf(press(key, more));
    expect([named("k", { ctrlKey: true }), named("K", { metaKey: true }), named("л", { code: "KeyK", ctrlKey: true })]).toEqual(["launcher", "launcher", "launcher"]);
    expect([named("F6"), named("F6", { shiftKey: true }), named("F8"), named(".", { ctrlKey: true })]).toEqual(["region", "region-back", "question", "stop"]);
    expect([named("2", { code: "Digit2", metaKey: true }), named("@", { code: "Digit2", metaKey: true, shiftKey: true }), named("q", { metaKey: true })]).toEqual(["workspace-2", "move-tile-2", "close-tile"]);
    const none = [named("k"), named("k", { code: "KeyT", altKey: true, ctrlKey: true }), named("t", { code: "KeyK", ctrlKey: true }), named("F8", { shiftKey: true }), named("F6", { ctrlKey: true }), named("K", { ctrlKey: true, shiftKey: true }), named("0", { code: "Digit0", metaKey: true })];
    expect(none.filter((chord) => chord !== null)).toEqual([]);
    expect(CHORDS.length).toBe(24);
    expect([CHORDS.every(isChord), isChord("answer"), isChord(1)]).toEqual([true, false, false]);
  });
});
