import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { clonable, contract, openWire, type Wire } from "./contract";
import { NeutronError, cut } from "./fault";
import { JSON_DEPTH, JSON_MEMBERS, JSON_NODES, PAYLOAD_BYTES, checkJSON, utf8Length } from "./json";

describe("the peer's contract over real ports", () => {
  let wire: Wire;
  let close: () => void;
  beforeEach(() => {
    ({ wire, close } = openWire());
  });
  afterEach(() => close());
  for (const one of contract) test(`${one.rule} ${one.title}`, () => one.run(wire));
});

const codeOf = (value: unknown, max = PAYLOAD_BYTES): string => {
  try {
    checkJSON(value, max);
  } catch (error) {
    if (error instanceof NeutronError) return error.code;
    throw error;
  }
  return "ok";
};
const nest = (levels: number): unknown => {
  let value: unknown = [];
  for (let i = 1; i < levels; i++) value = i % 2 ? { a: value } : [value];
  return value;
};

describe("the JSON rule", () => {
  test("J1 takes what JSON can say, and returns its text", () => {
    const bare = Object.assign(Object.create(null) as object, { b: [true, null, -0.5, "é"] });
    expect(checkJSON({ a: bare, c: {} }, PAYLOAD_BYTES)).toBe('{"a":{"b":[true,null,-0.5,"é"]},"c":{}}');
    for (const value of [null, false, 0, -0, 1e308, 2 ** 53, "", "\u0000", "😀", [], {}]) expect(codeOf(value)).toBe("ok");
  });

  test("J2 refuses what JSON cannot say", () => {
    class Point {
      x = 1;
    }
    class List extends Array<number> {}
    const values: unknown[] = [undefined, () => 1, Symbol("s"), Number.NEGATIVE_INFINITY, new Point(), new List(), Object.create({ a: 1 }), new Proxy(new Map(), {})];
    for (const value of [...values, ...clonable.map(([, make]) => make())]) {
      expect(codeOf(value)).toBe("INVALID_REQUEST");
      expect(codeOf({ deep: [value] })).toBe("INVALID_REQUEST");
    }
  });

  test("J3 takes a shared reference and refuses a cycle, however long", () => {
    const shared = { a: [1] };
    expect(checkJSON([shared, { again: shared }, shared.a], PAYLOAD_BYTES)).toBe('[{"a":[1]},{"again":{"a":[1]}},[1]]');
    expect(checkJSON(new Array(100).fill(shared), PAYLOAD_BYTES)).toBe(`[${'{"a":[1]},'.repeat(100).slice(0, -1)}]`);
    const a: { b: { c: unknown[] } } = { b: { c: [] } };
    a.b.c.push(a.b);
    expect(() => checkJSON(a, PAYLOAD_BYTES)).toThrow("holds itself");
    // Each level holds the next one twice: 2^60 values as text, 60 objects in memory.
    let doubling: unknown = 1;
    for (let i = 0; i < 60; i++) doubling = [doubling, doubling];
    expect(codeOf(doubling)).toBe("INVALID_REQUEST");
  });

  test("J4 refuses members that are computed, hidden or oddly named, and runs no getter", () => {
    let ran = 0;
    const getter = { get a() { return ++ran; } };
    const hidden = Object.defineProperty({}, "a", { value: 1, enumerable: false });
    const odd = Object.defineProperty([1], 0, { get: () => ++ran });
    const polluting = Object.defineProperty({}, "__proto__", { value: { admin: true }, enumerable: true });
    for (const value of [getter, hidden, odd, polluting, { [Symbol("s")]: 1 }, { toJSON: () => 1 }, new Array(5), Object.assign(new Array(2), { 1: 0, x: 1 })]) expect(codeOf(value)).toBe("INVALID_REQUEST");
    expect(codeOf(new Array(2 ** 32 - 1))).toBe("INVALID_REQUEST");
    expect(ran).toBe(0);
  });

  test("J5 refuses half a surrogate pair in a string and in a name", () => {
    for (const half of ["\ud83d", "a\ude00b", "\ude00\ud83d"]) {
      expect(codeOf(half)).toBe("INVALID_REQUEST");
      expect(codeOf({ [half]: 1 })).toBe("INVALID_REQUEST");
    }
    expect(codeOf({ "\ud83d\ude00": "\ud83d\ude00" })).toBe("ok");
  });

  test("J6 refuses numbers that the kernel could not read", () => {
    expect([codeOf(-1e-308), codeOf(9.99999999999999e-309), codeOf(-5e-324), codeOf(0), codeOf(Number.MAX_VALUE)]).toEqual([
      "ok", "INVALID_REQUEST", "INVALID_REQUEST", "ok", "ok",
    ]);
  });

  test("J7 takes each budget at its edge and refuses one more", () => {
    expect([codeOf(nest(JSON_DEPTH)), codeOf(nest(JSON_DEPTH + 1))]).toEqual(["ok", "INVALID_REQUEST"]);
    const row = (n: number): unknown => new Array(n).fill(0);
    expect([codeOf(row(JSON_NODES - 1)), codeOf(row(JSON_NODES))]).toEqual(["ok", "INVALID_REQUEST"]);
    const wide = (n: number): unknown => Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, 0]));
    expect([codeOf(wide(JSON_MEMBERS)), codeOf(wide(JSON_MEMBERS + 1))]).toEqual(["ok", "INVALID_REQUEST"]);
  });

  test("J8 takes exactly 1 MiB of UTF-8 and not a byte more", () => {
    for (const [unit, bytes] of [["x", 1], ["é", 2], ["€", 3], ["😀", 4]] as const) {
      expect(utf8Length(unit)).toBe(bytes);
      const fit = Math.floor((PAYLOAD_BYTES - 2) / bytes);
      const text = unit.repeat(fit) + "x".repeat(PAYLOAD_BYTES - 2 - fit * bytes);
      expect(codeOf(text)).toBe("ok");
      expect(codeOf(`${text}x`)).toBe("LIMIT");
    }
    // An escape is longer than its character.
    expect([codeOf("\u0001".repeat(10), 62), codeOf("\u0001".repeat(10), 61)]).toEqual(["ok", "LIMIT"]);
  });

  test("E9 a cut message keeps its last character whole", () => {
    expect(cut("ab😀", 3)).toBe("ab\ufffd");
    expect(cut("\ude00a\ud83d", 9)).toBe("\ufffda\ufffd");
  });
});
