import { createServer } from "node:http";
import { join } from "node:path";
import { build } from "vite";
import { openDriver } from "../lib/driver.mjs";

export const title = "the port's contract holds over this engine's own message ports";
export const engines = ["chromium", "webkit"];

export async function run(t) {
  const root = join(import.meta.dirname, "../..");
  const lib = { entry: join(root, "src/port/contract.ts"), formats: ["es"], fileName: () => "contract.js" };
  const out = await build({ configFile: false, root, logLevel: "silent", build: { write: false, lib } });
  const { code } = (Array.isArray(out) ? out[0] : out).output[0];
  const page = createServer((request, response) => {
    const script = request.url === "/contract.js";
    response.setHeader("content-type", script ? "text/javascript" : "text/html");
    response.end(script ? code : "<!doctype html><title>Contract</title>");
  });
  await new Promise((done) => page.listen(0, "127.0.0.1", done));
  const driver = await openDriver(t.engine, t.display, { url: `http://127.0.0.1:${page.address().port}/` });
  try {
    const failures = await driver.eval(async () => {
      const { contract, openWire } = await import("/contract.js");
      const failed = [];
      // A case with a throwing consumer reports it to the page on purpose.
      addEventListener("error", (event) => event.preventDefault());
      for (const one of contract) {
        const { wire, close } = openWire();
        const late = new Promise((_, no) => setTimeout(() => no(new Error("nothing came")), 5_000));
        await Promise.race([one.run(wire), late]).catch((error) => failed.push(`${one.rule} ${one.title}: ${error.message}`));
        close();
      }
      return contract.length > 40 ? failed : [`only ${contract.length} cases ran`];
    });
    t.assert.deepEqual(failures, []);
  } finally {
    await driver.close();
    page.close();
  }
}
