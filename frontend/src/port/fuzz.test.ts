import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { readEnvelope } from "./envelope";
import { NeutronError } from "./fault";
import { PAYLOAD_BYTES, checkJSON, judgeJSON } from "./json";

// Any value at all, and envelopes that are nearly right, which random values never are.
const anything = fc.anything({
  withBigInt: true, withBoxedValues: true, withDate: true, withMap: true, withSet: true, withSparseArray: true, withTypedArray: true,
  withNullPrototype: true, withObjectString: true, withUnicodeString: true,
});
const nearly = fc.record(
  {
    type: fc.oneof(fc.constantFrom("exec", "response", "progress", "cancel", "connect"), anything),
    id: fc.oneof(fc.integer({ min: -1, max: 3 }), fc.constantFrom(2 ** 53 - 1, 2 ** 53), anything),
    payload: fc.oneof(fc.record({ action: fc.constantFrom("tools.call", "X", ""), payload: anything, context: anything }, { requiredKeys: ["action"] }), anything),
    ok: anything,
    error: fc.oneof(fc.record({ name: fc.string(), message: fc.string(), code: fc.constantFrom("DENIED", "no"), stack: fc.string() }, { requiredKeys: ["code"] }), anything),
    value: anything,
    extra: anything,
  },
  { requiredKeys: [] },
);

// Thousands of values take their time on a busy machine; no rule here is about speed.
vi.setConfig({ testTimeout: 120_000 });

const keys: Record<string, string[]> = { exec: ["id", "payload", "type"], progress: ["id", "type", "value"], cancel: ["id", "type"] };

describe("fuzz", () => {
  test("E1 E2 whatever comes, reading it throws nothing and lets nothing pass that is not closed", () => {
    fc.assert(
      fc.property(fc.oneof(nearly, anything), (data) => {
        const message = readEnvelope(data);
        if (message.type === "malformed") return;
        const names = Object.keys(data as object).sort();
        expect(Number.isSafeInteger(message.id) && message.id >= 1).toBe(true);
        expect(names).toEqual(message.type === "response" ? ["id", "ok" in message ? "ok" : "error", "type"].sort() : keys[message.type]);
      }),
      { numRuns: 4_000 },
    );
  });

  test("J9 a value is taken exactly when JSON gives it back unchanged", () => {
    fc.assert(
      fc.property(fc.oneof(anything, fc.jsonValue()), (value) => {
        let text: string;
        try {
          text = checkJSON(value, PAYLOAD_BYTES);
        } catch (error) {
          expect(error).toBeInstanceOf(NeutronError);
          return;
        }
        // What was taken survives as text and as a clone, so both ends mean the same value.
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(structuredClone(value))));
        expect(checkJSON(structuredClone(value), PAYLOAD_BYTES)).toBe(text);
        expect(checkJSON(structuredClone(value), PAYLOAD_BYTES, true)).toBe(text);
        expect(checkJSON(JSON.parse(text), PAYLOAD_BYTES)).toBe(text);
      }),
      { numRuns: 4_000 },
    );
  });

  test("J9 what was heard is judged as if it were the page's own, with its text or without", () => {
    const verdict = (fn: () => unknown): unknown => {
      try {
        fn();
        return "ok";
      } catch (error) {
        return error instanceof NeutronError ? error.code : error;
      }
    };
    const sparse = fc.tuple(fc.nat(4), fc.boolean()).map(([length, more]) => Object.assign(new Array(length), more ? { x: 1 } : {}, { 1: "é" }));
    fc.assert(
      fc.property(fc.oneof(anything, fc.jsonValue({ noUnicodeString: false }), sparse, fc.array(sparse)), fc.nat(64), (value, max) => {
        let copy: unknown;
        try {
          copy = structuredClone(value);
        } catch {
          return;
        }
        for (const most of [max, PAYLOAD_BYTES]) {
          const plain = verdict(() => checkJSON(copy, most));
          expect([value, verdict(() => checkJSON(copy, most, true))]).toEqual([value, plain]);
          expect([value, verdict(() => judgeJSON(copy, most, true))]).toEqual([value, plain]);
          expect([value, verdict(() => judgeJSON(value, most))]).toEqual([value, verdict(() => checkJSON(value, most))]);
        }
      }),
      { numRuns: 4_000 },
    );
  });

  test("J1 all JSON that the kernel could read is taken", () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const text = JSON.stringify(value);
        const beyond = text.includes('"__proto__"') || /e-3(?:09|[12]\d)/.test(text) || /\\ud[89a-f]/.test(text);
        if (!beyond) expect(checkJSON(value, PAYLOAD_BYTES)).toBe(text);
      }),
      { numRuns: 2_000 },
    );
  });
});
