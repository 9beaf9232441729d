import { arena } from "../lib/arena.mjs";

export const title = "nothing of an app outlives its page or is shared with another";

export async function run(t) {
  const a = await arena(t);
  for (const [what, how] of Object.entries(await a.attack(() => hostile.storage()))) t.assert.match(how, /^refused/, `${what} opened`);

  const control = await a.inControl((d) => d.evalIn("Hostile", () => hostile.storage()), "allow-scripts allow-same-origin");
  const opened = Object.entries(control).filter(([, how]) => !how.startsWith("refused")).map(([what]) => what);
  for (const what of t.engine === "webkit" ? ["local", "session", "idb"] : ["session", "shared"]) t.assert.ok(opened.includes(what), `the positive control could not open ${what}: ${JSON.stringify(control)}`);
  await a.unharmed();
}
