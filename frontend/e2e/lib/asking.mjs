import { openPointer } from "./pointer.mjs";

/** Notes and Daybook side by side, a real pointer, and what a test needs to make Daybook ask. */
export async function openAsking(t) {
  const d = await t.open();
  const w = t.workspace;
  await w.installBundled("Notes", "0.1.0");
  await w.installBundled("Daybook", "0.1.0");
  await w.leaveWelcome();
  await w.openTile("Notes");
  await w.openTile("Daybook");
  await d.sees("kg roasted", { frame: "Daybook" });
  await d.evalIn("Daybook", () => (document.querySelector("#query").value = "lot 44"));
  const pointer = await openPointer(d, t.display);
  const frame = await d.frameBox("Daybook");
  const go = await d.find({ role: "button", name: "Ask Notes", frame: "Daybook" });
  const notes = await d.frameBox("Notes");
  return {
    d,
    w,
    pointer,
    /** The person clicks in Notes, where nothing happens. */
    clickNotes: () => pointer.click(notes.x + 200, notes.y + 300),
    /** The person clicks Daybook's own button, coming from the shell. */
    async clickAsk() {
      await d.eval(() => document.querySelector("header button").focus());
      await pointer.move(400, 10);
      await pointer.click(frame.x + go.x + go.width / 2, frame.y + go.y + go.height / 2);
    },
    /** How the next question shows: "modal" or "chip". */
    async shown() {
      let how;
      await t.until("a question", async () => {
        if (await d.find({ role: "button", name: /^Deny/ })) return (how = "modal");
        if (await d.find({ role: "button", name: /asks/ })) return (how = "chip");
        return undefined;
      }, 15_000);
      return how;
    },
    /** The titles of the iframes in the layer. */
    frames: () => d.eval(() => [...document.querySelectorAll("iframe")].map((f) => f.title)),
  };
}
