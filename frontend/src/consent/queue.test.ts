import { describe, expect, test } from "vitest";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { Choice, QuestionKind, QuestionSchema, QuestionState } from "../wire/neutron/link/v1/link_pb";
import { allowOf, answerOf, nameOf, openOf, sentenceOf, timeLeft, waitingOf } from "./queue";

const question = (over: MessageInitShape<typeof QuestionSchema> = {}) =>
  create(QuestionSchema, {
    id: "q1",
    kind: QuestionKind.USE,
    state: QuestionState.WAITING,
    caller: { appId: "daybook", name: "Daybook" },
    target: { appId: "notes", name: "Notes" },
    tool: "search",
    choices: [Choice.DENY, Choice.ONCE, Choice.SESSION],
    ...over,
  } as MessageInitShape<typeof QuestionSchema>);

describe("the queue", () => {
  test("at most one is open, the oldest; the others wait", () => {
    const queue = [question({ id: "a" }), question({ id: "b", state: QuestionState.OPEN }), question({ id: "c", state: QuestionState.OPEN }), question({ id: "d" })];
    expect(openOf(queue)?.id).toBe("b");
    expect(waitingOf(queue).map((q) => q.id)).toEqual(["a", "d"]);
    expect(openOf([])).toBeNull();
  });

  test("sentences", () => {
    expect(sentenceOf(question())).toBe("Let Daybook use “search” in Notes?");
    expect(sentenceOf(question({ kind: QuestionKind.DISCOVER, tool: "" }))).toBe("Let Daybook see the tools of Notes?");
    expect(sentenceOf(question({ kind: QuestionKind.REQUEST }))).toContain("until you lock or quit");
  });

  test("a party without a name is called by what the kernel knows", () => {
    expect(nameOf(question({ caller: { endpointId: "cli" } }).caller)).toBe("cli");
    expect(nameOf(undefined)).toBe("A frame");
  });

  test("only what the kernel offers becomes a button, in its order", () => {
    expect(allowOf(question()).map((c) => c.id)).toEqual(["once", "session"]);
    expect(allowOf(question({ choices: [Choice.DENY, Choice.SESSION] })).map((c) => c.id)).toEqual(["session"]);
    expect(allowOf(question({ choices: [Choice.DENY] }))).toEqual([]);
    expect(allowOf(question({ choices: [99 as Choice] }))).toEqual([]);
  });

  test("a button it does not know refuses", () => {
    expect(answerOf("once")).toEqual({ choice: Choice.ONCE, pauseMs: 0n });
    expect(answerOf("session")).toEqual({ choice: Choice.SESSION, pauseMs: 0n });
    expect(answerOf("pause:60000")).toEqual({ choice: Choice.DENY, pauseMs: 60_000n });
    for (const id of ["deny", "", "always", "pause:", "pause:-1", "pause:9e9", "once "]) expect(answerOf(id)).toEqual({ choice: Choice.DENY, pauseMs: 0n });
  });

  test("time left stays between nothing and the whole", () => {
    expect(timeLeft(question(), 5, 60_000)).toBe(60_000);
    expect(timeLeft(question({ expiresAtMs: 100_000n }), 70_000, 60_000)).toBe(30_000);
    expect(timeLeft(question({ expiresAtMs: 100_000n }), 10_000, 60_000)).toBe(60_000);
    expect(timeLeft(question({ expiresAtMs: 100_000n }), 200_000, 60_000)).toBe(0);
  });
});
