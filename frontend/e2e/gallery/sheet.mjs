// The question sheet under real input in Chromium: what must never answer, and what must.
//
//   node e2e/gallery/sheet.mjs [word of a case]
import assert from "node:assert/strict";
import { openGallery } from "./open.mjs";

const DENY = 1;
const ONCE = 2;
const SESSION = 3;
const armMs = 700;
const cases = [];
const rule = (name, screen, run) => cases.push({ name, screen, run });

const answers = (page) => page.evaluate(() => window.fixture.link.asked.filter((a) => a.case === "questionAnswer").map((a) => ({ choice: a.value.choice, pauseMs: Number(a.value.pauseMs), digest: a.value.digest })));
const none = async (page) => assert.deepEqual(await answers(page), []);
const one = async (page, choice, pauseMs = 0) => assert.deepEqual(await answers(page), [{ choice, pauseMs, digest: "d1" }]);
const choice = (page, id) => page.locator(`dialog.question [data-choice="${id}"]`);
// Waits for the buttons by what the page itself shows, not by a clock.
const armed = (page) => page.waitForFunction(() => document.querySelector("dialog.question [data-choice]")?.getAttribute("aria-disabled") === "false");
const waiting = (page) => page.waitForFunction(() => document.querySelector("dialog.question [data-choice]")?.getAttribute("aria-disabled") === "true");
const inside = (page) => page.evaluate(() => document.querySelector("dialog.question")?.contains(document.activeElement) === true);
const focused = (page) => page.evaluate(() => document.activeElement?.getAttribute("data-choice"));
const native = (page, ...keys) => page.evaluate((all) => {
  // In one go: a busy machine could arm the buttons between two of them.
  for (const k of all) window.fixture.link.say({ case: "nativeKey", value: { alt: false, ctrl: false, shift: false, meta: false, shortcut: false, ...k } });
}, keys.map((k) => (typeof k === "string" ? { key: k } : k)));

// The page says when its presses came: a machine that was too slow for "too early" proves nothing, and the rule runs again.
class TooSlow extends Error {}
const fresh = (page) => page.evaluate(() => void (window.presses = [performance.now()]));
const tooEarly = async (page) => {
  const at = await page.evaluate(() => window.presses);
  assert.ok(at.length > 1, "the page saw no press");
  // The first time only says that nothing before it counts.
  if (at.slice(2).some((t, i) => t - at[i + 1] > armMs - 50)) throw new TooSlow("no press came too early");
};

