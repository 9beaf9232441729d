import { readFileSync } from "node:fs";
import { Validator, type Schema } from "@cfworker/json-schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compile, type JsonSchema } from "../src/schema";
import { thrown } from "./stage";

// The oracle is a validator that others wrote. It walks the schema anew for each value, which is why pages do not run it.
function oracle(schema: JsonSchema, draft: "7" | "2019-09" | "2020-12" = "2020-12"): (value: unknown) => boolean {
  const validator = new Validator(structuredClone(schema) as Schema, draft, true);
  return (value) => validator.validate(value).valid;
}

const dialects = { "7": "http://json-schema.org/draft-07/schema#", "2019-09": "https://json-schema.org/draft/2019-09/schema", "2020-12": "https://json-schema.org/draft/2020-12/schema" } as const;

const names = fc.constantFrom("a", "b", "ab", "c/d", "e~f", "toString", "");
const scalar = fc.oneof(fc.constantFrom(null, true, false, 0, -0, 1, 2, 0.1, 0.3, 1.5, -3, 1e21, "", "a", "ab", "aé", "😀", "😀b"), names);
const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  whole: fc.oneof({ depthSize: "small", withCrossShrink: true }, scalar, fc.array(tie("whole"), { maxLength: 4 }), fc.dictionary(names, tie("whole"), { maxKeys: 4, noNullPrototype: true })),
})).whole;

const count = fc.integer({ min: 0, max: 3 });
const number = fc.constantFrom(-3, 0, 1, 1.5, 2, 3);
const types = fc.constantFrom("null", "boolean", "number", "integer", "string", "array", "object");
const pattern = fc.constantFrom("^a", "b$", "^..?$", "é|\\p{L}", "");

function schemas(draft: keyof typeof dialects): fc.Arbitrary<JsonSchema> {
  const { whole } = fc.letrec<{ whole: JsonSchema }>((tie) => {
    const one = tie("whole");
    const list = fc.array(one, { minLength: 1, maxLength: 3 });
    const map = fc.dictionary(names, one, { maxKeys: 3, noNullPrototype: true });
    const needs = fc.dictionary(names, fc.uniqueArray(names, { maxLength: 2 }), { maxKeys: 2, noNullPrototype: true });
    const words: Record<string, fc.Arbitrary<unknown>> = {
      type: fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 3 })),
      enum: fc.array(value, { minLength: 1, maxLength: 4 }), const: value,
      allOf: list, anyOf: list, oneOf: list, not: one, if: one, then: one, else: one,
      minimum: number, maximum: number, exclusiveMinimum: number, exclusiveMaximum: number, multipleOf: fc.constantFrom(0.1, 0.5, 1, 2, 1e-7),
      minLength: count, maxLength: count, pattern,
      properties: map, required: fc.uniqueArray(names, { maxLength: 2 }), patternProperties: fc.dictionary(pattern, one, { maxKeys: 2, noNullPrototype: true }),
      additionalProperties: one, propertyNames: one, minProperties: count, maxProperties: count,
      minItems: count, maxItems: count, uniqueItems: fc.boolean(), contains: one,
      $ref: fc.constantFrom("#/$defs/x", "#/$defs/y~1z"),
      ...(draft === "7" ? {} : { dependentRequired: needs, dependentSchemas: map }),
      ...(draft === "2020-12" ? { prefixItems: list, items: one } : { items: fc.oneof(one, list), dependencies: fc.oneof(map, needs) }),
    };
    const pick = fc.uniqueArray(fc.constantFrom(...Object.keys(words)), { maxLength: 4 });
    const keyed = pick.chain((chosen) => fc.record(Object.fromEntries(chosen.map((name) => [name, words[name] as fc.Arbitrary<unknown>]))));
    return { whole: fc.oneof({ maxDepth: 4, depthSize: "small" }, fc.boolean(), keyed as fc.Arbitrary<JsonSchema>) };
  });
  const leaf = fc.record({ type: types });
  return fc.record({ root: whole, x: leaf, y: leaf }).map(({ root, x, y }) => (
    { $schema: dialects[draft], $defs: { x, "y/z": y }, ...(typeof root === "boolean" ? { allOf: [root] } : root) }
  ));
}

