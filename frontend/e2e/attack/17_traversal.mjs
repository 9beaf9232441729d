import { arena } from "../lib/arena.mjs";
import { asAsset, asPage, raw } from "../lib/raw.mjs";

export const title = "no path leads out of the package";
export const engines = ["chromium"];

export async function run(t) {
  const a = await arena(t);
  const label = new URL(await a.driver.evalIn("Hostile", () => location.origin)).host;
  const script = await a.driver.evalIn("Hostile", () => new URL(document.querySelector("script[src]").src).pathname);
  t.assert.equal((await raw(a.s.port, script, asAsset(label))).status, 200, "the control: a real file is served");
  const ups = ["..", "%2e%2e", ".%2e", "%2e.", "%252e%252e", "..%2f", "..%5c", "..\\", "%c0%ae%c0%ae", "....//"];
  const files = ["etc/passwd", "neutron.db", "neutron.json"];
  const paths = ups.flatMap((up) => files.flatMap((f) => [1, 3, 8].map((n) => `/${Array(n).fill(up).join("/")}/${f}`)));
  paths.push("//etc/passwd", "/etc/passwd", "/C:/windows/win.ini", "/\\\\server\\share", `${script}%00.js`, `${script}::$DATA`, `${script}/`, `/.${script}`, `/assets/..${script}`, "/assets/", "/%2f%2fetc/passwd", "/?/../../etc/passwd");
  for (const path of paths) {
    const { status, body } = await raw(a.s.port, path, asAsset(label));
    t.assert.ok(status >= 400, `${path} was served with ${status}`);
    t.assert.ok(!body.includes("root:"), `${path} gave away a file of the system`);
  }
  for (const path of ups.map((up) => `/${up}/${up}/${up}/etc/passwd`)) t.assert.ok((await raw(a.w.port, path, asPage(a.w.host))).status >= 400, `the shell served ${path}`);
}
