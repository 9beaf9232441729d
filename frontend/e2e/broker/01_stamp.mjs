import { openAsking } from "../lib/asking.mjs";

export const title = "a click in the tile makes its question modal; a call that nobody caused stays a chip";
export const engines = ["chromium", "webkit", "window"];

export async function run(t) {
  const a = await openAsking(t);
  await a.clickAsk();
  t.assert.equal(await a.shown(), "modal", "the person's own click was not seen");
  await a.w.answer("Allow once");
  await a.d.sees("Cupping: Yirgacheffe lot 44", { frame: "Daybook" });

  // The same call six seconds after anybody did anything, by a synthetic click that takes the focus too.
  await a.d.evalIn("Daybook", () => {
    setTimeout(() => {
      const go = document.querySelector("#go");
      go.focus();
      go.click();
    }, 6_000);
  });
  await a.pointer.move(400, 10);
  t.assert.equal(await a.shown(), "chip", "a call that nobody caused came up as a question");
}
