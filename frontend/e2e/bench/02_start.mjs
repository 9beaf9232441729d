import { join } from "node:path";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { firstLine, root, start, stop } from "../lib/process.mjs";
import { median, record } from "../lib/record.mjs";

export const title = "start to interactive against an empty Wails window";
export const engines = ["window"];

/** Milliseconds from the start of a program to the first line it prints. */
async function toFirstLine(display, command, args, env) {
  const begin = performance.now();
  const child = start("start", command, args, { env: { ...display.env, ...env } });
  await firstLine(child);
  const ms = performance.now() - begin;
  await stop(child);
  return ms;
}

export async function run(t) {
  const rounds = [];
  for (let i = 0; i < 8; i++) {
    const data = mkdtempSync(join(tmpdir(), "neutron-start-"));
    const empty = await toFirstLine(t.display, join(root, "build/bin/empty-window"), [], {});
    const full = await toFirstLine(t.display, join(root, "build/bin/neutron-ready"), [], { NEUTRON_DATA: data });
    rmSync(data, { recursive: true, force: true });
    if (i > 0) rounds.push({ empty, full });
  }
  const floor = median(rounds.map((r) => r.empty));
  const value = median(rounds.map((r) => r.full));
  record({ name: "Start to interactive", floor: "empty Wails window", floorValue: `${Math.round(floor)} ms`, value: `${Math.round(value)} ms`, ratio: value / floor, goal: 1.6 });
}
