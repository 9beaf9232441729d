import { arena } from "../lib/arena.mjs";
import { asAsset, asPage, raw } from "../lib/raw.mjs";

export const title = "a listener answers to its literal name only";
export const engines = ["chromium"];

export async function run(t) {
  const a = await arena(t);
  const label = new URL(await a.driver.evalIn("Hostile", () => location.origin)).host;
  const asset = await a.driver.evalIn("Hostile", () => new URL(document.querySelector("script[src]").src).pathname);
  t.assert.equal((await raw(a.w.port, "/", asPage(a.w.host))).status, 200, "the right name of the shell");
  t.assert.equal((await raw(a.s.port, asset, asAsset(label))).status, 200, "the right name of the app");

  const port = a.w.port;
  for (const host of [`localhost:${port}`, `attacker.example:${port}`, "127.0.0.1", `127.0.0.1:${Number(port) + 1}`, `127.0.0.1.attacker.example:${port}`, `[::1]:${port}`, ""])
    for (const path of ["/", "/link"]) t.assert.ok((await raw(port, path, asPage(host))).status >= 400, `the shell answered to ${host}${path}`);
  const s = a.s.port;
  const name = label.split(".")[0];
  for (const host of [`127.0.0.1:${s}`, `localhost:${s}`, `x.${label}`, `${name}.localhost`, `${name}x.localhost:${s}`, `${name}.attacker.example:${s}`])
    t.assert.ok((await raw(s, asset, asAsset(host))).status >= 400, `the sandbox answered to ${host}`);

  t.assert.equal((await raw(a.control.port, "/", { host: "attacker.example" })).status, 200, "the positive control refused a foreign name");
}
