import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { firstLine, root, start, stop, until } from "../lib/process.mjs";
import { median, memory, record } from "../lib/record.mjs";

export const title = "idle memory with 8 tiles and 8 backgrounds against Chromium with the same frames";
export const engines = ["window"];

const settle = () => new Promise((done) => setTimeout(done, 1500));

/** The median of a few readings, once everything is loaded. */
async function reading(pid) {
  const list = [];
  for (let i = 0; i < 5; i++) {
    await settle();
    list.push(memory(pid));
  }
  console.log(`      MiB by process: ${list.at(-1).parts.join(", ")}`);
  return { mib: median(list.map((m) => m.mib)), processes: list.at(-1).processes };
}

/** How many frames are connected, by the running kernel's own count. */
const frames = async (t) => Number(/(\d+) frames/.exec((await t.cli("doctor")).stdout)?.[1] ?? 0);

export async function run(t) {
  // Eight apps of the same pages.
  const temp = mkdtempSync(join(tmpdir(), "neutron-memory-"));
  t.later(() => rmSync(temp, { recursive: true, force: true }));
  for (let i = 1; i <= 8; i++) {
    const dir = join(temp, `bench${i}`);
    cpSync(join(root, "examples/build/bench"), dir, { recursive: true });
    const manifest = JSON.parse(readFileSync(join(dir, "neutron.json"), "utf8"));
    writeFileSync(join(dir, "neutron.json"), JSON.stringify({ ...manifest, id: `bench${i}`, name: `Bench ${i}` }));
    const file = `${dir}.neutron`;
    for (const args of [["app", "pack", dir, "-o", file], ["app", "install", "--yes", file]]) {
      const done = await t.cli(...args);
      t.assert.equal(done.code, 0, done.stdout + done.stderr);
    }
  }
  const d = await t.open();
  if (await d.find({ role: "button", name: "Go to the workspace" })) await t.workspace.leaveWelcome();
  for (let i = 1; i <= 8; i++) {
    await t.workspace.openTile(`Bench ${i}`, { endpoint: "Bench" });
    await until(`${i} tiles and 8 backgrounds`, async () => {
      const titles = await d.frameTitles();
      return titles.filter((x) => x === "Bench").length === i && titles.filter((x) => x === "Bench, background").length === 8;
    }, 15_000);
  }
  // The driven window only laid the workspace out. What is measured is the program as it ships, which restores it.
  await t.driver.close();
  t.driver = undefined;
  const neutron = start("memory", join(root, "build/bin/neutron"), ["--data", t.data()], { env: t.display.env, stdout: "ignore" });
  t.later(() => stop(neutron));
  await until("the restored tiles", async () => (await frames(t)) === 16, 40_000);
  const product = await reading(neutron.pid);
  await stop(neutron);

  const floor = start("floor", join(root, "build/bin/floor"), []);
  t.later(() => stop(floor));
  const port = (await firstLine(floor)).trim();
  const profile = mkdtempSync(join(tmpdir(), "neutron-chromium-"));
  const chromium = start("chromium", process.env.CHROMIUM ?? "/usr/bin/chromium", ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", `--user-data-dir=${profile}`, "--window-size=1280,800", `--app=http://127.0.0.1:${port}/frames`], { env: t.display.env, stdout: "ignore" });
  t.later(async () => {
    await stop(chromium);
    rmSync(profile, { recursive: true, force: true });
  });
  await until("Chromium's frames", () => t.display.windows("Frames").length > 0, 20_000);
  const bare = await reading(chromium.pid);
  record({ name: "Idle memory, 8 tiles and 8 backgrounds", floor: "chromium --app, the same 16 pages", floorValue: `${Math.round(bare.mib)} MiB in ${bare.processes} processes`, value: `${Math.round(product.mib)} MiB in ${product.processes}`, ratio: product.mib / bare.mib, goal: 0.95 });
}
