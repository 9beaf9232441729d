import { arena } from "../lib/arena.mjs";
import { raw } from "../lib/raw.mjs";

export const title = "blind posts and forms reach nothing";
export const engines = ["chromium", "webkit"];

export async function run(t) {
  const a = await arena(t);
  const before = (await a.cli("app", "list", "--json")).stdout;
  const label = new URL(await a.driver.evalIn("Hostile", () => location.origin)).host;
  for (const [port, host] of [[a.w.port, a.w.host], [a.s.port, label]])
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
      for (const path of ["/", "/link", "/index.html"])
        t.assert.ok((await raw(port, path, { host, origin: "null", "content-type": "text/plain" }, { method, body: "x" })).status >= 400, `${method} ${host}${path} was taken`);

  // From a page: what a browser itself sends.
  await a.elsewhere(`${a.control.base}/blank`, async (d) => {
    const post = (url) => fetch(url, { method: "POST", mode: "no-cors", body: "x" }).then(() => "sent", () => "refused");
    await d.eval(post, `${a.w.origin}/link`);
    t.assert.equal(await d.eval(post, `${a.control.base}/taken`), "sent");
    await d.eval((url) => {
      const f = Object.assign(document.createElement("form"), { method: "POST", action: url });
      document.body.append(f);
      f.submit();
    }, `${a.w.origin}/`);
    await t.until("the form's answer", async () => !(await d.text()).includes("elsewhere"));
    t.assert.ok(!(await d.eval(() => Boolean(document.querySelector("script")))), "a form post was given the shell");
  });
  t.assert.ok(a.control.requests.some((r) => r.method === "POST" && r.path === "/taken"), "the positive control's post did not arrive");
  t.assert.equal((await a.cli("app", "list", "--json")).stdout, before);
  await a.unharmed();
}
