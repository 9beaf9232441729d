import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { firstLine, root, start, stop } from "../lib/process.mjs";
import { median, record } from "../lib/record.mjs";

export const title = "start to interactive against an empty Wails window";
export const engines = ["window"];

/** Milliseconds from the start of a program until `ready`. */
async function timed(display, command, env, ready) {
  const begin = performance.now();
  const child = start("start", command, [], { env: { ...display.env, ...env } });
  await ready(child);
  const ms = performance.now() - begin;
  await stop(child);
  return ms;
}

/** The log says when the shell attached: from then on it draws and answers. */
async function attached(data) {
  const file = join(data, "logs/neutron.log");
  for (const end = Date.now() + 20_000; Date.now() < end; ) {
    try {
      if (readFileSync(file, "utf8").includes("a shell attached")) return;
    } catch {
      /* not there yet */
    }
    await new Promise((done) => setTimeout(done, 4));
  }
  throw new Error("no shell attached");
}

export async function run(t) {
  const rounds = [];
  for (let i = 0; i < 8; i++) {
    const data = mkdtempSync(join(tmpdir(), "neutron-start-"));
    const empty = await timed(t.display, join(root, "build/bin/empty-window"), {}, (child) => firstLine(child));
    const full = await timed(t.display, join(root, "build/bin/neutron"), { NEUTRON_DATA: data }, () => attached(data));
    rmSync(data, { recursive: true, force: true });
    if (i > 0) rounds.push({ empty, full });
  }
  const floor = median(rounds.map((r) => r.empty));
  const value = median(rounds.map((r) => r.full));
  record({ name: "Start to interactive", floor: "empty Wails window", floorValue: `${Math.round(floor)} ms`, value: `${Math.round(value)} ms`, ratio: value / floor, goal: 1.6 });
}
