export const title = "two untrusted apps use each other over one bus, and it survives a restart";

const search = { role: "textbox", name: "Search in Notes", frame: "Daybook" };
const ask = { role: "button", name: "Ask Notes", frame: "Daybook" };

export async function run(t) {
  let d = await t.open({ theme: "light" });
  let w = t.workspace;
  const asks = async (words) => {
    await d.fill(search, words);
    await d.click(ask);
  };

  await t.step("first start", async () => {
    await d.sees("Welcome to Neutron");
    await t.picture("01-welcome");
  });
  await t.step("install both", async () => {
    await w.installBundled("Notes", "0.1.0", () => t.picture("02-review"));
    await w.installBundled("Daybook", "0.1.0");
    await w.leaveWelcome();
  });
  await t.step("open both tiles", async () => {
    await w.openTile("Notes");
    await d.sees("Supplier terms 2026", { frame: "Notes", ms: 15_000 });
    await w.openTile("Daybook");
    await d.sees("kg roasted", { frame: "Daybook" });
    await t.picture("03-workspace");
  });

  await t.step("ask: one question, allowed once", async () => {
    await asks("lot 44");
    const text = await w.question();
    for (const part of ["Daybook", "Notes", "lot 44", "Unverified"]) t.assert.ok(text.includes(part), `the question does not say ${part}: ${text}`);
    await t.picture("04-question");
    t.assert.ok(!(await d.text("Daybook")).includes("Cupping"), "the answer came before the owner's");
    await w.answer("Allow once");
    await d.sees("Cupping: Yirgacheffe lot 44", { frame: "Daybook" });
    await t.picture("05-answer");
  });
  await t.step("once was once: asked again, allowed for the session", async () => {
    await asks("Sidama");
    await w.answer("Allow this session");
    await d.sees("Green storage", { frame: "Daybook" });
  });
  await t.step("allowed for the session: no question", async () => {
    await asks("hygrometer");
    await d.sees(/Green storage[\s\S]*Second hygrometer/, { frame: "Daybook" });
    t.assert.ok(await w.quiet(), "a question was asked in spite of the session's grant");
  });
  await t.step("a grant is for one tool: the import asks, and reports progress", async () => {
    await d.evalIn("Daybook", () => {
      const seen = (globalThis.progressSeen = new Set());
      new MutationObserver(() => /(\d+) of \d+ copied/.exec(document.body.innerText)?.[1] && seen.add(RegExp.$1)).observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    await d.click({ role: "button", name: "Copy all to Notes", frame: "Daybook" });
    await w.answer("Allow once");
    await d.sees(/\d+ entries are in Notes now/, { frame: "Daybook" });
    const seen = await d.evalIn("Daybook", () => globalThis.progressSeen.size);
    t.assert.ok(seen >= 3, `only ${seen} progress values were shown`);
    await d.sees("Roast 1, Sidama", { frame: "Notes" });
  });

  await t.step("the audit says who, what and why", async () => {
    await w.openAudit();
    await d.sees("notes_search");
    const text = await d.text();
    for (const part of ["Daybook", "Notes", "notes_import", "Allowed once by you", "Session grant"]) t.assert.ok(text.includes(part), `the audit does not say ${part}`);
    await t.picture("06-audit");
    await w.closeOverlay();
  });

  await t.step("restart", async () => {
    await t.quit();
    d = await t.open({ theme: "dark" });
    w = t.workspace;
  });
  await t.step("apps, layout, audit and what Notes was given are still there", async () => {
    await d.frameIs("Notes", 15_000);
    await d.frameIs("Daybook", 15_000);
    await d.sees("Supplier terms 2026", { frame: "Notes", ms: 15_000 });
    await d.sees("Roast 1, Sidama", { frame: "Notes" });
    await t.picture("07-restarted");
    await w.openAudit();
    await d.sees("notes_import");
    await w.closeOverlay();
  });
  await t.step("deny: the app is told, and pauses", async () => {
    await asks("lot 44");
    await t.picture("08-question-again");
    await w.answer("Deny");
    await d.sees("DENIED", { frame: "Daybook" });
    await asks("lot 44");
    await d.sees("APP_PAUSED", { frame: "Daybook" });
    t.assert.ok(await w.quiet(), "a paused app asked");
    await t.picture("09-denied");
  });
  await t.step("the durable log has it all", async () => {
    if (t.engine === "window") return;
    const { code, stdout, stderr } = await t.cli("audit", "--json");
    t.assert.equal(code, 0, stderr);
    for (const part of ["notes_search", "notes_import", "DENIED"]) t.assert.ok(stdout.includes(part), `neutron audit does not say ${part}`);
  });
  await t.step("nothing of the shell failed", async () => t.assert.deepEqual(d.errors, []));
}
