import { readFileSync, readdirSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { beforeAll, describe, expect, test } from "vitest";

const frontend = new URL("../..", import.meta.url).pathname;
let code = "";

beforeAll(async () => {
  const out = await build({ root: frontend, mode: "sdk", logLevel: "silent", build: { write: false } });
  const bundle = Array.isArray(out) ? out[0] : out;
  if (bundle === undefined || !("output" in bundle)) throw new Error("no bundle");
  expect(bundle.output.length).toBe(1);
  code = bundle.output[0].type === "chunk" ? bundle.output[0].code : "";
}, 60_000);

describe("the SDK's one file", () => {
  test("is under 20 kB gzipped", () => {
    expect(code.length).toBeGreaterThan(5_000);
    expect(gzipSync(code).length).toBeLessThan(20_000);
  });

  test("makes no code from text and imports nothing", () => {
    expect(code).not.toMatch(/\beval\s*\(|new Function\b|\bFunction\s*\(|setTimeout\(\s*["'`]/);
    // The shim's worker source imports by design; nothing else may.
    expect(code.replace(/`import\(\$\{[^`]*`/g, "")).not.toMatch(/(?:^|[;\n])\s*import\b|\bimport\s*\(/);
  });

  test("says ready when a page imports it, and exports the names of the documentation", async () => {
    const sdk = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as Record<string, unknown>;
    expect(Object.keys(sdk).sort()).toEqual([
      "NeutronError",
      "callTool",
      "compareRevisions",
      "createMsgBusClient",
      "exposeTool",
      "hostContext",
      "onAppStateChange",
      "onHostContext",
      "publishAppStateChange",
      "removeExposedTool",
      "store",
      "watchState",
    ]);
    const docs = readFileSync(`${frontend}/../docs/sdk.md`, "utf8");
    for (const name of Object.keys(sdk)) expect(docs).toContain(name);
  });

  test("has a sentence on every export", () => {
    for (const file of readdirSync(`${frontend}/sdk/src`)) {
      const text = readFileSync(`${frontend}/sdk/src/${file}`, "utf8");
      for (const [, before, name] of text.matchAll(/([^\n]*)\nexport (?:async )?(?:function|class|const|interface|type) (\w+)/g)) {
        expect([file, name, /\*\/$|^\/\*\* .*\*\/$/.test(before?.trim() ?? "")]).toEqual([file, name, true]);
      }
    }
  });
});
