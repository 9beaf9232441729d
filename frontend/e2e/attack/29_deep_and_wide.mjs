import { arena, codeOf } from "../lib/arena.mjs";

export const title = "deep, wide and endless values are refused at the door";
export const engines = ["chromium", "webkit"];

export async function run(t) {
  const a = await arena(t);
  const bombs = async () => {
    const deep = (n) => { let v = 0; for (let i = 0; i < n; i++) v = [v]; return v; };
    const wide = (n) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, 0]));
    const cycle = {};
    cycle.self = cycle;
    const send = (v) => hostile.exec("tools.call", { target: "app:hostile:background", name: "hostile_echo", arguments: { v } }, { wait: 4000 });
    return { fits: await send(deep(40)), deep: await send(deep(80)), deeper: await send(deep(900)), wide: await send(wide(20_001)), many: await send(Array(200_001).fill(0)), cycle: await send(cycle), large: await send("x".repeat(1 << 20)), typed: await send(new Uint8Array(8)), date: await send(new Date(0)), undef: await send(undefined) };
  };
  const seen = await a.attack(bombs);
  t.assert.equal(codeOf(seen.fits), "ok", JSON.stringify(seen.fits));
  for (const what of ["deep", "deeper", "wide", "many", "cycle", "typed", "date", "undef"]) t.assert.equal(codeOf(seen[what]), "INVALID_REQUEST", what);
  t.assert.equal(codeOf(seen.large), "LIMIT");

  const control = await a.inControl((d) => d.evalIn("Hostile", async () => {
    let v = 0;
    for (let i = 0; i < 80; i++) v = [v];
    return (await hostile.exec("tools.call", { arguments: { v } })).type;
  }));
  t.assert.equal(control, "response", "the positive control refused a deep value by itself");
  await a.unharmed();
}
