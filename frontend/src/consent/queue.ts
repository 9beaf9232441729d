import { Choice, QuestionKind, QuestionState, type Question } from "../wire/neutron/link/v1/link_pb";
import { t } from "../design/strings";
import type { SheetChoice } from "../design/guardedSheet";

/** openOf is the question that is on the sheet; the kernel opens at most one, and the first wins here too. */
export function openOf(queue: readonly Question[]): Question | null {
  return queue.find((q) => q.state === QuestionState.OPEN) ?? null;
}

/** waitingOf lists the questions that wait as a chip, oldest first. */
export function waitingOf(queue: readonly Question[]): readonly Question[] {
  return queue.filter((q) => q.state === QuestionState.WAITING);
}

/** nameOf is what a party is called: its unverified name, or the id that the kernel knows. */
export function nameOf(party: Question["caller"]): string {
  if (party === undefined) return t.question.aFrame;
  return party.name !== "" ? party.name : party.appId !== "" ? party.appId : party.endpointId;
}

/** sentenceOf is the question in one sentence. */
export function sentenceOf(q: Question): string {
  const caller = nameOf(q.caller);
  const target = nameOf(q.target);
  switch (q.kind) {
    case QuestionKind.DISCOVER:
      return t.question.discover(caller, target);
    case QuestionKind.REQUEST:
      return t.question.request(caller, q.tool, target);
    default:
      return t.question.use(caller, q.tool, target);
  }
}

/** allowOf makes the buttons that allow, in the kernel's order. What the kernel does not offer is not shown. */
export function allowOf(q: Question): readonly SheetChoice[] {
  const listing = q.kind === QuestionKind.DISCOVER || q.tool === "";
  return q.choices.flatMap((c) => {
    if (c === Choice.ONCE) return [{ id: "once", label: t.question.once, note: listing ? t.question.onceDiscover : t.question.onceUse }];
    if (c === Choice.SESSION) return [{ id: "session", label: t.question.session, note: listing ? t.question.sessionDiscover : t.question.sessionUse }];
    return [];
  });
}

/** Answer is what a button of the sheet means on the wire. */
export interface Answer {
  readonly choice: Choice;
  /** pauseMs is 0 for the kernel's own pause after a refusal. */
  readonly pauseMs: bigint;
}

/** answerOf reads a button's id; whatever it does not know refuses. */
export function answerOf(id: string): Answer {
  if (id === "once") return { choice: Choice.ONCE, pauseMs: 0n };
  if (id === "session") return { choice: Choice.SESSION, pauseMs: 0n };
  const pause = /^pause:(\d{1,9})$/.exec(id);
  return { choice: Choice.DENY, pauseMs: pause?.[1] === undefined ? 0n : BigInt(pause[1]) };
}

/** timeLeft is how long the question still stands, in milliseconds. Before it was shown that is its whole time. */
export function timeLeft(q: Question, now: number, wholeMs: number): number {
  return q.expiresAtMs === 0n ? wholeMs : Math.min(wholeMs, Math.max(0, Number(q.expiresAtMs) - now));
}
