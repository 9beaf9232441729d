import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { StateChange, Versioned } from "../src/state";
import { compareRevisions } from "../src/state";
import { type Line, Stage, codeOf, thrown } from "./stage";

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => {
  vi.useRealTimers();
  stage.dispose();
});

async function connected(): Promise<Line> {
  const line = stage.connect();
  await line.push();
  return line;
}

/** told has the shell tell a revision and waits for the page's answer. */
async function told(line: Line, topic: string, revision: string): Promise<void> {
  line.exec("app.state", { topic, revision });
  expect((await line.next()).ok).toEqual({});
}

/** asked is a fetch whose answers the test gives, in any order. */
function asked(): { fetch: () => Promise<Versioned<string>>; answers: ((answer: Versioned<string> | Error) => void)[] } {
  const answers: ((answer: Versioned<string> | Error) => void)[] = [];
  const fetch = (): Promise<Versioned<string>> =>
    new Promise((resolve, reject) => answers.push((answer) => (answer instanceof Error ? reject(answer) : resolve(answer))));
  return { fetch, answers };
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

describe("revisions", () => {
  test("A5 a topic and a revision have a grammar; the page sends nothing else", async () => {
    const line = await connected();
    const sent = stage.bus.states.publish("notes", 42n);
    const message = await line.action("app.state.publish");
    expect(message.payload.payload).toEqual({ topic: "notes", revision: "42" });
    line.post({ type: "response", id: message.id, ok: { delivered: 0 } });
    await sent;
    for (const [topic, revision] of [
      ["../x", "1"], ["", "1"], ["Notes", "1"], ["1a", "1"], ["a".repeat(65), "1"], ["notes", "042"], ["notes", "-1"], ["notes", 1.5],
      ["notes", Number.NaN], ["notes", ""], ["notes", "1".repeat(129)], ["store", "1"], [7 as never, "1"],
    ] as const) {
      expect([topic, revision, await codeOf(stage.bus.states.publish(topic, revision))]).toEqual([topic, revision, "INVALID_REQUEST"]);
    }
    line.exec("ping", {});
    expect((await line.next()).ok).toEqual({}); // nothing was sent in between
  });

  test("A4 a page answers app.state, and a malformed one reaches nobody", async () => {
    const line = await connected();
    const heard: StateChange[] = [];
    const stop = stage.bus.states.on("notes", (change) => heard.push(change));
    stage.bus.states.on("notes", () => {
      throw new Error("a listener's own problem");
    });
    await told(line, "notes", "7");
    await told(line, "tags", "8");
    for (const payload of [{}, { topic: "notes" }, { topic: "notes", revision: 7 }, { topic: "notes", revision: "07" }, { topic: "../x", revision: "7" }, { topic: "notes", revision: "7", appId: "b" }, []]) {
      line.exec("app.state", payload);
      expect((await line.next()).error?.code).toBe("INVALID_REQUEST");
    }
    stop();
    await told(line, "notes", "9");
    expect(heard).toEqual([{ topic: "notes", revision: "7" }]);
  });

  test("are compared as numbers, however long", () => {
    expect(compareRevisions("9", "10")).toBeLessThan(0);
    expect(compareRevisions("1".repeat(100), "9".repeat(99))).toBeGreaterThan(0);
    expect(compareRevisions(12n, "12")).toBe(0);
    expect(thrown(() => compareRevisions("x", 1))).toBe("INVALID_REQUEST");
  });
});

describe("watchState", () => {
  test("shows newer answers and never an older one", async () => {
    const line = await connected();
    const { fetch, answers } = asked();
    const watch = stage.bus.states.watch("notes", fetch);
    const shown: string[] = [];
    watch.subscribe((value, revision) => shown.push(`${value}@${revision}`));
    answers[0]?.({ value: "five", revision: 5 });
    await settled();
    const refreshed = watch.refresh();
    answers[1]?.({ value: "older", revision: "4" });
    await refreshed;
    expect([shown, watch.current]).toEqual([["five@5"], { value: "five", revision: "5" }]);
    await told(line, "notes", "5"); // known
    await told(line, "other", "9");
    expect(answers.length).toBe(2);
    await told(line, "notes", "10");
    answers[2]?.({ value: "ten", revision: "10" });
    await settled();
    expect(shown).toEqual(["five@5", "ten@10"]);
    const late: string[] = [];
    watch.subscribe((value) => late.push(value));
    expect(late).toEqual(["ten"]);
  });

  test("asks once more for whatever came while a fetch was under way", async () => {
    const line = await connected();
    const { fetch, answers } = asked();
    const watch = stage.bus.states.watch("notes", fetch);
    for (const revision of ["1", "2", "3"]) await told(line, "notes", revision);
    expect(answers.length).toBe(1);
    answers[0]?.({ value: "a", revision: "1" });
    await settled();
    expect(answers.length).toBe(2);
    answers[1]?.({ value: "c", revision: "3" });
    await settled();
    expect([answers.length, watch.current?.value]).toEqual([2, "c"]);
  });

  test("fetches anew on each connection and on what the page itself publishes, until it is stopped", async () => {
    const { fetch, answers } = asked();
    const watch = stage.bus.states.watch("notes", fetch);
    answers[0]?.({ value: "a", revision: "1" });
    await settled();
    const line = await connected();
    expect(answers.length).toBe(2);
    answers[1]?.({ value: "a", revision: "1" });
    await settled();
    const published = stage.bus.states.publish("notes", "2");
    const { id } = await line.action("app.state.publish");
    line.post({ type: "response", id, ok: { delivered: 0 } });
    await published;
    expect(answers.length).toBe(3);
    watch.stop();
    answers[2]?.({ value: "b", revision: "2" });
    await settled();
    await told(line, "notes", "3");
    expect([answers.length, watch.current?.value, await codeOf(watch.refresh())]).toEqual([3, "a", "CANCELLED"]);
  });

  test("tells of a failed fetch and tries again, less and less often, and gives up", async () => {
    vi.useFakeTimers();
    vi.resetModules();
    stage.dispose();
    stage = new (await import("./stage")).Stage() as Stage;
    const { fetch, answers } = asked();
    const watch = stage.bus.states.watch("notes", fetch);
    const failures: unknown[] = [];
    watch.subscribe(() => {}, (error) => failures.push(error));
    for (let n = 0, wait = 1_000; n < 5; n++, wait *= 2) {
      answers[n]?.(new Error(`failure ${n}`));
      await vi.advanceTimersByTimeAsync(wait - 1);
      expect(answers.length).toBe(n + 1);
      await vi.advanceTimersByTimeAsync(1);
      expect(answers.length).toBe(n + 2);
    }
    answers[5]?.(new Error("the last one"));
    await vi.advanceTimersByTimeAsync(1_000_000);
    expect([answers.length, failures.length]).toEqual([6, 6]);
    stage.bus.states.own("notes", "1"); // news begins again
    answers[6]?.({ value: "a", revision: "1" });
    await vi.advanceTimersByTimeAsync(0);
    expect(watch.current?.value).toBe("a");
  });

  test("against random orders of news and answers the newest revision stays", async () => {
    const line = await connected();
    let seed = 7;
    const random = (n: number): number => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % n;
    const { fetch, answers } = asked();
    const watch = stage.bus.states.watch("notes", fetch);
    let last = -1;
    watch.subscribe((_, revision) => {
      expect(Number(revision)).toBeGreaterThan(last);
      last = Number(revision);
    });
    let [truth, answered] = [0, 0];
    for (let step = 0; step < 300; step++) {
      if (random(2) === 0) await told(line, "notes", `${++truth}`);
      else if (random(3) === 0) watch.refresh().catch(() => {});
      if (answered < answers.length && random(3) === 0) answers[answered++]?.({ value: "", revision: Math.max(0, truth - random(3)) });
      await settled();
    }
    await told(line, "notes", `${++truth}`);
    for (let n = 0; n < 3; n++) {
      for (; answered < answers.length; answered++) answers[answered]?.({ value: "", revision: truth });
      await settled();
    }
    expect([last, watch.current?.revision]).toEqual([truth, `${truth}`]);
  });
});
