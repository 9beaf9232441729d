// One way to see and to touch a page, whichever engine shows it.
import { openChromium } from "./chromium.mjs";
import { until } from "./process.mjs";
import { openWebKit, openWindow } from "./webdriver.mjs";

const openers = { chromium: openChromium, webkit: openWebKit, window: openWindow };

/** Opens an engine on a display. See chromium.mjs for what every driver can do; `hands` adds finding and clicking by name. */
export async function openDriver(engine, display, options) {
  return hands(await openers[engine](display, options));
}

// Runs in the page: the box of the first visible element that is meant. `what` is {role, name} or {css}; name is a
// string that must be equal, or {like} for a pattern. Everything is matched as a person would say it: by what it is called.
const locate = (what) => {
  const roles = {
    button: "button,[role=button],summary",
    link: "a[href],[role=link]",
    textbox: "input:not([type=checkbox]):not([type=radio]),textarea,[role=textbox],[role=searchbox],[role=combobox]",
    option: "[role=option]",
    menuitem: "[role=menuitem]",
    tab: "[role=tab]",
    checkbox: "input[type=checkbox],[role=checkbox],[role=switch]",
    dialog: "dialog[open],[role=dialog],[role=alertdialog]",
    row: "tr,[role=row],li",
    any: "*",
  };
  const nameOf = (e) => {
    const by = e.getAttribute("aria-labelledby");
    const label = e.labels?.[0]?.textContent;
    const text = e.getAttribute("aria-label") ?? (by && by.split(/\s+/).map((i) => document.getElementById(i)?.textContent ?? "").join(" ")) ?? (label || e.innerText || e.textContent || e.getAttribute("placeholder") || e.title);
    return (text || "").replace(/\s+/g, " ").trim();
  };
  const fits = (e) => {
    if (what.name === undefined) return true;
    const name = nameOf(e);
    return typeof what.name === "string" ? name === what.name : new RegExp(what.name.like, "i").test(name);
  };
  const all = [...document.querySelectorAll(what.css ?? roles[what.role])];
  const modal = [...document.querySelectorAll("dialog:modal")].at(-1);
  const shown = all.filter((e) => {
    const r = e.getBoundingClientRect();
    const style = getComputedStyle(e);
    return r.width > 0 && r.height > 0 && style.visibility !== "hidden" && (!modal || modal.contains(e)) && fits(e);
  });
  const e = what.last ? shown.at(-1) : shown[what.nth ?? 0];
  if (!e) return null;
  if (what.scroll !== false) e.scrollIntoView({ block: "nearest", inline: "nearest" });
  const r = e.getBoundingClientRect();
  return { x: r.x, y: r.y, width: r.width, height: r.height, name: nameOf(e), disabled: Boolean(e.disabled) || e.getAttribute("aria-disabled") === "true", value: e.value ?? null };
};

function hands(driver) {
  const name = (n) => (n instanceof RegExp ? { like: n.source } : n);
  const meant = ({ frame: _, ...what }) => ({ ...what, ...(what.name === undefined ? {} : { name: name(what.name) }) });
  const says = (what) => JSON.stringify(meant(what)) + (what.frame ? ` in ${what.frame}` : "");
  const find = (what) => (what.frame ? driver.evalIn(what.frame, locate, meant(what)) : driver.eval(locate, meant(what)));

  const box = (what, ms) => until(says(what), () => find(what), ms);
  // Where its middle is, once it can be used and has come to rest: a page that is still being laid out moves.
  const middle = async (what, ms) => {
    let before = "";
    return until(`${says(what)}, enabled and at rest`, async () => {
      const b = await find(what);
      if (!b || b.disabled) return null;
      const at = what.frame ? await driver.frameBox(what.frame) : { x: 0, y: 0 };
      const here = [at.x + b.x + b.width / 2, at.y + b.y + b.height / 2];
      const still = String(here) === before;
      before = String(here);
      return still ? here : null;
    }, ms);
  };
  return Object.assign(driver, {
    find,
    box,
    /** Moves the hand there and clicks. */
    async click(what, ms) {
      await driver.mouse(...(await middle(what, ms)));
    },
    async hover(what, ms) {
      await driver.mouse(...(await middle(what, ms)), { click: false });
    },
    /** Clicks a field and types over what it holds. */
    async fill(what, text, ms) {
      await driver.click(what, ms);
      await driver.press("Control+a");
      await driver.press("Delete");
      await driver.type(text);
      // Keys travel on their own road: what follows must not overtake them.
      await until(`"${text}" in ${says(what)}`, async () => (await find(what))?.value === text, ms);
    },
    gone: (what, ms) => until(`no ${says(what)}`, async () => (await find(what)) === null, ms),
    text: (frame) => (frame ? driver.evalIn(frame, () => document.body.innerText) : driver.eval(() => document.body.innerText)),
    async sees(text, { frame, ms } = {}) {
      let last = "";
      await until(`"${text}"${frame ? ` in ${frame}` : ""}`, async () => {
        last = await driver.text(frame);
        return text instanceof RegExp ? text.test(last) : last.includes(text);
      }, ms).catch((e) => {
        throw new Error(`${e.message}; it says: ${last.replace(/\s+/g, " ").slice(0, 600)}`);
      });
    },
    frameIs: (title, ms) => until(`a frame titled ${title}`, async () => (await driver.frameTitles()).includes(title), ms),
  });
}
