import { readFileSync } from "node:fs";
import { describe as suite, expect, test } from "vitest";
import { describe } from "../src/descriptor";
import { compile, keywords } from "../src/schema";
import { codeOf, thrown } from "./stage";

const good = { inputSchema: { type: "object" } };

suite("descriptors", () => {
  test("D3 takes what is well formed and gives an independent copy", () => {
    const schema = { type: "object", properties: { q: { type: "string" } } };
    const { descriptor, input } = describe("notes_search", { title: "Search", description: "Finds notes.", inputSchema: schema, annotations: { "neutron:effects": ["read"] } });
    (schema.properties as Record<string, unknown>).q = { type: "number" };
    expect(descriptor).toEqual({
      name: "notes_search", title: "Search", description: "Finds notes.",
      inputSchema: { type: "object", properties: { q: { type: "string" } } }, annotations: { "neutron:effects": ["read"] },
    });
    expect(input({ q: "x" })).toBe(null);
    expect(Object.keys(descriptor.inputSchema)).toEqual(["type", "properties"]);
    expect(describe("t", { ...good, title: undefined } as never).descriptor).toEqual({ name: "t", inputSchema: { type: "object" } });
  });

  test("D3 refuses what breaks a bound", () => {
    const bad: [string, unknown][] = [
      ["", good], ["a b", good], ["a".repeat(129), good], ["é", good],
      ["t", {}], ["t", null], ["t", { ...good, more: 1 }], ["t", { ...good, name: "other", inputSchema: undefined }],
      ["t", { ...good, title: "" }], ["t", { ...good, title: "x".repeat(121) }], ["t", { ...good, title: "two\nlines" }],
      ["t", { ...good, title: "zero\u200bwidth" }], ["t", { ...good, title: "bidi\u202e" }], ["t", { ...good, title: "e\u0301" }], ["t", { ...good, title: 1 }],
      ["t", { ...good, description: "x".repeat(1_001) }], ["t", { ...good, annotations: [] }],
      ["t", { ...good, annotations: { a: "x".repeat(257) } }], ["t", { ...good, annotations: { ["k".repeat(129)]: 1 } }],
      ["t", { ...good, annotations: { a: [[[[[[[[1]]]]]]]] } }], ["t", { ...good, annotations: { f: () => 1 } }],
      ["t", { inputSchema: { description: "x".repeat(4_096), $comment: "y".repeat(4_096), examples: Array.from({ length: 8 }, () => "z".repeat(4_000)) } }],
    ];
    for (const [name, options] of bad) expect([name, options, thrown(() => describe(name, options as never))]).toEqual([name, options, "SCHEMA_INVALID"]);
    for (const options of [{ ...good, title: "x".repeat(120) }, { ...good, description: "x".repeat(1_000) }, { ...good, annotations: { a: "x".repeat(256) } }]) {
      expect(thrown(() => describe("a".repeat(128), options))).toBe("ok");
    }
  });
});

suite("schemas", () => {
  test("D4 the keyword list is the kernel's", () => {
    const go = readFileSync(new URL("../../../kernel/schema/guard.go", import.meta.url), "utf8");
    const list = /var keywords = map\[string\]kind\{([\s\S]*?)\n\}/.exec(go)?.[1] ?? "";
    const theirs = Object.fromEntries([...list.matchAll(/"([^"]+)": kind(\w+)/g)].map((m) => [m[1], m[2]]));
    const ours = Object.fromEntries(keywords);
    expect(Object.keys(ours).sort()).toEqual(Object.keys(theirs).sort());
    const notes = (of: Record<string, unknown>, kind: string): string[] => Object.keys(of).filter((name) => of[name] === kind).sort();
    expect(notes(ours, "note")).toEqual(notes(theirs, "Note"));
    expect(notes(ours, "plain")).toEqual(notes(theirs, "Plain"));
  });

  test("D4 refuses keywords, references and sizes that the kernel refuses", () => {
    let deep: object = {};
    for (let i = 0; i < 20; i++) deep = { not: deep };
    const bad: unknown[] = [
      { if_: {} }, { $dynamicRef: "#" }, { $anchor: "a" }, { constructor: {} }, { $ref: "http://example.test/s" }, { $ref: "file:///etc" }, { $ref: "other" },
      { $ref: "#/$defs/none" }, { properties: { a: { $ref: "#/properties/b" } } }, { $ref: "#/%" }, { $schema: "constructor" }, { properties: [] }, { allOf: {} }, { not: 1 }, { items: [{}] }, { multipleOf: 0 }, { pattern: "(?=x)" }, { pattern: "(a)\\1" },
      { pattern: "x".repeat(257) }, { pattern: "[" }, { patternProperties: { "(?!x)": {} } }, { $schema: "http://json-schema.org/draft-04/schema" },
      { properties: { a: { $id: "x" } } }, deep, { enum: new Array(2_000).fill(0) }, { const: { a: () => 1 } }, 1, null, "x",
      { properties: Object.fromEntries(Array.from({ length: 257 }, (_, i) => [`k${i}`, true])) },
    ];
    for (const schema of bad) expect([schema, thrown(() => compile(schema as never))]).toEqual([schema, "SCHEMA_INVALID"]);
  });

  test("D4 takes what the kernel takes: references, dialects, extensions, booleans", () => {
    const tree = compile({ $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" } }, additionalProperties: false } }, $ref: "#/$defs/node" });
    expect([tree({ next: { next: {} } }), tree({ next: { nix: 1 } }) === null]).toEqual([null, false]);
    expect(compile({ $defs: { "a/b~c": { type: "null" } }, $ref: "#/$defs/a~1b~0c" })(null)).toBe(null);
    const old = compile({ $schema: "http://json-schema.org/draft-07/schema#", items: [{ type: "string" }], additionalItems: false });
    expect([old(["a"]), old(["a", 1]) === null, old([1]) === null]).toEqual([null, false, false]);
    const own = compile({ "x-order": 1, type: "string", pattern: "^a\\\\1?$" });
    expect(own("a\\1")).toBe(null);
    expect([compile(true)(1), compile(false)(1) === null]).toEqual([null, false]);
  });

  test("D6 format never asserts", () => {
    const check = compile({ type: "string", format: "email", default: 5, contentEncoding: "base64" });
    expect(check("no address")).toBe(null);
    expect(compile({ format: "date-time", $defs: { d: { format: "uri" } }, $ref: "#/$defs/d" })("x")).toBe(null);
  });

  test("D5 says where a value is wrong and does not run the author's later changes", () => {
    const schema = { type: "object", properties: { n: { type: "integer", maximum: 3 } } };
    const check = compile(schema);
    schema.properties.n.maximum = 99;
    expect(check({ n: 4 })).toMatch(/^#\/n: /);
    expect(check({ n: 3 })).toBe(null);
  });
});

test("D3 the helper sees a refusal", async () => {
  expect(await codeOf(Promise.reject(Object.assign(new Error(), { code: "X" })))).toBe("X");
});
