// Takes a picture of every screen in both themes and two sizes, and runs axe on each. Fails on any violation,
// on anything the policy refused, on any error of the page, and on content wider than the window.
//
//   node e2e/gallery/pictures.mjs [screen…]     pictures go to build/out/pictures
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openGallery } from "./open.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const pictures = here("../../../build/out/pictures");
const sizes = [
  { width: 1280, height: 800 },
  { width: 800, height: 600 },
];

await mkdir(pictures, { recursive: true });
const { base, browser, close } = await openGallery();
// axe is evaluated by the test's own world, which the page's policy does not bind; the page itself runs under the policy.
const axe = await readFile(here("../../node_modules/axe-core/axe.min.js"), "utf8");
const faults = [];
let taken = 0;

try {
  const first = await browser.newPage();
  await first.goto(base);
  const all = await first.evaluate(() => window.gallery);
  await first.close();
  const wanted = process.argv.slice(2);
  const screens = all.filter((s) => wanted.length === 0 || wanted.includes(s.id));
  if (screens.length === 0) throw new Error(`no such screen; there are: ${all.map((s) => s.id).join(" ")}`);
  // Two at a time: a page waits more than it works.
  const views = sizes.flatMap((size) => ["light", "dark"].map((theme) => ({ size, theme })));
  await Promise.all([views.filter((_, i) => i % 2 === 0), views.filter((_, i) => i % 2 === 1)].map(async (mine) => {
    for (const view of mine) await look(view, screens);
  }));
} finally {
  await close();
}
console.log(`pictures: ${taken} taken, ${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;

async function look({ size, theme }, screens) {
  const context = await browser.newContext({ viewport: size, colorScheme: theme, reducedMotion: "reduce", timezoneId: "UTC", locale: "en" });
  for (const screen of screens) {
    const name = `${screen.id}-${theme}-${size.width}x${size.height}`;
    const fail = (what) => {
      faults.push(name);
      console.error(`${name}: ${what}`);
    };
    const page = await context.newPage();
    page.on("pageerror", (e) => fail(`error: ${e.message}`));
    page.on("console", (m) => m.type() === "error" && fail(`console: ${m.text()}`));
    await page.goto(`${base}#${screen.id}`);
    await page.evaluate(() => document.fonts.ready);
    await page.waitForFunction(() => document.getElementById("root").childElementCount > 0);
    for (const step of screen.steps) await take(page, step).catch((e) => fail(`step ${JSON.stringify(step)}: ${e.message.split("\n")[0]}`));
    await page.waitForTimeout(120);
    await page.screenshot({ path: join(pictures, `${name}.png`) });
    taken++;
    for (const refused of await page.evaluate(() => window.refused)) fail(`policy: ${refused}`);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (wide > 0) fail(`${wide} px wider than the window`);
    for (const v of await audit(page)) fail(`axe ${v}`);
    await page.close();
  }
  await context.close();
}

async function take(page, step) {
  if ("click" in step) return page.getByRole("button", { name: step.click }).first().click({ timeout: 20_000 });
  if ("type" in step) return page.keyboard.type(step.type);
  if ("press" in step) return page.keyboard.press(step.press);
  return page.waitForTimeout(step.wait);
}

async function audit(page) {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const ran = await window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"], rules: { region: { enabled: false } } });
    return ran.violations.map((v) => `${v.id}: ${v.help} [${v.nodes.map((n) => n.target.join(" ")).slice(0, 3).join(" | ")}]`);
  });
}
