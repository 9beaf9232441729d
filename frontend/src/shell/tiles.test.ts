import { describe, expect, test, vi } from "vitest";
import { create } from "@bufbuild/protobuf";
import { KernelError } from "../link/kernelError";
import { DocSchema } from "../wire/neutron/link/v1/link_pb";
import { createDocs, type Docs } from "./docs";
import { createFixtureBroker, createFixtureLink } from "./fixtureLink";
import { maxSlots } from "./layout";
import { createTiles } from "./tiles";

const utf8 = new TextEncoder();
const later = (): Promise<void> => Promise.resolve().then(() => Promise.resolve());
const stored = (...apps: string[]) => create(DocSchema, { key: "layout", revision: 3n, json: utf8.encode(JSON.stringify({ v: 1, tiles: apps.map((app) => ({ app, tile: "main", instance: "7" })) })) });

function setUp(docs?: Docs) {
  const broker = createFixtureBroker(null);
  const opened: unknown[][] = [];
  const openTile = broker.openTile.bind(broker);
  broker.openTile = (...args) => {
    opened.push(args);
    return openTile(...args);
  };
  const written: unknown[] = [];
  const store: Docs = docs ?? { read: () => null, write: (_k, v) => void written.push(v), adopt: () => undefined, follow: () => [] };
  const full = vi.fn();
  return { broker, opened, written, full, tiles: createTiles(broker, store, () => "layout", full) };
}

describe("tiles", () => {
  test("a stored layout is opened once, with its instances", async () => {
    const docs: Docs = { read: () => new TextDecoder().decode(stored("notes", "daybook").json), write: () => undefined, adopt: () => undefined, follow: () => [] };
    const { tiles, opened } = setUp(docs);
    tiles.restore();
    tiles.restore();
    await later();
    expect(opened).toEqual([["notes", "main", "7"], ["daybook", "main", "7"]]);
    expect([...tiles.store.get().lives.values()].map((l) => l.is)).toEqual(["open", "open"]);
  });

  test("a lost link ends frames; the next welcome opens them again, and nothing that ended by itself", async () => {
    const { tiles, broker, opened } = setUp();
    tiles.restore();
    const a = tiles.open("notes", "main") ?? "";
    const b = tiles.open("daybook", "main") ?? "";
    await later();
    broker.ends.get("frame-notes")?.("NO_SHELL");
    broker.ends.get("frame-daybook")?.("NAVIGATED");
    await later();
    expect(tiles.store.get().lives.get(a)).toEqual({ is: "ended", end: { code: "NO_SHELL", reason: "" } });
    tiles.restore();
    await later();
    expect(tiles.store.get().lives.get(a)?.is).toBe("open");
    expect(tiles.store.get().lives.get(b)?.is).toBe("ended");
    expect(opened).toHaveLength(3);
  });

  test("closing writes the layout and undo brings the tile back", async () => {
    const { tiles, written } = setUp();
    tiles.restore();
    const a = tiles.open("notes", "main") ?? "";
    tiles.open("daybook", "main");
    await later();
    tiles.close(a);
    expect(written.at(-1)).toMatchObject({ tiles: [{ app: "daybook" }] });
    tiles.undo();
    tiles.undo();
    expect(written.at(-1)).toMatchObject({ tiles: [{ app: "notes" }, { app: "daybook" }] });
  });

  test("a tile closed while it opens is closed when it comes", async () => {
    const { tiles, broker } = setUp();
    tiles.restore();
    const key = tiles.open("notes", "main") ?? "";
    tiles.close(key);
    await later();
    expect(tiles.store.get().lives.size).toBe(0);
    const close = broker.ends.get("frame-notes");
    expect(close).toBeDefined();
  });

  test("what another shell opened and closed is opened and closed here, and nothing is written for it", async () => {
    let text = JSON.stringify({ v: 1, tiles: ["notes", "daybook"].map((app) => ({ app, tile: "main", instance: "7" })) });
    const written: unknown[] = [];
    const { tiles, opened, broker } = setUp({ read: () => text, write: (_k, v) => void written.push(v), adopt: () => undefined, follow: () => [] });
    tiles.follow();
    expect(opened).toEqual([]);
    tiles.restore();
    await later();
    const [notes] = tiles.store.get().layout.slots;
    const gone = broker.openTile("daybook", "main").then((handle) => handle.ended);
    text = JSON.stringify({ v: 1, tiles: ["images", "notes"].map((app) => ({ app, tile: "main", instance: "other" })) });
    tiles.follow();
    tiles.follow();
    await later();
    const { layout, lives } = tiles.store.get();
    expect(layout.slots.map((s) => s.app)).toEqual(["images", "notes"]);
    expect([layout.slots[1], opened.slice(3), lives.size]).toEqual([notes, [["images", "main"]], 2]);
    // The one write is the kernel's name for the new copy.
    expect(written).toHaveLength(1);
    broker.ends.get("frame-daybook")?.("CLOSED");
    expect((await gone).code).toBe("CLOSED");
  });

  test("what the kernel refuses stays in its slot with the code", async () => {
    const { tiles, broker } = setUp();
    broker.openTile = () => Promise.reject(new KernelError("QUARANTINED", "It stopped the window twice."));
    const key = tiles.open("images", "main") ?? "";
    await later();
    expect(tiles.store.get().lives.get(key)).toEqual({ is: "ended", end: { code: "QUARANTINED", reason: "It stopped the window twice." } });
  });

  test("a full workspace says so", () => {
    const { tiles, full } = setUp();
    for (let i = 0; i < maxSlots; i++) expect(tiles.open("notes", "main")).not.toBeNull();
    expect(tiles.open("notes", "main")).toBeNull();
    expect(full).toHaveBeenCalledOnce();
  });

  test("removing an app takes its tiles along", async () => {
    const { tiles } = setUp();
    tiles.open("notes", "main");
    tiles.open("daybook", "main");
    tiles.open("notes", "main");
    await later();
    tiles.dropApp("notes");
    expect(tiles.store.get().layout.slots.map((s) => s.app)).toEqual(["daybook"]);
    expect(tiles.store.get().lives.size).toBe(1);
  });
});

