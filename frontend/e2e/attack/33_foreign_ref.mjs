import { arena, codeOf } from "../lib/arena.mjs";

export const title = "a schema's reference fetches nothing";
export const engines = ["chromium", "webkit"];

export async function run(t) {
  const a = await arena(t);
  for (const $ref of [`${a.control.base}/schema.json`, "file:///etc/passwd", "other.json", "//127.0.0.1/x"]) {
    const answer = await a.attack((d) => hostile.exec("tools.call", { target: "app:hostile:background", name: "hostile_push", arguments: { descriptor: d } }), { name: "hostile_ref", description: "Refers.", inputSchema: { type: "object", properties: { a: { $ref } } } });
    t.assert.equal(codeOf(answer.ok.pushed), "SCHEMA_INVALID", $ref);
  }
  t.assert.deepEqual(a.control.requests.filter((r) => r.path === "/schema.json"), [], "a reference was fetched");
  await fetch(`${a.control.base}/schema.json`);
  t.assert.equal(a.control.requests.filter((r) => r.path === "/schema.json").length, 1, "the positive control's request was not seen");
  await a.unharmed();
}
