export const title = "a frame that hangs beside a running shell is ended; so is one that loads itself anew; a hash is no navigation";
export const engines = ["chromium", "webkit", "window"];

export async function run(t) {
  const d = await t.open();
  const w = t.workspace;
  await w.installBundled("Notes", "0.1.0");
  await w.leaveWelcome();
  await w.openTile("Notes");
  await d.sees("Supplier terms 2026", { frame: "Notes", ms: 15_000 });
  const frames = () => d.eval(() => [...document.querySelectorAll("iframe")].map((f) => f.title));
  const gone = (ms) => t.until("the frame's end", async () => !(await frames()).includes("notes: main"), ms);

  await t.step("hash", async () => {
    await d.evalIn("Notes", () => {
      location.hash = "a";
      setTimeout(() => (location.hash = "b"), 50);
    });
    await d.evalIn("Notes", () => new Promise((done) => setTimeout(done, 1_500)));
    t.assert.ok((await frames()).includes("notes: main"), "a change of the fragment ended the frame");
  });
  await t.step("reload", async () => {
    await d.evalIn("Notes", () => void setTimeout(() => location.reload(), 50));
    await gone(8_000);
    await d.sees("NAVIGATED");
  });
  // In WebKitGTK a hung frame stops the shell with it: that is the kernel's watchdog's case.
  if (t.engine !== "chromium") return;
  await t.step("hang", async () => {
    await d.click({ role: "button", name: "Try again" });
    await d.sees("Supplier terms 2026", { frame: "Notes", ms: 15_000 });
    await d.evalIn("Notes", () => void setTimeout(() => { for (;;); }, 50));
    await gone(30_000);
    await d.sees("SILENT");
  });
}
