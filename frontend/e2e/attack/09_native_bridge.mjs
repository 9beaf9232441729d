import { arena } from "../lib/arena.mjs";

// The positive control, a window without locks in which the same messages arrive, is a Go test of app/window.
export const title = "no frame sees the window's native door";
export const engines = ["window"];

export async function run(t) {
  const a = await arena(t);
  const seen = await a.attack(() => hostile.bridge());
  t.assert.deepEqual(seen, { has: false, sent: 0 });
  const shell = await a.driver.eval(() => Boolean(globalThis.webkit?.messageHandlers?.external));
  t.assert.equal(shell, false, "the shell itself still has the handler");
  await a.unharmed();
}