describe("judge", () => {
  for (const draft of ["2020-12", "2019-09", "7"] as const) {
    test(`D5 says of random values what another validator says, ${draft}`, () => {
      const both = [0, 0];
      fc.assert(
        fc.property(schemas(draft), fc.array(value, { minLength: 1, maxLength: 8 }), (schema, values) => {
          const [ours, theirs] = [compile(schema), oracle(schema, draft)];
          for (const one of values) {
            const taken = theirs(one);
            both[taken ? 0 : 1]!++;
            expect([one, ours(one) === null]).toEqual([one, taken]);
          }
        }),
        { numRuns: 600 },
      );
      expect(Math.min(...both)).toBeGreaterThan(400);
    });
  }

  test("D5 knows what was evaluated, as the kernel does", () => {
    const rows: [JsonSchema, unknown, boolean][] = [
      [{ properties: { a: true }, unevaluatedProperties: false }, { a: 1 }, true],
      [{ properties: { a: true }, unevaluatedProperties: false }, { b: 1 }, false],
      [{ allOf: [{ properties: { a: true } }], unevaluatedProperties: false }, { a: 1 }, true],
      [{ anyOf: [{ properties: { a: { const: 1 } }, required: ["a"] }, { properties: { b: true } }], unevaluatedProperties: false }, { a: 1, b: 1 }, true],
      [{ anyOf: [{ properties: { a: { const: 1 } } }, { properties: { b: true } }], unevaluatedProperties: false }, { a: 2, b: 1 }, false],
      [{ oneOf: [{ required: ["a"], properties: { a: true } }, { required: ["b"], properties: { b: true } }], unevaluatedProperties: { type: "string" } }, { a: 1, c: "x" }, true],
      [{ oneOf: [{ required: ["a"], properties: { a: true } }, { required: ["b"], properties: { b: true } }], unevaluatedProperties: { type: "string" } }, { a: 1, c: 1 }, false],
      [{ if: { properties: { a: { const: 1 } }, required: ["a"] }, then: { properties: { b: true } }, unevaluatedProperties: false }, { a: 1, b: 1 }, true],
      [{ if: { properties: { a: { const: 1 } }, required: ["a"] }, else: { properties: { b: true } }, unevaluatedProperties: false }, { a: 2, b: 1 }, false],
      [{ not: { not: { properties: { a: true } } }, unevaluatedProperties: false }, { a: 1 }, false],
      [{ allOf: [{ properties: { a: true } }, { unevaluatedProperties: false }] }, { a: 1 }, false],
      [{ $defs: { x: { properties: { a: true } } }, $ref: "#/$defs/x", unevaluatedProperties: false }, { a: 1 }, true],
      [{ dependentSchemas: { a: { properties: { a: true, b: true } } }, unevaluatedProperties: false }, { a: 1, b: 1 }, true],
      [{ additionalProperties: true, unevaluatedProperties: false }, { z: 1 }, true],
      [{ allOf: [{ unevaluatedProperties: true }], unevaluatedProperties: false }, { z: 1 }, true],
      [{ properties: { a: { unevaluatedProperties: false } } }, { a: { b: 1 } }, false],
      [{ prefixItems: [true], unevaluatedItems: false }, [1], true],
      [{ prefixItems: [true], unevaluatedItems: false }, [1, 2], false],
      [{ contains: { const: 1 }, unevaluatedItems: { type: "string" } }, [1, "a"], true],
      [{ contains: { const: 1 }, unevaluatedItems: { type: "string" } }, [1, 2], false],
      [{ $schema: dialects["2019-09"], contains: { const: 1 }, unevaluatedItems: { type: "string" } }, [1, "a"], false],
      [{ $schema: dialects["2019-09"], items: [true], allOf: [{ items: [true, true] }], unevaluatedItems: false }, [1, 2], true],
      [{ contains: { const: 1 }, minContains: 0, maxContains: 1 }, [], true],
      [{ contains: { const: 1 }, minContains: 2 }, [1, 2], false],
      [{ contains: { const: 1 }, maxContains: 1 }, [1, 1], false],
    ];
    for (const [schema, one, taken] of rows) expect([schema, one, compile(schema)(one) === null]).toEqual([schema, one, taken]);
  });

  test("D5 goes into references, however deep, and names the place", () => {
    const check = compile({ $ref: "#/properties/a", properties: { a: { type: ["object", "null"], additionalProperties: { $ref: "#" } } } });
    expect(check({ a: { "b/c": null } })).toBe(null);
    expect(check({ a: { "b/c": 1 } })).toMatch(/^#\/a\/b~1c: not of type/);
    const old = compile({ $schema: dialects["7"], $ref: "#/properties/a", properties: { a: { type: "string" } } });
    expect([old("x"), old({ a: 1 }) === null]).toEqual([null, false]);
  });

  test("D4 refuses keywords of a wrong form", () => {
    for (const schema of [{ type: "text" }, { type: [] }, { required: "a" }, { required: [1] }, { minLength: "1" }, { enum: 1 }, { multipleOf: -1 }, { dependentRequired: { a: [1] } }]) {
      expect([schema, thrown(() => compile(schema))]).toEqual([schema, "SCHEMA_INVALID"]);
    }
  });

  test("makes no function from text", () => {
    expect(readFileSync(new URL("../src/judge.ts", import.meta.url), "utf8")).not.toMatch(/\beval\b|\bFunction\b/);
  });
});
