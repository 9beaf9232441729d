import { arena } from "../lib/arena.mjs";

export const title = "no frame leads the shell away, opens a window, or reads its parent";
export const engines = ["chromium", "webkit"];

export async function run(t) {
  const a = await arena(t);
  const seen = await a.attack((url) => hostile.escape(url), `${a.control.base}/blank?escaped`);
  for (const what of ["popup", "shellDom", "shellHref"]) t.assert.match(seen[what], /^refused/, `${what}: ${JSON.stringify(seen)}`);
  t.assert.equal(seen.opener, "null");
  // Whatever was submitted or clicked has had its time when a later request of the same page came back.
  await a.driver.eval(() => fetch("/", { headers: { accept: "text/html" } }).catch(() => undefined));
  await a.unharmed();
  t.assert.deepEqual(a.control.requests.filter((r) => r.query === "?escaped"), [], "a request left the sandbox");

  const gone = await a.elsewhere(a.control.host("allow-scripts allow-top-navigation allow-forms allow-popups"), async (d) => {
    await d.sees("connected", { frame: "Hostile" });
    await d.evalIn("Hostile", (url) => { setTimeout(() => (top.location = url), 0); return 1; }, `${a.control.base}/blank?control`);
    await t.until("the page to be led away", async () => (await d.url()).includes("/blank?control"));
    return true;
  });
  t.assert.ok(gone, "the positive control did not work");
}
