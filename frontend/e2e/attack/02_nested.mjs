import { arena } from "../lib/arena.mjs";

export const title = "a page nested in a frame gets no port, and a popup does not open";
export const engines = ["chromium", "webkit"];

export async function run(t) {
  const a = await arena(t);
  const forge = async () => {
    const before = hostile.counters().connections;
    const seen = await hostile.forge();
    const { connections, strays } = hostile.counters();
    return { ...seen, more: connections - before, stolen: strays.filter((s) => s?.stolen).length };
  };
  const seen = await a.attack(forge);
  t.assert.deepEqual(seen, { popup: false, more: 0, stolen: 0 });

  const control = await a.inControl((d) => d.evalIn("Hostile", forge));
  t.assert.ok(control.stolen >= 1, `the nested page got no port from a host that does not look who asks: ${JSON.stringify(control)}`);
  await a.unharmed();
}
