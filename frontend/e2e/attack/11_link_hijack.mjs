import { arena } from "../lib/arena.mjs";
import { raw } from "../lib/raw.mjs";

export const title = "neither a web page nor an app opens the kernel's socket";
export const engines = ["chromium", "webkit"];

export async function run(t) {
  const a = await arena(t);
  const link = `${a.w.origin}/link`;
  const opens = (url) =>
    new Promise((done) => {
      const s = new WebSocket(url.replace("http", "ws"));
      s.onopen = () => done("open");
      s.onerror = () => done("refused");
    });
  for (const page of [`${a.control.base}/blank`, `${a.control.elsewhere}/blank`])
    await a.elsewhere(page, async (d) => {
      t.assert.equal(await d.eval(opens, link), "refused", `${page} opened the link`);
      t.assert.equal(await d.eval(opens, a.control.base), "open", "the positive control could not open a socket");
    });
  const frame = await a.attack((url) => hostile.reach(url), link);
  t.assert.match(frame.ws, /^refused/);

  const upgrade = { host: a.w.host, connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13", "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==" };
  for (const origin of ["null", a.control.base, a.w.origin.toUpperCase(), `${a.w.origin}/`, "http://localhost", "wails://wails", undefined])
    t.assert.ok((await raw(a.w.port, "/link", { ...upgrade, ...(origin ? { origin } : {}) })).status >= 400, `an upgrade with Origin ${origin} was taken`);
  await a.unharmed();
}
