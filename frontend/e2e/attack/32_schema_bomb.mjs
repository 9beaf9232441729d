import { arena, codeOf } from "../lib/arena.mjs";

export const title = "a schema that multiplies itself is refused before it is compiled";
export const engines = ["chromium", "webkit"];

export async function run(t) {
  const a = await arena(t);
  const push = async (inputSchema) => {
    const answer = await a.attack((d) => hostile.exec("tools.call", { target: "app:hostile:background", name: "hostile_push", arguments: { descriptor: d } }), { name: "hostile_bomb", description: "Multiplies.", inputSchema });
    t.assert.equal(codeOf(answer), "ok", JSON.stringify(answer));
    return codeOf(answer.ok.pushed);
  };
  const doubling = (word, n) => ({
    type: "object",
    $defs: Object.fromEntries(Array.from({ length: n }, (_, i) => [`d${i}`, i === n - 1 ? { type: "object" } : { [word]: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] }])),
    [word]: [{ $ref: "#/$defs/d0" }],
  });
  t.assert.equal(await push(doubling("allOf", 4)), "ok", "the control: the same form, small, is taken");
  for (const word of ["allOf", "anyOf", "oneOf"]) t.assert.equal(await push(doubling(word, 24)), "SCHEMA_INVALID", word);
  t.assert.equal(await push({ type: "object", $ref: "#" }), "SCHEMA_INVALID", "a loop");
  let deep = { type: "object" };
  for (let i = 0; i < 30; i++) deep = { type: "object", properties: { a: deep } };
  t.assert.equal(await push(deep), "SCHEMA_INVALID", "deep");
  t.assert.notEqual(await push({ type: "object", description: "x".repeat(40_000) }), "ok", "large");
  await a.unharmed();
}
