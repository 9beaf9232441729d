import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exactPieces, visible } from "./exactTokens";

const text = (json: string): string => exactPieces(json).map((p) => p.text).join("");
const bare = (s: string): string => s.replace(/\s/g, "");

describe("exact data", () => {
  test("numbers stay as they were sent", () => {
    const json = '{"a":1.0,"b":12345678901234567890,"c":1e-7,"d":-0}';
    for (const literal of ["1.0", "12345678901234567890", "1e-7", "-0"]) expect(exactPieces(json)).toContainEqual({ kind: "number", text: literal });
  });

  test("strings keep their own escapes", () => {
    expect(text('{"a":"x\\u0041\\n\\"}"}')).toContain('"x\\u0041\\n\\"}"');
  });

  test("both of two equal keys are shown", () => {
    expect(text('{"a":1,"a":2}').match(/"a"/g)).toHaveLength(2);
  });

  test("hidden characters show as escapes of another kind", () => {
    const pieces = exactPieces('{"file":"a\u202egnp.exe","z":"\u200b"}');
    expect(pieces).toContainEqual({ kind: "escape", text: "\\u202e" });
    expect(pieces).toContainEqual({ kind: "escape", text: "\\u200b" });
    expect(pieces.map((p) => p.text).join("")).not.toMatch(/[\u202e\u200b]/);
  });

  test("a character outside the plane is escaped as its two halves", () => {
    expect(visible("\u{e0041}", "string")).toEqual([{ kind: "escape", text: "\\udb40\\udc41" }]);
    expect(visible("ok 👍 ü 漢", "string")).toEqual([{ kind: "string", text: "ok 👍 ü 漢" }]);
  });

  test("text that is no JSON is shown as it is", () => {
    expect(text('{"a":')).toBe('{"a":');
    expect(text("")).toBe("");
  });

  test("short arrays stay on a line, objects do not", () => {
    expect(text('{"a":["x","y"],"b":{"c":1}}')).toBe('{\n  "a": ["x", "y"],\n  "b": {\n    "c": 1\n  }\n}');
    expect(text("{}")).toBe("{}");
    expect(text("[[],{}]")).toBe("[\n  [],\n  {}\n]");
  });

  test("only white space is ours, for any JSON", () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        // Hidden characters are escaped; undo that before comparing.
        const shown = exactPieces(json)
          .map((p) => (p.kind === "escape" ? p.text.replace(/\\u([0-9a-f]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))) : p.text))
          .join("");
        expect(bare(shown)).toBe(bare(json));
      }),
    );
  });
});
