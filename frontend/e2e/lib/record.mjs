// The numbers of make bench: one file a run, rendered into docs/bench.md.
import { mkdirSync, readdirSync as readdir, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { out } from "./process.mjs";

const file = join(out, "bench.json");

export function median(list) {
  const sorted = [...list].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

export function records() {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return [];
  }
}

/** Keeps one ratio; a later one of the same name replaces it. */
export function record(row) {
  mkdirSync(out, { recursive: true });
  writeFileSync(file, JSON.stringify([...records().filter((r) => r.name !== row.name), row], null, 1));
  console.log(`      ${row.name}: ${row.value} against ${row.floorValue}, ratio ${row.ratio.toFixed(2)}, goal ${row.goal}`);
}

/** PSS of a process and all below it, in MiB. */
export function memory(pid) {
  const ppid = (p) => Number(/^\d+ \(.*\) \S (\d+)/s.exec(readFileSync(`/proc/${p}/stat`, "utf8"))?.[1]);
  const all = new Map();
  for (const name of readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      all.set(Number(name), ppid(name));
    } catch {
      /* it ended while it was read */
    }
  }
  const mine = new Set([pid]);
  for (let grew = true; grew; ) {
    grew = false;
    for (const [p, parent] of all) if (!mine.has(p) && mine.has(parent)) mine.add(p), (grew = true);
  }
  let kib = 0;
  const parts = [];
  for (const p of mine)
    try {
      const pss = Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${p}/smaps_rollup`, "utf8"))?.[1] ?? 0);
      kib += pss;
      parts.push(`${readFileSync(`/proc/${p}/comm`, "utf8").trim()} ${Math.round(pss / 1024)}`);
    } catch {
      /* a process of another owner, or gone */
    }
  return { mib: kib / 1024, processes: mine.size, parts };
}
