// One running workspace for a whole suite of attacks: Notes as the victim, Hostile with a tile and a background.
import { join } from "node:path";
import { openControl } from "./control.mjs";
import { openDriver } from "./driver.mjs";
import { binaries, cli, dataDirectory, serve } from "./neutron.mjs";
import { root, until } from "./process.mjs";
import { workspace } from "./workspace.mjs";

/** Starts it at the first use; every later attack of the run gets the same one, with a fresh hostile tile. */
export async function arena(t) {
  const a = (t.shared.arena ??= await build(t));
  await a.fresh();
  return a;
}

async function build(t) {
  const data = dataDirectory();
  for (const file of ["examples/dist/notes.neutron", "examples/build/hostile.neutron"]) {
    const { code, stdout, stderr } = await cli(data.dir, "app", "install", "--yes", join(root, file));
    if (code !== 0) throw new Error(`install ${file}: ${stdout}${stderr}`);
  }
  const control = await openControl();
  let neutron;
  let driver;
  if (t.engine === "window") {
    driver = await openDriver("window", t.display, { binary: binaries.window, data: data.dir });
  } else {
    neutron = await serve(data.dir);
    driver = await openDriver(t.engine, t.display, { url: neutron.workspace });
  }
  t.shared.driver = driver;
  const w = workspace(driver);
  await w.up();
  if (await driver.find({ role: "button", name: "Go to the workspace" })) await w.leaveWelcome();
  await w.openTile("Notes");
  t.shared.close = async () => {
    await driver.close();
    await neutron?.stop();
    await control.close();
    data.remove();
  };
  return {
    data: data.dir,
    neutron,
    driver,
    control,
    workspace: w,
    w: neutron ? new URL(neutron.workspace) : undefined,
    s: neutron ? new URL(neutron.sandbox.replace("*", "x")) : undefined,
    cli: (...args) => cli(data.dir, ...args),
    /** A hostile tile that is connected: the one there, or a new one. */
    async fresh() {
      if ((await driver.frameTitles()).includes("Hostile")) {
        const alive = await driver.evalIn("Hostile", () => Promise.race([hostile.ready.then(() => true), new Promise((done) => setTimeout(() => done(false), 300))])).catch(() => false);
        if (alive) return;
      }
      // A tile that is there but has ended says so in a moment; then its own button brings it back.
      if (await driver.find({ role: "button", name: "Close Hostile" })) await driver.click({ role: "button", name: "Try again" });
      else await w.openTile("Hostile");
      await driver.frameIs("Hostile", 15_000);
      await until("the hostile tile's port", () => driver.evalIn("Hostile", () => hostile.ready.then(() => true)), 15_000);
    },
    /** Runs an attack in the hostile tile. */
    attack: (fn, ...args) => driver.evalIn("Hostile", fn, ...args),
    /** Runs work in another window of the same engine. */
    async elsewhere(url, work) {
      const other = await openDriver(t.engine, t.display, { url });
      try {
        return await work(other);
      } finally {
        await other.close();
      }
    },
    /** The hostile page inside the host without defences. */
    inControl(work, ...host) {
      return this.elsewhere(control.host(...host), async (other) => {
        await other.sees("connected", { frame: "Hostile" });
        return work(other);
      });
    },
    /** The shell is where it was, answers, and Notes still works. */
    async unharmed() {
      const url = new URL(await driver.url());
      t.assert.equal(url.hostname, "127.0.0.1", "the shell was led away");
      if (neutron) t.assert.equal(url.port, new URL(neutron.workspace).port, "the shell was led away");
      await driver.sees("December shipment", { frame: "Notes" });
    },
  };
}

/** The code of a response, or what came instead of one. */
export const codeOf = (answer) => answer?.error?.code ?? (answer === undefined || answer === null ? "no answer" : "ok" in answer ? "ok" : "malformed");
