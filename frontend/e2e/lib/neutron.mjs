// The program under test.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { firstLine, root, start, stop } from "./process.mjs";

export const binaries = {
  serve: join(root, "build/bin/neutron-serve"),
  window: join(root, "build/bin/neutron-e2e"),
};

/** A data directory that is gone afterwards. */
export function dataDirectory() {
  const dir = mkdtempSync(join(tmpdir(), "neutron-e2e-"));
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

/** Starts `neutron serve` on a data directory. `workspace` holds a fresh one-time secret. */
export async function serve(data, { args = [], env = {}, bin = binaries.serve } = {}) {
  const child = start("serve", bin, ["serve", "--json", "--data", data, ...args], { env });
  const hello = JSON.parse(await firstLine(child));
  return { ...hello, child, stop: () => stop(child) };
}

/** Runs a command of the command line on that data directory. Never throws: tests judge code and text. */
export function cli(data, ...args) {
  return new Promise((done) =>
    execFile(binaries.serve, [...args, "--data", data], { cwd: root, timeout: 30_000 }, (error, stdout, stderr) =>
      done({ code: error ? (error.code ?? 1) : 0, stdout, stderr }),
    ),
  );
}
