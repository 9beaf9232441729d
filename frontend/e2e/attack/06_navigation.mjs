import { arena } from "../lib/arena.mjs";

export const title = "a frame that leaves its address is dead, and takes nobody along";
export const engines = ["chromium", "webkit"];

export async function run(t) {
  const a = await arena(t);
  const notes = await a.driver.evalIn("Notes", () => location.origin);
  const places = [`${a.control.elsewhere}/blank?left`, "data:text/html,<title>Elsewhere</title>", "blob:null/0", `${notes}/index.html`, "wails://wails/", `${a.w.origin}/`];
  for (const place of places) {
    await a.fresh();
    const mark = await a.attack((to) => (hostile.go(to), hostile.mark), place);
    const ended = await t.until(`the end of the frame that went to ${place}`, async () => (await a.driver.evalIn("Hostile", () => hostile.mark).catch(() => null)) !== mark, 2500).catch(() => false);
    // An address that the engine refuses before it leaves the old page leaves it as it was, with its one port.
    if (!ended) t.assert.equal((await a.driver.evalIn("Hostile", () => hostile.exec("ping", {})))?.type, "response", `after ${place} the frame neither ended nor lives`);
    t.assert.ok(!(await a.driver.frameTitles()).includes("Elsewhere"), `${place} was shown`);
  }
  t.assert.deepEqual(a.control.requests.filter((r) => r.query === "?left"), [], "a request left the sandbox");
  await a.unharmed();

  await a.inControl(async (d) => {
    await d.evalIn("Hostile", (to) => hostile.go(to), places[0]);
    await d.frameIs("Elsewhere");
  });
}
