import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { MESSAGE_MAX } from "./fault";
import { ACTION_MAX } from "./envelope";
import { JSON_DEPTH, JSON_MEMBERS, JSON_NODES, PAYLOAD_BYTES, PROGRESS_BYTES } from "./json";
import { PROGRESS_EVENTS } from "./peer";
import { PORT_VERSION } from "./version";

const here = import.meta.dirname;
const frontend = join(here, "../..");
const spec = readFileSync(join(here, "SPEC.md"), "utf8");
const rules = [...spec.matchAll(/^- \*\*([A-Z]\d+)\*\* /gm)].map((m) => m[1] ?? "");

function files(dir: string, wanted: RegExp): string[] {
  return readdirSync(dir, { recursive: true, encoding: "utf8" })
    .filter((name) => wanted.test(name) && !name.includes("node_modules") && !name.startsWith("dist"))
    .map((name) => join(dir, name));
}

/** cited lists the rules that tests name: at the start of a title, or as the rule of a case of the contract. */
function cited(): string[] {
  const texts = [...files(join(frontend, "src"), /\.test\.tsx?$|contract\.ts$/), ...files(join(frontend, "sdk"), /\.test\.ts$/)].map((path) =>
    readFileSync(path, "utf8"),
  );
  return texts.flatMap((text) =>
    [...text.matchAll(/\b(?:test|it)(?:\.each\([^)]*\))?\(\s*["'`]([A-Z]\d+)\b|rule: "([A-Z]\d+)"/g)].map((m) => m[1] ?? m[2] ?? ""),
  );
}

describe("SPEC.md", () => {
  test("every rule has a test, and every test cites a rule", () => {
    const tested = new Set(cited());
    expect(rules.filter((rule) => !tested.has(rule))).toEqual([]);
    expect([...tested].filter((rule) => !rules.includes(rule))).toEqual([]);
    expect(rules.length).toBeGreaterThan(40);
    expect(new Set(rules).size).toBe(rules.length);
  });

  test("its version is the code's version", () => {
    expect(/^Version: (\d+)$/m.exec(spec)?.[1]).toBe(String(PORT_VERSION));
  });

  test("the numbers are the kernel's", () => {
    const go = readFileSync(join(frontend, "../kernel/limit/limit.go"), "utf8");
    const limit = (name: string): number => {
      const text = new RegExp(`^\\s*${name}\\s*=\\s*([\\d_]+)(?:\\s*<<\\s*(\\d+))?`, "m").exec(go);
      return Number(text?.[1]?.replaceAll("_", "")) * 2 ** Number(text?.[2] ?? 0);
    };
    expect({ PAYLOAD_BYTES, JSON_DEPTH, JSON_NODES, JSON_MEMBERS, PROGRESS_BYTES, PROGRESS_EVENTS, MESSAGE_MAX, ACTION_MAX }).toEqual({
      PAYLOAD_BYTES: limit("PayloadBytes"),
      JSON_DEPTH: limit("JSONDepth"),
      JSON_NODES: limit("JSONNodes"),
      JSON_MEMBERS: limit("JSONMembers"),
      PROGRESS_BYTES: limit("ProgressBytes"),
      PROGRESS_EVENTS: limit("ProgressEvents"),
      MESSAGE_MAX: limit("ErrorMessage"),
      ACTION_MAX: limit("ActionName"),
    });
  });

  test("G1 port and SDK reach for the platform only through primitives.ts", () => {
    const foreign =
      /\bJSON\.|\bObject\.(?:keys|getPrototypeOf|getOwnPropertyDescriptor)|\bReflect\.|\bArray\.isArray|(?<![.#\w])(?:setTimeout|clearTimeout)\(|\bcrypto\.|\.(?:postMessage|start)\(/;
    const sources = [...files(here, /^(?!.*(?:contract|\.test)\.ts).*\.ts$/), ...files(join(frontend, "sdk/src"), /\.ts$/)];
    const breaches = sources
      // The handshake posts on windows, which are another realm's; the shim's text runs in a worker's.
      .filter((path) => !/(?:primitives|handshake|workerShim)\.ts$/.test(path))
      .filter((path) => foreign.test(readFileSync(path, "utf8").replace(/\/\/.*|\/\*[\s\S]*?\*\//g, "")));
    expect(breaches).toEqual([]);
    expect(sources.length).toBeGreaterThan(10);
    // The check sees what it looks for.
    expect(foreign.test("port.postMessage(1)") && foreign.test("JSON.stringify(x)") && foreign.test(" setTimeout(f)")).toBe(true);
  });
});
