import { openDriver } from "../lib/driver.mjs";
import { workspace } from "../lib/workspace.mjs";

export const title = "a second browser shows the tiles and the theme that the first one changes; what a start does not need comes when idle";
export const engines = ["chromium", "webkit"];

export async function run(t) {
  const d = await t.open();
  const w = t.workspace;
  await w.installBundled("Notes", "0.1.0");
  await w.leaveWelcome();

  await t.step("chunks", async () => {
    const scripts = () => d.eval(() => performance.getEntriesByType("resource").filter((e) => e.name.endsWith(".js")).map((e) => [/([^/-]+)-[^/]*$/.exec(e.name)?.[1], e.decodedBodySize]));
    await t.until("the launcher's chunk, which nobody opened", async () => (await scripts()).some(([name]) => name === "launcher"), 10_000);
    const sizes = new Map(await scripts());
    t.assert.ok(sizes.has("auditScreen") && sizes.has("appsPage"), `only ${[...sizes.keys()]}`);
    t.assert.ok(sizes.get("index") < 430_000, `the first chunk has ${sizes.get("index")} bytes`);
  });

  const { stdout } = await t.cli("open", "--link");
  const url = /http:\/\/127\.0\.0\.1:\d+\/\S*/.exec(stdout)?.[0];
  t.assert.ok(url, `neutron open said: ${stdout}`);
  const other = await openDriver(t.engine, t.display, { url });
  t.later(() => other.close());
  await workspace(other).up();

  const dark = () => other.eval(() => document.documentElement.dataset.theme ?? "system");
  await t.step("theme", async () => {
    await d.click({ role: "button", name: "Settings" });
    await d.click({ role: "button", name: "Appearance" });
    await d.click({ css: "[role=radio]", name: "Dark" });
    await t.until("the second one in dark", async () => (await dark()) === "dark", 5_000);
    await d.press("Escape");
  });
  await t.step("tiles", async () => {
    await w.openTile("Notes");
    await other.sees("Supplier terms 2026", { frame: "Notes", ms: 15_000 });
    await d.sees("Supplier terms 2026", { frame: "Notes", ms: 15_000 });
    await d.click({ role: "button", name: "Close Notes" });
    await t.until("the tile closed in the second one", async () => !(await other.frameTitles()).includes("Notes"), 5_000);
  });
  t.assert.deepEqual([d.errors ?? [], other.errors ?? []], [[], []]);
}
