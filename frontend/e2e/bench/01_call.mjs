import { join } from "node:path";
import { openDriver } from "../lib/driver.mjs";
import { serve } from "../lib/neutron.mjs";
import { firstLine, root, start, stop, until } from "../lib/process.mjs";
import { median, record } from "../lib/record.mjs";
import { workspace } from "../lib/workspace.mjs";

export const title = "a routed call against two round trips of a bare port and two of a bare WebSocket";
export const engines = ["chromium", "webkit"];

const goals = { 1024: 1.4, 65536: 1.6 };

export async function run(t) {
  const installed = await t.cli("app", "install", "--yes", join(root, "examples/build/bench.neutron"));
  t.assert.equal(installed.code, 0, installed.stderr);
  const floorProcess = start("floor", join(root, "build/bin/floor"), []);
  t.later(() => stop(floorProcess));
  const port = (await firstLine(floorProcess)).trim();
  const neutron = await serve(t.data());
  t.later(() => neutron.stop());

  const product = await openDriver(t.engine, t.display, { url: neutron.workspace });
  t.later(() => product.close());
  const w = workspace(product);
  await w.up();
  if (await product.find({ role: "button", name: "Go to the workspace" })) await w.leaveWelcome();
  await w.openTile("Bench");
  await until("the bench tile", () => product.evalIn("Bench", () => globalThis.ready), 15_000);
  const floor = await openDriver(t.engine, t.display, { url: `http://127.0.0.1:${port}/floor` });
  t.later(() => floor.close());
  await until("the floor", () => floor.eval(() => globalThis.ready === true), 30_000);

  for (const bytes of [1024, 65536]) {
    const ms = 500;
    const measured = [];
    // Turn about, so that what else the machine does falls on both alike. The first round warms up.
    for (let round = 0; round < 8; round++) {
      const f = await floor.eval((b, m) => globalThis.floor(b, m), bytes, ms);
      const call = await product.evalIn("Bench", (b, m) => globalThis.bench(b, m), bytes, ms);
      if (round > 0) measured.push({ floor: 2 * f.port + 2 * f.socket, call });
    }
    const floorUs = median(measured.map((m) => m.floor));
    const callUs = median(measured.map((m) => m.call));
    record({ name: `Routed call, ${bytes / 1024} KiB, ${t.engine === "webkit" ? "WebKitGTK" : "Chromium"}`, floor: "2 port + 2 WebSocket round trips", floorValue: `${Math.round(floorUs)} µs`, value: `${Math.round(callUs)} µs`, ratio: callUs / floorUs, goal: goals[bytes] });
  }
}
