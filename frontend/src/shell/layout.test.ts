import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addSlot, columnsOf, decodeLayout, dropSlot, emptyLayout, encodeLayout, followLayout, maxSlots, nameSlot, type Layout } from "./layout";

const keys = (): (() => string) => {
  let n = 0;
  return () => `k${++n}`;
};
const decode = (value: unknown): Layout => decodeLayout(typeof value === "string" ? value : JSON.stringify(value), keys());
const slot = (key: string, app = "notes") => ({ key, app, tile: "main", instance: "" });

describe("a stored layout", () => {
  test("comes back as it was", () => {
    const layout = decode({ v: 1, tiles: [{ app: "notes", tile: "main", instance: "1" }, { app: "daybook", tile: "main", instance: "a9" }], active: 1 });
    expect(layout.slots.map((s) => [s.app, s.tile, s.instance])).toEqual([["notes", "main", "1"], ["daybook", "main", "a9"]]);
    expect(layout.active).toBe("k2");
    expect(encodeLayout(layout)).toEqual({ v: 1, tiles: [{ app: "notes", tile: "main", instance: "1" }, { app: "daybook", tile: "main", instance: "a9" }], active: 1 });
  });

  test.each([null, "", "{", "[]", "null", '"x"', "7", '{"v":2,"tiles":[]}', '{"v":1}', '{"v":1,"tiles":{}}'])("%s opens an empty workspace", (text) => {
    expect(decodeLayout(text, keys())).toEqual(emptyLayout);
  });

  test("what cannot be read is left out, the rest stays", () => {
    const layout = decode({
      v: 1,
      tiles: [null, 7, [], {}, { app: "notes" }, { app: 1, tile: "main" }, { app: "../x", tile: "main" }, { app: "a:b", tile: "main" }, { app: "notes", tile: "main", instance: {} }, { app: "notes", tile: "main" }],
      active: "x",
    });
    expect(layout.slots.map((s) => s.app)).toEqual(["notes"]);
    expect(layout.active).toBe(layout.slots[0]?.key);
  });

  test("one instance opens once, and no more than the most", () => {
    const twice = { app: "notes", tile: "main", instance: "1" };
    expect(decode({ v: 1, tiles: [twice, twice] }).slots).toHaveLength(1);
    const many = Array.from({ length: 99 }, (_, i) => ({ app: "notes", tile: "main", instance: String(i) }));
    expect(decode({ v: 1, tiles: many }).slots).toHaveLength(maxSlots);
  });

  test("never throws, and always points at a tile that is there", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), fc.record({ v: fc.constant(1), tiles: fc.anything(), active: fc.anything() }).map((v) => JSON.stringify(v) ?? "")), (text) => {
        const layout = decodeLayout(text, keys());
        expect(layout.active === "" ? layout.slots.length === 0 : layout.slots.some((s) => s.key === layout.active)).toBe(true);
      }),
    );
  });
});

describe("changing a layout", () => {
  const three = [slot("a"), slot("b"), slot("c")].reduce((l, s) => addSlot(l, s), emptyLayout);

  test("a new tile comes to the front; a closed one leaves it to its neighbour", () => {
    expect(three.active).toBe("c");
    expect(dropSlot({ ...three, active: "b" }, "b").active).toBe("c");
    expect(dropSlot(three, "c").active).toBe("b");
    expect(dropSlot(three, "a").active).toBe("c");
    expect(dropSlot(addSlot(emptyLayout, slot("x")), "x")).toEqual(emptyLayout);
    expect(dropSlot(three, "zzz")).toBe(three);
  });

  test("undo puts a tile back in its place", () => {
    expect(addSlot(dropSlot(three, "b"), slot("b2"), 1).slots.map((s) => s.key)).toEqual(["a", "b2", "c"]);
  });

  test("the kernel's name of an instance is written once", () => {
    const named = nameSlot(three, "b", "42");
    expect(named.slots[1]?.instance).toBe("42");
    expect(nameSlot(named, "b", "42")).toBe(named);
  });

  test("a full workspace takes no more", () => {
    let l = emptyLayout;
    for (let i = 0; i < maxSlots + 3; i++) l = addSlot(l, slot(`s${i}`));
    expect(l.slots).toHaveLength(maxSlots);
  });

  test("columns", () => {
    expect([0, 1, 2, 3, 4, 5, 6, 9, 10, 16].map(columnsOf)).toEqual([1, 1, 2, 3, 2, 3, 3, 3, 4, 4]);
  });
});

test("two shells that show the same tiles agree, whatever their copies are called", () => {
  const mine: Layout = { slots: [{ ...slot("a"), instance: "1" }, { ...slot("b"), instance: "2" }, slot("c", "daybook")], active: "b" };
  const theirs = (...apps: string[]): Layout => ({ slots: apps.map((app, i) => ({ ...slot(`t${i}`, app), instance: `9${i}` })), active: "t0" });
  expect(followLayout(mine, theirs("notes", "notes", "daybook"))).toBe(mine);
  expect(followLayout(mine, theirs("daybook", "notes")).slots.map((s) => s.key)).toEqual(["c", "a"]);
  expect(followLayout(mine, theirs("notes", "notes", "notes"))).toEqual({ slots: [mine.slots[0], mine.slots[1], { ...slot("t2"), instance: "" }], active: "b" });
  expect(followLayout(mine, emptyLayout)).toEqual(emptyLayout);
});