rule("the focus starts on refusal, and the kernel hears that it was shown", "question", async (page) => {
  await armed(page);
  assert.equal(await focused(page), "deny");
  assert.deepEqual(await page.evaluate(() => window.fixture.link.said.filter((s) => s.case === "questionShown").map((s) => s.value.id)), ["q1"]);
});
rule("an armed click allows once", "question", async (page) => {
  await armed(page);
  await choice(page, "once").click();
  await one(page, ONCE);
});
rule("a second click answers no second time", "question", async (page) => {
  await armed(page);
  await choice(page, "once").dblclick({ force: true });
  await one(page, ONCE);
});
rule("a click before the buttons are armed does nothing, and starts the wait anew", "question", async (page) => {
  const box = await choice(page, "once").boundingBox();
  await page.mouse.move(box.x + 20, box.y + 20);
  await fresh(page);
  await page.keyboard.press("x");
  for (let i = 0; i < 3; i++) {
    await page.mouse.down();
    await page.mouse.up();
  }
  await tooEarly(page);
  await none(page);
});
rule("a press that began too early does nothing when it ends late", "question", async (page) => {
  await armed(page);
  const box = await choice(page, "session").boundingBox();
  await page.mouse.move(box.x + 20, box.y + 20);
  await fresh(page);
  await page.keyboard.press("x");
  await page.mouse.down();
  await tooEarly(page);
  await waiting(page);
  await armed(page);
  await page.mouse.up();
  await none(page);
});
rule("what a script makes is no answer", "question", async (page) => {
  await armed(page);
  await page.evaluate(() => {
    for (const el of document.querySelectorAll("dialog.question [data-choice]")) {
      el.click();
      el.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
      el.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    }
    for (const init of [{ key: "1", altKey: true }, { key: "Enter" }, { key: "Escape" }]) dispatchEvent(new KeyboardEvent("keydown", { ...init, bubbles: true }));
  });
  await none(page);
});
for (const [key, want] of [["Alt+1", ONCE], ["Alt+2", SESSION], ["Escape", DENY], ["Enter", DENY], ["Space", DENY]]) {
  rule(`${key} answers when armed`, "question", async (page) => {
    await armed(page);
    await page.keyboard.press(key);
    await one(page, want);
  });
  rule(`${key} does nothing when not armed`, "question", async (page) => {
    await armed(page);
    await fresh(page);
    await page.keyboard.press("x");
    await page.keyboard.press(key);
    await tooEarly(page);
    await none(page);
  });
}
rule("letters, digits and chords never answer", "question", async (page) => {
  for (const key of ["y", "1", "2", "Control+Enter", "Control+1", "F8", "Alt+0", "Alt+3"]) {
    await armed(page);
    await page.keyboard.press(key);
  }
  await none(page);
});
rule("a key held down never answers", "question", async (page) => {
  await armed(page);
  await fresh(page);
  await page.keyboard.press("x");
  await page.keyboard.down("Enter");
  await tooEarly(page);
  for (let i = 0; i < 5; i++) await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  await none(page);
});
rule("Tab stays inside and Enter presses what it reached", "question", async (page) => {
  const seen = new Set();
  for (let i = 0; i < 9; i++) {
    await page.keyboard.press(i < 6 ? "Tab" : "Shift+Tab");
    seen.add(await focused(page));
    assert.ok(await inside(page), "the focus left the sheet");
  }
  assert.ok(seen.has("once") && seen.has("session"));
  await choice(page, "session").focus();
  await armed(page);
  await page.keyboard.press("Enter");
  await one(page, SESSION);
});
rule("a theft of the keyboard disarms, says who, and arms again", "question", async (page) => {
  await armed(page);
  const box = await choice(page, "once").boundingBox();
  await page.mouse.move(box.x + 20, box.y + 20);
  await fresh(page);
  await page.evaluate(() => {
    window.presses.push(performance.now());
    window.fixture.broker.steal("frame-daybook");
  });
  await page.mouse.down();
  await page.mouse.up();
  await tooEarly(page);
  await none(page);
  await page.evaluate(() => window.fixture.broker.steal("frame-daybook"));
  await page.getByText("Daybook took the keyboard").waitFor();
  await armed(page);
  await choice(page, "once").click();
  await one(page, ONCE);
});
rule("Esc pressed again and again does not close the sheet", "question", async (page) => {
  await fresh(page);
  await page.keyboard.press("x");
  for (let i = 0; i < 8; i++) await page.keyboard.press("Escape");
  await tooEarly(page);
  assert.equal(await page.locator("dialog.question[open]").count(), 1);
  await none(page);
});
rule("longer than the sheet: refusing works, allowing waits for the end", "question-long", async (page) => {
  await armed(page);
  await page.getByText("More below").waitFor();
  await page.keyboard.press("Alt+1");
  await none(page);
  await armed(page);
  await page.keyboard.press("End");
  await page.getByText("More below").waitFor({ state: "detached" });
  await armed(page);
  await page.keyboard.press("Alt+1");
  await one(page, ONCE);
});
rule("refusing does not wait for the end", "question-long", async (page) => {
  await armed(page);
  await page.keyboard.press("Escape");
  await one(page, DENY);
});
rule("pause refuses, for as long as it says", "question", async (page) => {
  await page.getByRole("button", { name: "Pause Daybook" }).click();
  await armed(page);
  await page.getByRole("button", { name: "Deny, and pause Daybook for 5 minutes" }).click();
  await one(page, DENY, 300_000);
});
rule("held keys of the window move, press and refuse under the same guard", "question", async (page) => {
  await native(page, "x", "Enter");
  await none(page);
  await armed(page);
  await native(page, "Tab", "Enter");
  await none(page);
  // The copy button comes before the choices; walk until Allow once has the focus.
  for (let i = 0; i < 8 && (await focused(page)) !== "once"; i++) await native(page, "Tab");
  assert.equal(await focused(page), "once");
  await armed(page);
  await native(page, "Enter");
  await one(page, ONCE);
});
rule("held keys: Alt 2 allows the session, a caught shortcut is no key", "question", async (page) => {
  await armed(page);
  await native(page, { key: "2", alt: true, shortcut: true });
  await none(page);
  await native(page, { key: "2", alt: true });
  await one(page, SESSION);
});
rule("the launcher's chord does nothing under a question", "question", async (page) => {
  await page.keyboard.press("Control+k");
  assert.equal(await page.locator("dialog.pal").count(), 0);
});
rule("a waiting question takes no focus and opens by F8", "question-waits", async (page) => {
  await page.locator(".asks").waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.className), "");
  await page.keyboard.press("F8");
  assert.deepEqual(await page.evaluate(() => window.fixture.link.asked.filter((a) => a.case === "questionOpen").map((a) => a.value.id)), ["q2"]);
});
rule("a review starts on Cancel; Enter cancels, nothing is installed", "install-review", async (page) => {
  await armed(page);
  assert.equal(await focused(page), "cancel");
  await page.keyboard.press("Enter");
  await page.locator("dialog.question").waitFor({ state: "detached" });
  assert.deepEqual(await page.evaluate(() => window.fixture.link.asked.map((a) => a.case).filter((c) => c.endsWith("Install"))), ["discardInstall"]);
});
rule("a review installs exactly the digest that was shown", "install-review", async (page) => {
  await armed(page);
  await page.keyboard.press("End");
  await page.getByText("More below").waitFor({ state: "detached" });
  await armed(page);
  await page.keyboard.press("Alt+1");
  const asked = await page.evaluate(() => window.fixture.link.asked.find((a) => a.case === "approveInstall")?.value);
  assert.equal(asked.reviewId, "r1");
  assert.match(asked.digest, /^b41c9f0e[0-9a-f]{56}$/);
});
rule("closing gives the focus back", "workspace-two", async (page) => {
  const settings = page.getByRole("button", { name: "Settings" });
  await settings.focus();
  await page.keyboard.press("Control+k");
  await page.locator("dialog.pal").waitFor();
  await page.keyboard.press("Escape");
  await page.locator("dialog.pal").waitFor({ state: "detached" });
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("aria-label")), "Settings");
});
// Opens the launcher of a page that has not got it yet; what it gives lets it come.
const slowLauncher = async (page) => {
  let come;
  const coming = new Promise((done) => (come = done));
  await page.route(/\/launcher-[^/]*\.js$/, async (route) => {
    await coming;
    await route.continue();
  });
  await page.reload();
  await page.getByRole("button", { name: "Settings" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.locator("dialog.pal [aria-busy]").waitFor();
  return come;
};
rule("what is typed before the launcher has come is not lost", "workspace-two", async (page) => {
  const come = await slowLauncher(page);
  await page.keyboard.type("appear");
  come();
  await page.locator("dialog.pal [role=option][aria-selected=true]").waitFor();
  assert.equal(await page.locator("dialog.pal input").inputValue(), "appear");
  assert.ok(await page.evaluate(() => document.activeElement?.matches("dialog.pal input")), "the field has no focus");
  await page.keyboard.press("Escape");
  await page.locator("dialog.pal").waitFor({ state: "detached" });
  // And the next opening begins empty.
  await page.keyboard.press("Control+k");
  assert.equal(await page.locator("dialog.pal input").inputValue(), "");
});
rule("Enter before the launcher has come runs what was typed", "workspace-two", async (page) => {
  const come = await slowLauncher(page);
  await page.keyboard.type("appearance");
  await page.keyboard.press("Enter");
  come();
  await page.locator("dialog.pal").waitFor({ state: "detached" });
  await page.getByRole("radiogroup").first().waitFor();
});

const { base, browser, close } = await openGallery();
let failed = 0;
let ran = 0;
try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  // Before the sheet's own listener, so that it sees what that one ends.
  await context.addInitScript(() => {
    window.presses = [];
    for (const kind of ["keydown", "pointerdown"]) addEventListener(kind, () => window.presses.push(performance.now()), true);
  });
  const once = async ({ screen, run }) => {
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    try {
      await page.goto(`${base}#${screen}`);
      await page.waitForFunction(() => document.getElementById("root").childElementCount > 0);
      if (screen.startsWith("question") && screen !== "question-waits") await page.locator("dialog.question[open]").waitFor();
      await run(page);
    } finally {
      await page.close();
    }
  };
  const oftenEnough = async (one) => {
    for (let tries = 1; ; tries++) {
      try {
        return await once(one);
      } catch (e) {
        if (!(e instanceof TooSlow) || tries === 10) throw e;
      }
    }
  };
  for (const one of cases.filter((c) => process.argv.slice(2).every((w) => c.name.includes(w)))) {
    ran++;
    try {
      await oftenEnough(one);
    } catch (e) {
      failed++;
      console.error(`${one.name}\n  ${String(e.message).split("\n").slice(0, 6).join("\n  ")}`);
    }
  }
} finally {
  await close();
}
console.log(`sheet: ${ran} rules, ${failed} broken`);
process.exitCode = failed === 0 && ran > 0 ? 0 : 1;
