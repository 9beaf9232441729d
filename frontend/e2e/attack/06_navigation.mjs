import { arena } from "../lib/arena.mjs";

export const title = "a frame that leaves its address is dead, and takes nobody along";

export async function run(t) {
  const a = await arena(t);
  const notes = await a.driver.evalIn("Notes", () => location.origin);
  const places = [`${a.control.elsewhere}/blank?left`, "data:text/html,<title>Elsewhere</title>", "blob:null/0", `${notes}/index.html`, "wails://wails/", `${a.w.origin}/`];
  for (const place of places) {
    await a.fresh();
    const mark = await a.attack((to) => (hostile.go(to), hostile.mark), place);
    await t.until(`the end of the frame that went to ${place}`, async () => {
      const still = await a.driver.evalIn("Hostile", () => hostile.mark).catch(() => null);
      if (still !== mark) return true;
      // An address that the engine refuses to load at all leaves the page where it was: no harm, and no end.
      return place.startsWith("wails:") || place.startsWith("blob:") || place.startsWith("data:") ? (await a.driver.evalIn("Hostile", () => hostile.exec("ping", {})))?.ok : false;
    });
    t.assert.ok(!(await a.driver.frameTitles()).includes("Elsewhere"), `${place} was shown`);
  }
  t.assert.deepEqual(a.control.requests.filter((r) => r.query === "?left"), [], "a request left the sandbox");
  await a.unharmed();

  await a.inControl(async (d) => {
    await d.evalIn("Hostile", (to) => hostile.go(to), places[0]);
    await d.frameIs("Elsewhere");
  });
}
