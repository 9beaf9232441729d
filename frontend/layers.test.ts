import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { describe, expect, test } from "vitest";

// Which part may import which. A part is a folder under src, or the SDK. What is
// not listed is not allowed; a new folder needs a row and a reason.
const screens = ["wire", "link", "broker", "design"];
const edges: Record<string, readonly string[]> = {
  wire: [],
  port: [],
  sdk: ["port"],
  link: ["wire"],
  broker: ["wire", "port", "link"],
  design: [],
  consent: screens,
  audit: screens,
  settings: screens,
  install: screens,
  launcher: screens,
  shell: [...screens, "consent", "audit", "settings", "install", "launcher"],
  main: [...screens, "shell", "consent", "audit", "settings", "install", "launcher"],
};

// Packages that a part may import besides those every screen may (react and friends).
const screenPackages = ["react", "react-dom", "@base-ui/react", "cmdk", "lucide-react", "@fontsource-variable/inter", "@fontsource-variable/jetbrains-mono"];
const packages: Record<string, readonly string[]> = {
  wire: ["@bufbuild/protobuf"],
  port: [],
  sdk: [],
  link: ["@bufbuild/protobuf"],
  broker: ["@bufbuild/protobuf"],
};
for (const part of Object.keys(edges)) packages[part] ??= [...screenPackages, "@bufbuild/protobuf"];

const root = import.meta.dirname;

function* sources(dir: string): Generator<string> {
  for (const entry of readdirSync(join(root, dir), { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== "node_modules" && entry.name !== "dist") yield* sources(path);
    } else if (/\.tsx?$/.test(entry.name) && !entry.name.endsWith(".d.ts")) yield path;
  }
}

/** partOf names the part that a path belongs to: a folder of src, the SDK, or main for the entry. */
function partOf(path: string): string {
  const parts = path.split("/");
  if (parts[0] === "sdk") return "sdk";
  return parts.length > 2 ? (parts[1] ?? "") : "main";
}

/** importsOf lists the module names of a file: static, dynamic, type-only and re-exports alike. */
export function importsOf(text: string): string[] {
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\b[^;"'=]*?\bfrom\s*["']([^"']+)["']|(?:^|\n)\s*import\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/g,
  );
  return [...found].map((m) => m[1] ?? m[2] ?? m[3] ?? "");
}

/** breaches judges one file against the tables. */
export function breaches(path: string, text: string): string[] {
  const part = partOf(path);
  const isTest = /\.test\.tsx?$/.test(path) || path.includes("/test/");
  const out: string[] = [];
  if (!(part in edges)) return [`${path}: the part "${part}" has no row in layers.test.ts`];
  for (const name of importsOf(text)) {
    if (name.startsWith(".")) {
      const to = partOf(relative(root, normalize(join(root, dirname(path), name))));
      if (to !== part && !edges[part]?.includes(to)) out.push(`${path}: ${part} may not import ${to} (${name})`);
    } else if (!isTest && !name.startsWith("node:")) {
      const base = name.startsWith("@") ? name.split("/").slice(0, 2).join("/") : (name.split("/")[0] ?? "");
      if (!packages[part]?.includes(base)) out.push(`${path}: ${part} may not import the package ${base}`);
    } else if (!isTest) out.push(`${path}: ${name} does not exist in a browser`);
  }
  if (!path.startsWith("src/wire/") && /^export default\b/m.test(text)) out.push(`${path}: default export`);
  if (/[:<(,]\s*any\b(?!\w)/.test(text.replace(/\/\/.*|\/\*[\s\S]*?\*\/|"[^"\n]*"|`[^`]*`/g, ""))) out.push(`${path}: any`);
  if (!isTest && !path.startsWith("src/wire/") && text.split("\n").length > 600) out.push(`${path}: over 600 lines`);
  return out;
}

describe("layers", () => {
  const all = [...sources("src"), ...sources("sdk")];

  test("every import goes down the table", () => {
    expect(all.flatMap((path) => breaches(path, readFileSync(join(root, path), "utf8")))).toEqual([]);
  });

  test("the check sees each kind of breach", () => {
    const seen = (path: string, text: string): number => breaches(path, text).length;
    expect(seen("sdk/src/x.ts", 'import { a } from "../../src/port/rpc";')).toBe(0);
    expect(seen("sdk/src/x.ts", 'import { a } from "../../src/broker/broker";')).toBe(1);
    expect(seen("src/port/x.ts", 'export { a } from "../wire/x";')).toBe(1);
    expect(seen("src/port/x.ts", 'import type { a } from "react";')).toBe(1);
    expect(seen("src/port/x.ts", 'const a = await import("../link/x");')).toBe(1);
    expect(seen("src/broker/x.ts", 'import {\n  a,\n  b,\n} from "../shell/x";')).toBe(1);
    expect(seen("src/port/x.ts", 'import { a } from "node:fs";')).toBe(1);
    expect(seen("src/elsewhere/x.ts", "")).toBe(1);
    expect(seen("src/port/x.ts", "export default 1;")).toBe(1);
    expect(seen("src/port/x.ts", "const a: any = 1;")).toBe(1);
    expect(seen("src/port/x.ts", "// takes any value\nconst any1 = 1;")).toBe(0);
  });
});
