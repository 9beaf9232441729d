import { arena, codeOf } from "../lib/arena.mjs";

export const title = "a second handshake is a new connection; the old port and its calls are dead";
export const engines = ["chromium", "webkit"];

export async function run(t) {
  const a = await arena(t);
  const twice = async () => {
    const hang = hostile.exec("tools.call", { target: "app:hostile:background", name: "hostile_hang", arguments: {} }, { wait: 2500 });
    await new Promise((done) => setTimeout(done, 150));
    const before = hostile.counters().connections;
    hostile.knock();
    for (let i = 0; i < 60 && hostile.counters().connections === before; i++) await new Promise((done) => setTimeout(done, 30));
    return { more: hostile.counters().connections - before, old: await hostile.oldPort(), fresh: await hostile.exec("ping", {}), hang: (await hang) ?? "never answered" };
  };
  const seen = await a.attack(twice);
  t.assert.equal(seen.more, 1, "no new connection");
  t.assert.equal(seen.old, "dead", "the old port still serves");
  t.assert.equal(codeOf(seen.fresh), "ok", "the new port does not serve");
  t.assert.equal(seen.hang, "never answered", "an answer crossed from the old connection to the new one");
  await t.until("the old call's end in the audit", async () => {
    const { stdout } = await a.cli("audit", "--json");
    return /hostile_hang/.test(stdout) && /ENDPOINT_GONE/.test(stdout);
  });

  const control = await a.inControl((d) => d.evalIn("Hostile", async () => {
    hostile.knock();
    await new Promise((done) => setTimeout(done, 300));
    return hostile.oldPort();
  }));
  t.assert.equal(control.type, "response", "the positive control's old port is dead as well");
  await a.unharmed();
}