describe("documents", () => {
  test("quick changes are written once, the newest, on the revision that was read", async () => {
    vi.useFakeTimers();
    const link = createFixtureLink({}, { putDoc: create(DocSchema, { key: "layout", revision: 4n }) });
    const docs = createDocs(link, () => undefined);
    docs.adopt([stored("notes")]);
    docs.write("layout", { a: 1 });
    docs.write("layout", { a: 2 });
    await vi.runAllTimersAsync();
    docs.write("layout", { a: 2 });
    docs.write("layout", { a: 3 });
    await vi.runAllTimersAsync();
    vi.useRealTimers();
    expect(link.asked.map((r) => r.value)).toMatchObject([{ ifRevision: 3n }, { ifRevision: 4n }]);
    expect(link.asked.map((r) => new TextDecoder().decode((r.value as { json: Uint8Array }).json))).toEqual(['{"a":2}', '{"a":3}']);
  });

  test("the last hand wins: a conflict is written again on the revision that the kernel names", async () => {
    vi.useFakeTimers();
    const link = createFixtureLink({}, { putDoc: create(DocSchema, { key: "layout", revision: 10n }) });
    const answer = link.request.bind(link);
    let first = true;
    link.request = ((what: Parameters<typeof answer>[0]) => {
      const answered = answer(what);
      if (!first) return answered;
      first = false;
      return Promise.reject(new KernelError("CONFLICT", "It was changed by somebody else meanwhile and stands at revision 9."));
    }) as typeof link.request;
    const docs = createDocs(link, () => undefined);
    docs.adopt([stored("notes")]);
    docs.write("layout", { a: 1 });
    await vi.runAllTimersAsync();
    vi.useRealTimers();
    expect(link.asked.map((r) => (r.value as { ifRevision: bigint }).ifRevision)).toEqual([3n, 9n]);
    expect(docs.read("layout")).toBe('{"a":1}');
  });

  test("another shell's newer document is taken, an older one and one that is being written here are not", async () => {
    vi.useFakeTimers();
    const link = createFixtureLink({}, { putDoc: create(DocSchema, { key: "theme", revision: 5n }) });
    const late: string[] = [];
    const docs = createDocs(link, () => undefined, (key) => late.push(key));
    const theirs = (revision: bigint, text: string, key = "theme") => [create(DocSchema, { key, revision, json: utf8.encode(text) })];
    docs.adopt(theirs(3n, '"light"'));
    expect([docs.follow(theirs(3n, '"x"')), docs.follow(theirs(4n, '"dark"')), docs.follow(theirs(4n, '"dark"')), docs.read("theme")]).toEqual([[], ["theme"], [], '"dark"']);
    docs.write("theme", "system");
    expect([docs.follow(theirs(6n, '"light"')), docs.read("theme")]).toEqual([[], '"dark"']);
    vi.advanceTimersByTime(400); // the write is under way
    expect(docs.follow(theirs(8n, '"light"'))).toEqual([]);
    await vi.runAllTimersAsync();
    vi.useRealTimers();
    expect(link.asked.map((r) => (r.value as { ifRevision: bigint }).ifRevision)).toEqual([6n]);
    expect([late, docs.read("theme")]).toEqual([["theme"], '"light"']);
  });

  test("a full disk is told, a lost link is not", async () => {
    vi.useFakeTimers();
    const fail = vi.fn();
    for (const code of ["STORE_FULL", "CANCELLED"]) {
      const docs = createDocs(createFixtureLink({}, { putDoc: new KernelError(code, "") }), fail);
      docs.write("theme", "dark");
      await vi.runAllTimersAsync();
    }
    vi.useRealTimers();
    expect(fail.mock.calls.map(([err]) => (err as KernelError).code)).toEqual(["STORE_FULL"]);
  });
});
