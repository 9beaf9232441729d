export const title = "an app follows the owner's theme, and is not painted before it knows it";
export const engines = ["chromium", "webkit", "window"];

// What the app shows now, as its own document sees it.
const seen = () => {
  const { colorScheme } = getComputedStyle(document.documentElement);
  return [colorScheme, document.documentElement.dataset.theme, getComputedStyle(document.body).backgroundColor];
};
const white = "rgb(255, 255, 255)";
const black = "rgb(23, 24, 27)";

export async function run(t) {
  const d = await t.open();
  const w = t.workspace;
  await w.installBundled("Notes", "0.1.0");
  await w.installBundled("Daybook", "0.1.0");
  await w.leaveWelcome();
  await w.openTile("Notes");
  await d.sees("Supplier terms 2026", { frame: "Notes", ms: 15_000 });
  t.assert.deepEqual(await d.evalIn("Notes", seen), ["light", "light", white]);

  const choose = async (name) => {
    await d.press("Control+k");
    const field = { css: "dialog input" };
    await d.box(field);
    await d.type(name);
    await t.until(`${name} in the launcher`, async () => ((await d.find({ css: "[role=option][aria-selected=true]" }))?.name ?? "").includes(name));
    await d.press("Enter");
    await d.gone(field);
  };
  const shows = (frame, want) => t.until(`${frame} in ${want[0]}`, async () => JSON.stringify(await d.evalIn(frame, seen)) === JSON.stringify(want), 5_000);
  await t.step("dark reaches a running app", async () => {
    await choose("Dark theme");
    await shows("Notes", ["dark", "dark", black]);
  });
  await t.step("a new tile is painted in dark from the start", async () => {
    // Every change of how the new frame stands is written down.
    await d.eval(() => {
      globalThis.stood = [];
      const look = () => {
        const f = [...document.querySelectorAll("iframe")].find((one) => one.title.startsWith("daybook"));
        const now = f && (f.style.visibility || "visible");
        if (now && globalThis.stood.at(-1) !== now) globalThis.stood.push(now);
      };
      new MutationObserver(look).observe(document.getElementById("frames"), { childList: true, subtree: true, attributes: true, attributeFilter: ["style"] });
    });
    await w.openTile("Daybook");
    await d.sees("kg roasted", { frame: "Daybook" });
    await shows("Daybook", ["dark", "dark", black]);
    t.assert.deepEqual(await d.eval(() => globalThis.stood), ["hidden", "visible"]);
  });
  await t.step("system follows the computer", async () => {
    await choose("Theme of the system");
    await shows("Notes", ["light", "light", white]);
    if (t.engine !== "chromium") return;
    await d.theme("dark");
    await shows("Notes", ["dark", "dark", black]);
    await d.theme("light");
    await shows("Notes", ["light", "light", white]);
  });
  t.assert.deepEqual(d.errors ?? [], []);
}
