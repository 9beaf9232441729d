import { openAsking } from "../lib/asking.mjs";

export const title = "a frame that takes the keyboard twice while a question is open is ended; one that does it once is not";
export const engines = ["chromium", "webkit", "window"];

export async function run(t) {
  const a = await openAsking(t);
  await a.clickNotes(); // WebKit lets a frame take the focus only once a person used it
  // The driver's own look into a frame moves the focus in WebKit, so the thief is set up before the question.
  await a.d.evalIn("Notes", () => {
    const field = () => document.querySelector("input,button,a,textarea").focus();
    setTimeout(field, 9_000);
    setTimeout(() => setInterval(field, 5), 14_000);
  });
  const begun = performance.now();
  const at = (ms) => new Promise((done) => setTimeout(done, Math.max(0, ms - (performance.now() - begun))));
  await a.clickAsk();
  if ((await a.shown()) === "chip") await a.w.question();
  t.assert.ok(performance.now() - begun < 9_000, "the machine is too slow for this test's script");
  const held = () => a.d.eval(() => [document.hasFocus(), document.activeElement?.closest("dialog,[role=alertdialog]") !== null]);
  await at(10_500);
  t.assert.ok((await a.frames()).includes("notes: main"), "one late focus() cost the app its frame");
  t.assert.deepEqual(await held(), [true, true], "the question did not get the keyboard back");
  await at(15_500);
  t.assert.ok(!(await a.frames()).includes("notes: main"), "a frame that keeps taking the keyboard still lives");
  t.assert.deepEqual(await held(), [true, true], "the question did not get the keyboard back");
  await a.d.sees("THEFT");
  t.assert.ok((await a.frames()).includes("daybook: main"), "somebody else was ended too");
}
