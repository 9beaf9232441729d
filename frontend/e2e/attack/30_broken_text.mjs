import { arena, codeOf } from "../lib/arena.mjs";

export const title = "half a surrogate pair, and names that are no names, are refused";
export const engines = ["chromium", "webkit"];

export async function run(t) {
  const a = await arena(t);
  const seen = await a.attack(async () => {
    const send = (target, name, args) => hostile.exec("tools.call", { target, name, arguments: args });
    const to = "app:hostile:background";
    return {
      whole: await send(to, "hostile_echo", { v: "\u{1F600}" }),
      half: await send(to, "hostile_echo", { v: "\uD83D" }),
      key: await send(to, "hostile_echo", { ["\uDC00"]: 1 }),
      nul: await send("app:hostile\0:background", "hostile_echo", {}),
      bidi: await send("app:hostile:background\u202E", "hostile_echo", {}),
      tool: await send(to, "hostile_echo\n", {}),
    };
  });
  t.assert.equal(codeOf(seen.whole), "ok", JSON.stringify(seen.whole));
  for (const what of ["half", "key"]) t.assert.equal(codeOf(seen[what]), "INVALID_REQUEST", what);
  for (const what of ["nul", "bidi", "tool"]) t.assert.notEqual(codeOf(seen[what]), "ok", what);

  const control = await a.inControl((d) => d.evalIn("Hostile", async () => (await hostile.exec("tools.call", { v: "\uD83D" })).ok.echo.payload.v.length));
  t.assert.equal(control, 1, "the positive control refused it by itself");
  await a.unharmed();
}
