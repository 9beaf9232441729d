import { arena, codeOf } from "../lib/arena.mjs";

export const title = "a frame that says it is another app stays who it is";
export const engines = ["chromium", "webkit"];

export async function run(t) {
  const a = await arena(t);
  const forged = { endpoint: "app:notes:background", appId: "notes" };
  const call = { target: "app:hostile:background", name: "hostile_echo", arguments: { caller: forged } };

  const beside = await a.attack((c, caller) => hostile.exec("tools.call", c, { extra: { caller } }), call, forged);
  t.assert.equal(codeOf(beside), "INVALID_REQUEST", "a key beside the envelope");
  const inside = await a.attack((c, caller) => hostile.exec("tools.call", { ...c, caller }), call, forged);
  t.assert.equal(codeOf(inside), "INVALID_REQUEST", "a key inside the payload");
  const context = await a.attack((c, caller) => hostile.exec("tools.call", c, { context: { caller } }), call, forged);
  t.assert.equal(codeOf(context), "INVALID_REQUEST", "a key in the context");

  const plain = await a.attack((c) => hostile.exec("tools.call", c), call);
  t.assert.equal(codeOf(plain), "ok", JSON.stringify(plain));
  t.assert.equal(plain.ok.caller.appId, "hostile", "the target was told of another caller");
  t.assert.match(plain.ok.caller.endpoint, /^app:hostile:tile:main:instance:/);

  // With that defence off: a host that believes payloads says that it was Notes.
  const believed = await a.inControl((d) => d.evalIn("Hostile", (c, caller) => hostile.exec("tools.call", c, { extra: { caller } }), call, forged));
  t.assert.equal(believed.ok.caller.appId, "notes", "the positive control did not work");
  await a.unharmed();
}
