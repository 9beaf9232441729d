// WebKitGTK by WebDriver: MiniBrowser for the engine alone, the real window for everything else.
import { createServer } from "node:net";
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { out, start, stop, until } from "./process.mjs";

const elementKey = "element-6066-11e4-a52e-4f735466cecf";
const keys = { Enter: "\uE007", Escape: "\uE00C", Tab: "\uE004", Backspace: "\uE003", Delete: "\uE017", ArrowDown: "\uE015", ArrowUp: "\uE013", Alt: "\uE00A", Control: "\uE009", Shift: "\uE008", Meta: "\uE03D", F6: "\uE036", F8: "\uE038" };

function freePort() {
  return new Promise((done) => {
    const s = createServer().listen(0, "127.0.0.1", () => {
      const { port } = s.address();
      s.close(() => done(port));
    });
  });
}

/** A WebDriver session; `binary` is what it starts. */
async function session(display, log, binary, args, env) {
  const port = await freePort();
  const driver = start(log, "WebKitWebDriver", [`--port=${port}`], { env: { ...display.env, ...env }, stdout: "ignore" });
  const base = `http://127.0.0.1:${port}`;
  const request = async (method, path, body) => {
    const answer = await fetch(base + path, { method, signal: AbortSignal.timeout(40_000), ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    const json = await answer.json();
    if (!answer.ok) throw new Error(`${path.split("/").slice(3).join("/")}: ${json.value?.error} ${json.value?.message ?? ""}`.slice(0, 400));
    return json.value;
  };
  await until("WebKitWebDriver", () => request("GET", "/status"));
  let made;
  try {
    made = await request("POST", "/session", { capabilities: { alwaysMatch: { "webkitgtk:browserOptions": { binary, args } } } });
  } catch (e) {
    await stop(driver, 2000);
    throw e;
  }
  const path = `/session/${made.sessionId}`;
  const call = (method, rest, body) => request(method, path + rest, body);
  await call("POST", "/timeouts", { script: 30_000, pageLoad: 30_000 });
  return {
    call,
    async close() {
      // The program goes with the session; WebKitWebDriver then answers "no such window", which is not a failure.
      await call("DELETE", "").catch(() => undefined);
      await stop(driver, 2000);
    },
  };
}

function page({ call, close }, extra) {
  // All work goes through one queue: a frame that was switched to must stay so until its script answered.
  let tail = Promise.resolve();
  const inOrder = (work) => (tail = tail.then(work, work));
  const top = () => call("POST", "/frame", { id: null });
  const script = async (fn, args) => {
    const answer = await call("POST", "/execute/async", {
      script: `const done = arguments[arguments.length - 1]; Promise.resolve().then(() => (${fn})(...Array.prototype.slice.call(arguments, 0, -1))).then(v => done({ ok: v === undefined ? null : v }), e => done({ error: String(e && e.stack || e) }));`,
      args,
    });
    if (answer?.error) throw new Error(answer.error);
    return answer?.ok;
  };
  const elements = () => call("POST", "/elements", { using: "css selector", value: "iframe" });
  const within = async (title, work) => {
    for (const element of await elements()) {
      try {
        await call("POST", "/frame", { id: element });
        if ((await script(() => document.title, [])) === title) return await work(element);
      } finally {
        await top();
      }
    }
    throw new Error(`no frame is titled ${title}`);
  };
  const pointer = (x, y, click) =>
    call("POST", "/actions", {
      actions: [
        {
          type: "pointer",
          id: "mouse",
          parameters: { pointerType: "mouse" },
          actions: [
            { type: "pointerMove", duration: 0, x: Math.round(x), y: Math.round(y), origin: "viewport" },
            ...(click ? [{ type: "pointerDown", button: 0 }, { type: "pointerUp", button: 0 }] : []),
          ],
        },
      ],
    });
  const wheel = (x, y, deltaY) => call("POST", "/actions", { actions: [{ type: "wheel", id: "wheel", actions: [{ type: "scroll", x: Math.round(x), y: Math.round(y), deltaX: 0, deltaY, duration: 0, origin: "viewport" }] }] });
  const press = (combo) => {
    const parts = combo.split("+").map((k) => keys[k] ?? k);
    return call("POST", "/actions", {
      actions: [{ type: "key", id: "keys", actions: [...parts.map((value) => ({ type: "keyDown", value })), ...parts.reverse().map((value) => ({ type: "keyUp", value }))] }],
    });
  };
  return {
    errors: [],
    goto: (to) => inOrder(() => call("POST", "/url", { url: to })),
    reload: () => inOrder(() => call("POST", "/refresh", {})),
    url: () => inOrder(() => call("GET", "/url")),
    eval: (fn, ...args) => inOrder(() => script(fn, args)),
    frameTitles: () =>
      inOrder(async () => {
        const titles = [];
        for (const element of await elements()) {
          try {
            await call("POST", "/frame", { id: element });
            titles.push(await script(() => document.title, []));
          } catch {
            /* it went while it was asked */
          } finally {
            await top();
          }
        }
        return titles;
      }),
    evalIn: (title, fn, ...args) => inOrder(() => within(title, () => script(fn, args))),
    frameBox: (title) =>
      inOrder(async () => {
        const element = await within(title, (e) => e);
        return script((e) => { const r = e.getBoundingClientRect(); return { x: r.x, y: r.y, width: r.width, height: r.height }; }, [{ [elementKey]: element[elementKey] }]);
      }),
    mouse: (x, y, { click = true } = {}) => inOrder(() => pointer(x, y, click)),
    wheel: (x, y, dy) => inOrder(() => wheel(x, y, dy)),
    press: (key) => inOrder(() => press(key)),
    type: (text) => inOrder(async () => { for (const c of text) await press(c); }),
    size: (width, height) => inOrder(() => call("POST", "/window/rect", { width, height })),
    async theme() {},
    shot: (file) => inOrder(async () => writeFileSync(file, Buffer.from(await call("GET", "/screenshot"), "base64"))),
    close,
    ...extra,
  };
}

const miniBrowsers = ["/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser", "/usr/lib/aarch64-linux-gnu/webkit2gtk-4.1/MiniBrowser"];

/** WebKitGTK in MiniBrowser. The theme is GTK's, so it is chosen at the start. */
export async function openWebKit(display, { theme = "light", width = 1280, height = 800, url } = {}) {
  const binary = miniBrowsers.find(existsSync);
  if (!binary) throw new Error("MiniBrowser is missing");
  const s = await session(display, "webkit", binary, ["--automation"], { GTK_THEME: theme === "dark" ? "Adwaita:dark" : "Adwaita" });
  const driver = page(s, { engine: "webkit" });
  // The window has a bar of its own: ask again for what is missing, so that the page has the wished size.
  driver.size = async (w, h) => {
    let dw = 0;
    let dh = 0;
    for (let i = 0; i < 3; i++) {
      await s.call("POST", "/window/rect", { width: w + dw, height: h + dh });
      const [iw, ih] = await driver.eval(() => new Promise((done) => setTimeout(() => done([innerWidth, innerHeight]), 150)));
      if (iw === w && ih === h) return;
      dw += w - iw;
      dh += h - ih;
    }
  };
  if (url) await driver.goto(url);
  await driver.size(width, height);
  return driver;
}

/**
 * The real window: WebDriver reads it, and a person's hands (XTEST) use it. WebKit's process sandbox is off,
 * since it also keeps the web process from the automation's socket; app/window tests the sandbox without a driver.
 */
export async function openWindow(display, { binary, data, theme = "light", width = 1280, height = 800, env = {} } = {}) {
  mkdirSync(join(out, "log"), { recursive: true });
  const dir = mkdtempSync(join(out, "log", "window-"));
  const wrapper = `${dir}/start`;
  const set = Object.entries({ ...display.env, GTK_THEME: theme === "dark" ? "Adwaita:dark" : "Adwaita", NEUTRON_DATA: data, NEUTRON_E2E_DRIVE: "1", NEUTRON_NO_WEBKIT_SANDBOX: "1", ...env });
  const lines = ["#!/bin/sh", ...set.map(([k, v]) => `export ${k}='${v}'`), `echo $$ >'${dir}/pid'`, `exec '${binary}' >'${dir}/out' 2>'${dir}/err'`];
  writeFileSync(wrapper, lines.join("\n") + "\n", { mode: 0o755 });
  // Now and then the driver never hears of the view that was made for it; a second start has always met it.
  const s = await session(display, "window", wrapper, [], {}).catch(() => session(display, "window", wrapper, [], {}));
  const window = await until("the window", () => display.windows("Neutron").at(-1), 15_000);
  const names = { Enter: "Return", ArrowDown: "Down", ArrowUp: "Up", Control: "ctrl", Alt: "alt", Shift: "shift", Meta: "super" };
  const driver = page(s, {
    engine: "window",
    window,
    logs: dir,
    async mouse(x, y, { click = true } = {}) {
      display.xdotool("mousemove", "--window", window, Math.round(x), Math.round(y));
      if (click) display.xdotool("click", 1);
      await landed();
    },
    async wheel(x, y, dy) {
      display.xdotool("mousemove", "--window", window, Math.round(x), Math.round(y));
      display.xdotool("click", "--repeat", Math.ceil(Math.abs(dy) / 50), "--delay", 10, dy > 0 ? 5 : 4);
      await landed();
    },
    async press(combo) {
      display.xdotool("key", combo.split("+").map((k) => names[k] ?? k).join("+"));
      await landed();
    },
    async type(text) {
      display.xdotool("type", "--delay", 15, text);
      await landed();
    },
  });
  // XTEST returns before the page has heard. WebDriver moves the keyboard's focus when it looks into a frame, so what
  // is still under way would be lost: wait for the page to have drawn twice.
  const landed = async () => {
    await new Promise((done) => setTimeout(done, 60));
    await driver.eval(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))));
  };
  driver.size = async (w, h) => {
    display.xdotool("windowsize", "--sync", window, w, h);
    await until(`a page of ${w} x ${h}`, async () => {
      const [iw, ih] = await driver.eval(() => [innerWidth, innerHeight]);
      return iw === w && ih === h;
    }, 3000).catch(() => undefined);
  };
  await until("the workspace", async () => (await driver.url()).startsWith("http://127.0.0.1"), 20_000);
  await driver.size(width, height);
  return driver;
}
