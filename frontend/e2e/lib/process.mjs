// Child processes of the tests: started in their own group, ended when the test ends, whatever happened.
import { spawn } from "node:child_process";
import { createWriteStream, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";

export const root = resolve(import.meta.dirname, "../../..");
export const out = join(root, "build/out");
const live = new Set();

function endAll() {
  for (const child of live)
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      /* it was gone */
    }
}
process.on("exit", endAll);
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(130));

/** Starts a program; its stderr, and stdout from `keep` on, go to build/out/log/<log>.log. */
export function start(log, command, args, { env = {}, stdout = "pipe", extra = [] } = {}) {
  mkdirSync(join(out, "log"), { recursive: true });
  const child = spawn(command, args, { cwd: root, env: { ...process.env, ...env }, detached: true, stdio: ["ignore", stdout, "pipe", ...extra] });
  child.stderr.pipe(createWriteStream(join(out, "log", `${log}.log`), { flags: "a" }));
  live.add(child);
  child.ended = new Promise((done) => child.once("exit", (code, signal) => (live.delete(child), done({ code, signal }))));
  child.once("error", (e) => console.error(`${command}: ${e.message}`));
  return child;
}

/** Ends a program and all it started: politely first. Resolves with how it ended. */
export async function stop(child, patience = 5000) {
  if (!child || child.exitCode !== null || child.signalCode !== null) return child?.ended;
  process.kill(-child.pid, "SIGTERM");
  const late = setTimeout(() => {
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      /* it was gone */
    }
  }, patience);
  const how = await child.ended;
  clearTimeout(late);
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    /* nothing of it was left */
  }
  return how;
}

/** The first line that a program writes to a stream. */
export function firstLine(child, stream = child.stdout, ms = 20_000) {
  return new Promise((ok, no) => {
    let text = "";
    const timer = setTimeout(() => no(new Error(`${child.spawnfile} said nothing in ${ms} ms`)), ms);
    stream.on("data", (d) => {
      text += d;
      const end = text.indexOf("\n");
      if (end < 0) return;
      clearTimeout(timer);
      ok(text.slice(0, end));
    });
    void child.ended?.then(({ code }) => no(new Error(`${child.spawnfile} ended with ${code} before it said anything`)));
  });
}

/** Asks again until the answer is truthy. The only waiting there is: for a condition, with an end. */
export async function until(what, ask, ms = 10_000) {
  const end = Date.now() + ms;
  let last;
  for (;;) {
    try {
      const value = await ask();
      if (value) return value;
      last = undefined;
    } catch (e) {
      last = e;
    }
    if (Date.now() > end) throw new Error(`waited ${ms} ms for ${what}${last ? `; last: ${last.message}` : ""}`);
    await new Promise((done) => setTimeout(done, 30));
  }
}
