import { arena } from "../lib/arena.mjs";

export const title = "nothing of an app outlives its page or is shared with another";
export const engines = ["chromium", "webkit"];

export async function run(t) {
  const a = await arena(t);
  for (const [what, how] of Object.entries(await a.attack(() => hostile.storage()))) t.assert.match(how, /^refused/, `${what} opened`);

  // The same page with no cage around it.
  const control = await a.elsewhere(`${a.control.elsewhere}/app/index.html`, (d) => d.eval(() => hostile.storage()));
  const opened = Object.entries(control).filter(([, how]) => !how.startsWith("refused")).map(([what]) => what);
  for (const what of ["local", "session", "cookie", "idb"]) t.assert.ok(opened.includes(what), `the positive control could not open ${what}: ${JSON.stringify(control)}`);
  await a.unharmed();
}
