import { arena } from "../lib/arena.mjs";

export const title = "a port that a sibling sends is not taken";
export const engines = ["chromium", "webkit"];

export async function run(t) {
  const a = await arena(t);
  const sent = await a.attack(() => hostile.spray());
  t.assert.ok(sent >= 2, `only ${sent} other frames were reached`);
  // Notes now works with its tools; whatever it says must go to the shell.
  await a.driver.fill({ role: "textbox", name: "Search notes", frame: "Notes" }, "decaf");
  await a.driver.sees("Decaf trial", { frame: "Notes" });
  t.assert.deepEqual(await a.attack(() => hostile.caught()), [], "another app spoke on a forged port");
  await a.driver.fill({ role: "textbox", name: "Search notes", frame: "Notes" }, "");

  const caught = await a.elsewhere(a.control.pair(), async (d) => {
    await d.sees("connected", { frame: "Hostile" });
    await d.evalIn("Hostile", () => hostile.spray());
    return t.until("the victim's secret", async () => (await d.evalIn("Hostile", () => hostile.caught()))[0]);
  });
  t.assert.ok(caught.secret, "the positive control did not work");
  await a.unharmed();
}
