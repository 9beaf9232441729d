import { arena, codeOf } from "../lib/arena.mjs";

export const title = "an app's pattern cannot hold up the shell or the kernel";
export const engines = ["chromium", "webkit"];

export async function run(t) {
  const a = await arena(t);
  const text = "a".repeat(40) + "!";
  const descriptor = { name: "hostile_slow", description: "A pattern that backtracks.", inputSchema: { type: "object", properties: { s: { type: "string", pattern: "^(a+)+$" } }, required: ["s"] } };
  const pushed = await a.attack((d) => hostile.exec("tools.call", { target: "app:hostile:background", name: "hostile_push", arguments: { descriptor: d } }), descriptor);
  t.assert.equal(codeOf(pushed), "ok", JSON.stringify(pushed));
  // Either the schema is refused, or the pattern runs in an engine that cannot backtrack; both answer at once.
  const push = codeOf(pushed.ok.pushed);
  t.assert.ok(["ok", "SCHEMA_INVALID"].includes(push), `the push was answered ${push}`);
  if (push === "ok") {
    const call = a.attack((s) => hostile.exec("tools.call", { target: "app:hostile:background", name: "hostile_slow", arguments: { s } }), text);
    t.assert.equal(codeOf(await call), "INPUT_INVALID");
  }
  await a.unharmed();

  // In an engine that backtracks each more letter doubles the work: the attack is real.
  const growth = await a.attack(() => {
    const time = (n) => { const s = "a".repeat(n) + "!"; const start = performance.now(); /^(a+)+$/.test(s); return performance.now() - start; };
    return [16, 18, 20, 22, 24].map(time);
  });
  t.assert.ok(growth[4] > 4 * growth[2] || growth[4] > 30, `the positive control did not backtrack: ${growth}`);
}
