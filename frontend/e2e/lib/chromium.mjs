import { chromium } from "playwright-core";

const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

/** Debian's Chromium with a head under Xvfb: its mouse hovers and its frames are focused as a person's are. */
export async function openChromium(display, { theme = "light", width = 1280, height = 800, url } = {}) {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", headless: false, args: flags, env: { ...process.env, ...display.env } });
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme });
  let page = await context.newPage();
  const errors = [];
  const listen = (p) => p.on("pageerror", (e) => errors.push(e.message));
  listen(page);
  if (url) await page.goto(url);

  // As source text: the inspector evaluates it, so neither the page's policy nor its Trusted Types are asked.
  const call = (target, fn, args) => target.evaluate(`(${fn})(...${JSON.stringify(args)})`);
  const frames = async () => {
    const list = [];
    for (const frame of page.frames()) {
      if (frame === page.mainFrame()) continue;
      try {
        list.push({ frame, title: await frame.title() });
      } catch {
        /* it went while it was asked */
      }
    }
    return list;
  };
  const find = async (title) => {
    const hit = (await frames()).find((f) => f.title === title);
    if (!hit) throw new Error(`no frame is titled ${title}`);
    return hit.frame;
  };
  return {
    engine: "chromium",
    errors,
    goto: (to) => page.goto(to),
    reload: () => page.reload(),
    url: async () => page.url(),
    eval: (fn, ...args) => call(page, fn, args),
    frameTitles: async () => (await frames()).map((f) => f.title),
    evalIn: async (title, fn, ...args) => call(await find(title), fn, args),
    async frameBox(title) {
      const element = await (await find(title)).frameElement();
      return element.boundingBox();
    },
    async mouse(x, y, { click = true } = {}) {
      await page.mouse.move(x, y);
      if (click) await page.mouse.click(x, y);
    },
    async wheel(x, y, dy) {
      await page.mouse.move(x, y);
      await page.mouse.wheel(0, dy);
    },
    press: (key) => page.keyboard.press(key),
    type: (text) => page.keyboard.type(text),
    size: (w, h) => page.setViewportSize({ width: w, height: h }),
    theme: (t) => page.emulateMedia({ colorScheme: t }),
    shot: (file) => page.screenshot({ path: file }),
    async newPage(to) {
      page = await context.newPage();
      listen(page);
      if (to) await page.goto(to);
    },
    close: () => browser.close(),
  };
}
