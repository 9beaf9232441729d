export const title = "in a browser the shell's chords work while an app has the keyboard, and never while the shell is typed in";
export const engines = ["chromium", "webkit"];

export async function run(t) {
  const d = await t.open();
  const w = t.workspace;
  await w.installBundled("Notes", "0.1.0");
  await w.leaveWelcome();
  await w.openTile("Notes");
  await d.sees("Supplier terms 2026", { frame: "Notes", ms: 15_000 });
  const key = (name) => t.display.xdotool("key", name);
  const field = { css: "dialog input" };
  const inNotes = () => d.click({ role: "textbox", name: "Search notes", frame: "Notes" });
  // Asked from the shell alone: the driver's own look into a frame would move the focus in WebKit.
  const holder = () => d.eval(() => document.activeElement?.title ?? "");

  await t.step("Ctrl K in the app opens the launcher", async () => {
    await inNotes();
    await t.until("the keyboard in Notes", async () => (await holder()) === "notes: main");
    key("ctrl+k");
    await d.box(field, 5_000);
    key("Escape");
    await d.gone(field);
  });
  await t.step("F6 in the app goes to the shell's next region", async () => {
    await inNotes();
    key("F6");
    await t.until("the keyboard in the bar", () => d.eval(() => document.activeElement?.closest("[data-region]") !== null), 5_000);
  });
  await t.step("other keys stay the app's", async () => {
    await inNotes();
    for (const name of ["k", "ctrl+shift+k", "alt+k", "F7"]) key(name);
    await new Promise((done) => setTimeout(done, 500));
    t.assert.equal(await d.find(field), null, "a key that is no chord opened the launcher");
  });
}
