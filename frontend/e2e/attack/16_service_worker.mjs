import { arena } from "../lib/arena.mjs";
import { asAsset, raw } from "../lib/raw.mjs";

export const title = "no service worker on an app's address";
export const engines = ["chromium", "webkit"];

export async function run(t) {
  const a = await arena(t);
  t.assert.match(await a.attack(() => hostile.storage().then((s) => s.worker)), /^refused/);
  const label = new URL(await a.driver.evalIn("Hostile", () => location.origin)).host;
  const script = await a.driver.evalIn("Hostile", () => new URL(document.querySelector("script[src]").src).pathname);
  t.assert.equal((await raw(a.s.port, script, asAsset(label))).status, 200, "the script itself is served");
  t.assert.equal((await raw(a.s.port, script, { ...asAsset(label), "service-worker": "script" })).status, 403);

  // A top document, for which no engine has a reason to refuse: with the sandbox gone a worker is registered.
  const control = await a.elsewhere(`${a.control.elsewhere}/app/index.html`, (d) => d.eval(() => navigator.serviceWorker.register("/app/sw.js").then(() => "registered", (e) => e.name)));
  t.assert.equal(control, "registered", "the positive control did not work");
  await a.unharmed();
}
