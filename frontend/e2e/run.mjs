// Runs a suite in an engine: node frontend/e2e/run.mjs <story|attack|trace|port|broker> --engine <chromium|webkit|window> [--only text]
// Each test prints one line; the last line counts them.
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openDisplay } from "./lib/display.mjs";
import { out } from "./lib/process.mjs";
import { Test } from "./lib/test.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { engine: { type: "string", default: "chromium" }, only: { type: "string", default: "" } },
});
const suite = positionals[0] ?? "story";
const dir = join(import.meta.dirname, suite);
if (!existsSync(dir)) throw new Error(`there is no suite ${suite}`);
mkdirSync(join(out, "pictures", values.engine), { recursive: true });

const files = readdirSync(dir).filter((f) => /^\d\d_.*\.mjs$/.test(f) && f.includes(values.only)).sort();
const display = await openDisplay();
const bed = { engine: values.engine, display, shared: {} };
let passed = 0;
let failed = 0;
for (const file of files) {
  const module = await import(join(dir, file));
  if (module.engines && !module.engines.includes(values.engine)) continue;
  const test = new Test(bed, file.replace(".mjs", ""));
  const begin = Date.now();
  try {
    await module.run(test);
    passed += 1;
    console.log(`ok    ${test.name}: ${module.title} (${Date.now() - begin} ms)`);
  } catch (e) {
    failed += 1;
    console.log(`FAIL  ${test.name}: ${module.title}\n${test.trail()}\n${e.stack ?? e}`);
    await test.failed();
  } finally {
    await test.end();
  }
}
await bed.shared.close?.();
await display.close();
if (passed + failed === 0) {
  console.log(`no test of ${suite} is for ${values.engine}`);
  failed = 1;
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
