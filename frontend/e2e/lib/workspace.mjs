// The workspace as a person uses it. What the shell calls its things stands here and nowhere else in the tests.
import { until } from "./process.mjs";

const unread = "Allow unlocks when you have seen the end";
const armed = "Esc denies, Alt and a number allow";

export function workspace(d) {
  const w = {
    /** The shell is up: the welcome, or the bar. */
    async up() {
      await d.box({ role: "any", name: "Neutron", css: "[aria-label=Neutron],h1" }, 15_000).catch(() => undefined);
      await until("the shell", async () => /Welcome to Neutron|Search or run|No tile is open/.test(await d.text()) || (await d.find({ role: "button", name: /^Open launcher/ })), 20_000);
    },
    /** Installs a bundled app from the welcome: review first, then approval. `look` may take pictures of the review. */
    async installBundled(name, version, look = async () => {}) {
      await d.click({ role: "button", name: `Install ${name}, after a review` });
      await d.sees(`Install ${name} ${version}?`);
      await look();
      await d.click({ role: "button", name: new RegExp(`^Install ${name} ${version.replaceAll(".", "\\.")}`) });
      await d.sees(`${name} ${version} installed`);
    },
    async leaveWelcome() {
      await d.click({ role: "button", name: "Go to the workspace" });
      await d.box({ role: "button", name: /^Open launcher/ });
    },
    /** Opens a new tile of an app by the launcher, with the keyboard. */
    async openTile(name, { endpoint = name } = {}) {
      await d.click({ role: "button", name: /^Open launcher/ });
      const field = { css: "[role=dialog] input, dialog input" };
      await d.box(field);
      await d.type(name);
      await until(`"${name}" in the launcher's field`, async () => (await d.find(field))?.value === name);
      await until(`${name} in the launcher`, async () => new RegExp(name).test((await d.find({ css: "[role=option][aria-selected=true]" }))?.name ?? ""));
      await d.press("Enter");
      await d.gone(field);
      await d.frameIs(endpoint, 15_000);
    },
    /** The open question; a waiting chip is opened first. */
    async question() {
      await until("a question", async () => {
        if (await d.find({ role: "button", name: /^Deny/ })) return true;
        const chip = await d.find({ role: "button", name: /asks/ });
        if (chip) await d.mouse(chip.x + chip.width / 2, chip.y + chip.height / 2);
        return false;
      });
      return d.text();
    },
    /** Answers it with the mouse, once the buttons are armed. */
    async answer(choice) {
      await w.question();
      await until("armed buttons", async () => {
        const text = await d.text();
        // Longer than the sheet: a person scrolls to its end first.
        if (text.includes(unread)) {
          const sheet = await d.find({ role: "dialog", scroll: false });
          await d.wheel(sheet.x + sheet.width / 2, sheet.y + sheet.height / 2, 2000);
        }
        return text.includes(armed);
      });
      await d.click({ role: "button", name: new RegExp(`^${choice}`) });
      await d.gone({ role: "button", name: /^Deny/ });
    },
    /** No question is open and none waits. */
    async quiet() {
      return !(await d.find({ role: "button", name: /asks/ })) && !(await d.find({ role: "button", name: /^Deny/ }));
    },
    async openAudit() {
      await d.click({ role: "button", name: "Audit" });
      await d.sees("Written to disk before each answer");
    },
    async closeOverlay() {
      await d.press("Escape");
    },
  };
  return w;
}
