import { arena } from "../lib/arena.mjs";

export const title = "a thousand forged chords open no question, take no keyboard from the shell, and are soon not heard";
export const engines = ["chromium"];

export async function run(t) {
  const a = await arena(t);
  const { driver: d } = a;
  const field = { css: "dialog input" };
  const launcher = async () => (await d.find(field)) !== null;
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  const forge = (chord, n) => a.attack((name, times) => Promise.all(Array.from({ length: times }, () => hostile.exec("host.chord", { chord: name }))).then((all) => all.map((one) => one?.error?.code ?? JSON.stringify(one?.ok))), chord, n);
  const hold = async () => {
    const box = await d.frameBox("Hostile");
    await d.mouse(box.x + box.width / 2, box.y + box.height / 2);
  };

  // The owner types in the launcher; the page says from behind that the launcher's chord, and the question's, was pressed.
  await d.press("Control+k");
  await d.box(field);
  await d.type("not");
  t.assert.deepEqual([await forge("launcher", 1), await forge("question", 1)], [["{}"], ["{}"]], "a page can learn what the shell did");
  await d.type("es");
  t.assert.equal((await d.find(field))?.value, "notes", "a forged chord disturbed the owner's typing");
  await d.press("Escape");
  await d.gone(field);

  // The positive control: with the keyboard, and before it overdid it, the page can make the launcher open. Escape is all it costs.
  await hold();
  await pause(2_500);
  t.assert.deepEqual(await forge("launcher", 1), ["{}"]);
  await t.until("the launcher that a forged chord opens", launcher, 5_000);
  await d.press("Escape");
  await d.gone(field);

  // A thousand of them, from the page that has the keyboard, with a question of its own that waits.
  await hold();
  // The page itself waits until every gesture is forgotten, also the driver's own: its evaluations count as one. What the page
  // asks then, nobody caused.
  const waits = a.attack(() => new Promise((done) => setTimeout(done, 7_000)).then(() => hostile.exec("tools.call", { target: "app:notes:background", name: "notes_list", arguments: {} }, { wait: 60_000 })).then((one) => one?.error?.code ?? "ok"));
  await pause(8_000);
  await t.until("the question", async () => (await d.find({ role: "button", name: /asks/ })) ?? (await d.find({ role: "button", name: /^Deny/ })), 15_000);
  t.assert.equal(await d.find({ role: "button", name: /^Deny/ }), null, "a question that nobody caused came up by itself");
  const seen = [...(await forge("question", 500)), ...(await forge("launcher", 500))];
  t.assert.ok(seen.filter((one) => one === "LIMIT").length >= 997, `heard too often: ${seen.filter((one) => one !== "LIMIT").length}`);
  await pause(1_000);
  t.assert.equal(await d.find({ role: "button", name: /^Deny/ }), null, "a forged chord opened the question");
  t.assert.equal(await Promise.race([waits, pause(300).then(() => "open")]), "open", "a forged chord answered the question");
  if (await launcher()) await d.press("Escape");
  t.assert.equal(await d.find(field), null, "a page that overdid it is still heard");

  // Answered by the owner alone.
  await a.workspace.answer("Deny");
  t.assert.equal(await waits, "DENIED");
  await a.unharmed();
}
