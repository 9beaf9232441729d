// What every Peer must do, as cases that run over real MessagePorts: in node by contract.test.ts, and
// in a page of each engine by importing this file. No case waits for time to pass: a port keeps the
// order of its messages, so "nothing came" is "the next thing that came is the one sent afterwards".

import { NeutronError } from "./fault";
import { Peer, type Incoming, type PeerOptions, type Refusal } from "./peer";

/** Case is one observable consequence of one rule. */
export interface Case {
  readonly rule: string;
  readonly title: string;
  run(wire: Wire): Promise<void>;
}

/** Wire is one end under test, and the raw other end. */
export interface Wire {
  peer(options?: Partial<PeerOptions>): Peer;
  /** post sends anything from the raw end. */
  post(message: unknown): void;
  /** next is the next message at the raw end. */
  next(): Promise<Raw>;
  /** refused lists what the peer dropped. */
  readonly refused: Refusal[];
  readonly execs: Incoming[];
  /** arrived waits until the peer has handled everything that was posted so far. */
  arrived(): Promise<void>;
}

/** Raw is a message as the raw end sees it. */
export interface Raw {
  readonly type: string;
  readonly id: number;
  readonly [key: string]: unknown;
}

/** openWire makes a wire over a fresh channel, and what closes it. */
export function openWire(): { wire: Wire; close(): void } {
  const { port1, port2 } = new MessageChannel();
  const queue: Raw[] = [];
  const waiting: ((message: Raw) => void)[] = [];
  const refused: Refusal[] = [];
  const execs: Incoming[] = [];
  const marks = new Map<number, () => void>();
  let peer: Peer | undefined;
  let mark = 9_000_000;
  port2.onmessage = (event: MessageEvent<Raw>) => {
    const waiter = waiting.shift();
    if (waiter === undefined) queue.push(event.data);
    else waiter(event.data);
  };
  const wire: Wire = {
    refused,
    execs,
    peer: (options = {}) =>
      (peer = new Peer(port1, {
        refused: (why) => refused.push(why),
        ...options,
        exec: (incoming) => {
          const done = marks.get(incoming.id);
          if (done !== undefined) return done();
          execs.push(incoming);
          options.exec?.(incoming);
        },
      })),
    post: (message) => port2.postMessage(message),
    next: () => {
      const first = queue.shift();
      return first === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(first);
    },
    arrived: () =>
      new Promise((resolve) => {
        const id = ++mark;
        marks.set(id, resolve);
        port2.postMessage({ type: "exec", id, payload: { action: "mark", payload: {} } });
      }),
  };
  return {
    wire,
    close: () => {
      peer?.close();
      port1.close();
      port2.close();
    },
  };
}

class Failure extends Error {}

/** same compares two JSON values by their text. */
function same(got: unknown, want: unknown, what: string): void {
  const [a, b] = [JSON.stringify(got), JSON.stringify(want)];
  if (a !== b) throw new Failure(`${what}: got ${a}, want ${b}`);
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof NeutronError) return error.code;
    throw error;
  }
  return "ok";
}

const exec = (id: unknown, payload: unknown = {}, action: unknown = "x"): unknown => ({ type: "exec", id, payload: { action, payload } });
const minute = { timeoutMs: 60_000 };

/** A few values that are not JSON but survive a structured clone, so a receiver really meets them. */
export const clonable: readonly (readonly [string, () => unknown])[] = [
  ["undefined in an object", () => ({ a: undefined })],
  ["undefined in an array", () => [undefined]],
  ["NaN", () => Number.NaN],
  ["an infinity", () => [Number.POSITIVE_INFINITY]],
  ["a bigint", () => 1n],
  ["a Date", () => new Date(0)],
  ["a Map", () => new Map()],
  ["a Set", () => new Set()],
  ["a RegExp", () => /x/],
  ["an Error", () => new Error("x")],
  ["a typed array", () => new Uint8Array(1)],
  ["a buffer", () => new ArrayBuffer(1)],
  ["a boxed number", () => Object(1) as unknown],
  ["a cycle", () => {
    const a: { self?: unknown } = {};
    a.self = a;
    return a;
  }],
  ["an array with a hole", () => [1, , 2]], // eslint-disable-line no-sparse-arrays
  ["an array with a named member", () => Object.assign([1], { more: 2 })],
  ["a member named __proto__", () => JSON.parse('{"__proto__":1}') as unknown],
  ["half a surrogate pair", () => "\ud800"],
  ["half a surrogate pair in a name", () => ({ "a\udc00": 1 })],
  ["a number too small to write", () => 5e-324],
];

/** contract lists the cases. */
export const contract: readonly Case[] = [
  {
    rule: "E1",
    title: "drops what is no envelope and counts it",
    run: async (wire) => {
      wire.peer();
      for (const bad of [null, 1, "exec", [], {}, { type: "exec" }, { type: "Exec", id: 1, payload: {} }, { type: "hello", id: 1 }]) wire.post(bad);
      await wire.arrived();
      same(wire.execs.length, 0, "execs");
      same(wire.refused.length, 8, "refused");
    },
  },
  {
    rule: "E2",
    title: "refuses a key more, at every level",
    run: async (wire) => {
      wire.peer();
      wire.post({ type: "exec", id: 1, payload: { action: "x", payload: {} }, from: "app:other" });
      wire.post({ type: "exec", id: 2, payload: { action: "x", payload: {}, appId: "other" } });
      wire.post({ type: "exec", id: 3, payload: { action: "x" } });
      wire.post({ type: "cancel", id: 4, why: "no" });
      for (const id of [1, 2, 3]) {
        const answer = await wire.next();
        same([answer.id, (answer.error as { code: string }).code], [id, "INVALID_REQUEST"], "answer");
      }
      await wire.arrived();
      same([wire.execs.length, wire.refused.length], [0, 4], "execs, refused");
    },
  },
  {
    rule: "E3",
    title: "takes ids from 1 to 2^53-1 and no others",
    run: async (wire) => {
      wire.peer();
      for (const id of [0, -1, 1.5, 2 ** 53, Number.NaN, "1", null, undefined, 1n]) wire.post(exec(id));
      wire.post(exec(1));
      wire.post(exec(2 ** 53 - 1));
      await wire.arrived();
      same(wire.execs.map((one) => one.id), [1, 2 ** 53 - 1], "ids taken");
      same(wire.refused.length, 9, "refused");
    },
  },
  {
    rule: "E4",
    title: "keeps a call open when a response has both or neither of ok and error",
    run: async (wire) => {
      const answer = wire.peer().call("x", {}, minute);
      const { id } = await wire.next();
      const error = { name: "NeutronError", message: "", code: "DENIED" };
      wire.post({ type: "response", id });
      wire.post({ type: "response", id, ok: 1, error });
      wire.post({ type: "response", id, ok: "right" });
      same(await answer, "right", "answer");
      same(wire.refused, ["INVALID_REQUEST", "INVALID_REQUEST"], "refused");
    },
  },
  {
    rule: "E5",
    title: "refuses an action that is not words joined by dots",
    run: async (wire) => {
      wire.peer();
      const bad = ["", "X", "a..b", ".a", "a.", "a b", "a".repeat(65), 1, null];
      bad.forEach((action, i) => wire.post(exec(i + 1, {}, action)));
      wire.post(exec(100, {}, "a".repeat(64)));
      wire.post(exec(101, {}, "tools.call"));
      await wire.arrived();
      same(wire.execs.map((one) => one.id), [100, 101], "taken");
    },
  },
  {
    rule: "E6",
    title: "takes a context of one invocation and nothing else",
    run: async (wire) => {
      wire.peer();
      const token = "a".repeat(32);
      const invocation = { id: token, rootId: token, capability: token };
      const contexts: unknown[] = [
        { invocation, more: 1 }, { invocation: { ...invocation, more: 1 } }, { invocation: { id: token, rootId: token } },
        { invocation: { ...invocation, capability: "short" } }, null, [], { invocation: null }, { invocation: { ...invocation, id: 1 } },
      ];
      contexts.push({ invocation }, {});
      contexts.forEach((context, i) => wire.post({ type: "exec", id: i + 1, payload: { action: "x", payload: {}, context } }));
      await wire.arrived();
      same(wire.execs.map((one) => one.context), [{ invocation }, {}], "contexts taken");
    },
  },
  {
    rule: "E7",
    title: "takes only closed errors, without a stack",
    run: async (wire) => {
      const answer = wire.peer().call("x", {}, minute);
      const { id } = await wire.next();
      const good = { name: "NeutronError", message: "no", code: "APP_PAUSED", retryAfterMs: 250 };
      const bad = [
        { ...good, stack: "at x" }, { ...good, code: "lower" }, { ...good, message: "x".repeat(1_001) }, { ...good, retryAfterMs: 1.5 },
        { ...good, retryAfterMs: -1 }, { name: "NeutronError", message: "no" }, "no", null,
      ];
      for (const error of bad) wire.post({ type: "response", id, error });
      wire.post({ type: "response", id, error: good });
      const error = await answer.then(() => null, (thrown: unknown) => thrown);
      if (!(error instanceof NeutronError)) throw new Failure("the call did not reject with a NeutronError");
      same([error.code, error.message, error.retryAfterMs], ["APP_PAUSED", "no", 250], "error");
      same(wire.refused.length, bad.length, "refused");
    },
  },
  {
    rule: "E8",
    title: "answers a malformed exec, but never in place of the one being served",
    run: async (wire) => {
      wire.peer();
      wire.post({ type: "exec", id: 5, payload: "no" });
      const first = await wire.next();
      same([first.id, (first.error as { code: string }).code], [5, "INVALID_REQUEST"], "answer");
      wire.post(exec(6));
      wire.post({ type: "exec", id: 6, payload: "no" });
      await wire.arrived();
      wire.execs[0]?.respond("good");
      same((await wire.next()).ok, "good", "answer of the served exec");
    },
  },
  {
    rule: "E9",
    title: "turns what a handler throws into a coded error without a stack",
    run: async (wire) => {
      const throws: unknown[] = [
        new NeutronError("CONFLICT", "again", 7), new Error("secret path?"), "text", { any: 1 }, null,
        new NeutronError("lower case", "x"), new Error("y".repeat(5_000)),
      ];
      wire.peer({ exec: (incoming) => { throw throws[incoming.id - 1]; } });
      throws.forEach((_, i) => wire.post(exec(i + 1)));
      const errors = [];
      for (const _ of throws) errors.push((await wire.next()).error as Record<string, unknown>);
      same(errors.map((error) => error.code), ["CONFLICT", ...Array<string>(6).fill("HANDLER_FAILED")], "codes");
      same(errors[0], { name: "NeutronError", message: "again", code: "CONFLICT", retryAfterMs: 7 }, "first");
      same(errors.some((error) => "stack" in error), false, "a stack");
      same((errors[6]?.message as string).length, 1_000, "length of the long message");
    },
  },
  ...clonable.map(([what, make], i): Case => ({
    rule: ["J1", "J2", "J3", "J4", "J5", "J6"][what.includes("cycle") ? 2 : what.includes("surrogate") ? 4 : what.includes("small") ? 5 : /hole|member/.test(what) ? 3 : 1] ?? "J2",
    title: `refuses ${what} from the other end (${i + 1})`,
    run: async (wire) => {
      wire.peer();
      wire.post(exec(1, { deep: [make()] }));
      const answer = await wire.next();
      same([answer.id, (answer.error as { code: string }).code], [1, "INVALID_REQUEST"], "answer");
      same(wire.execs.length, 0, "execs");
    },
  })),
  {
    rule: "J9",
    title: "judges what this side sends before it posts, and what comes before anybody sees it",
    run: async (wire) => {
      const peer = wire.peer();
      same(await codeOf(peer.call("x", { f: () => 1 }, minute)), "INVALID_REQUEST", "a call with a function");
      same(await codeOf(peer.call("x", { d: new Date(0) }, minute)), "INVALID_REQUEST", "a call with a date");
      const answer = peer.call("y", { fine: true }, minute);
      const first = await wire.next();
      same((first.payload as { action: string }).action, "y", "the first thing posted");
      wire.post({ type: "response", id: first.id, ok: new Date(0) });
      same(await codeOf(answer), "OUTPUT_INVALID", "a result that is no JSON");
    },
  },
  {
    rule: "R1",
    title: "answers once, whatever the handler does afterwards",
    run: async (wire) => {
      wire.peer();
      wire.post(exec(1));
      await wire.arrived();
      const [one] = wire.execs;
      one?.respond("first");
      one?.respond("second");
      one?.fail(new Error("third"));
      one?.progress("late");
      wire.post(exec(2));
      await wire.arrived();
      wire.execs[1]?.respond("next");
      same((await wire.next()).ok, "first", "first answer");
      same((await wire.next()).ok, "next", "what followed");
    },
  },
  {
    rule: "R2",
    title: "ignores a response with the id of another call or of none, and one on another port",
    run: async (wire) => {
      const other = openWire();
      const peer = wire.peer();
      const elsewhere = other.wire.peer();
      const mine = peer.call("x", {}, minute);
      const theirs = elsewhere.call("x", {}, minute);
      const { id } = await wire.next();
      await other.wire.next();
      wire.post({ type: "response", id: id + 1, ok: "no" });
      other.wire.post({ type: "response", id, ok: "theirs" });
      same(await theirs, "theirs", "the other call");
      wire.post({ type: "response", id, ok: "mine" });
      wire.post({ type: "response", id, ok: "twice" });
      same(await mine, "mine", "this call");
      await wire.arrived();
      same(wire.refused, ["LATE", "LATE"], "refused");
      other.close();
    },
  },
  {
    rule: "R3",
    title: "drops an exec whose id is being served, and takes it again afterwards",
    run: async (wire) => {
      wire.peer();
      wire.post(exec(1, { n: 1 }));
      wire.post(exec(1, { n: 2 }));
      await wire.arrived();
      same(wire.execs.map((one) => one.payload), [{ n: 1 }], "taken");
      wire.execs[0]?.respond(1);
      await wire.next();
      wire.post(exec(1, { n: 3 }));
      await wire.arrived();
      same(wire.execs.length, 2, "taken after the answer");
    },
  },
  {
    rule: "R4",
    title: "answers OUTPUT_INVALID for a result that is no JSON, LIMIT for one too large",
    run: async (wire) => {
      const results: unknown[] = [undefined, () => 1, new Map(), "x".repeat(1 << 20), "x".repeat((1 << 20) - 2)];
      wire.peer({ exec: (incoming) => incoming.respond(results[incoming.id - 1]) });
      results.forEach((_, i) => wire.post(exec(i + 1)));
      const codes = [];
      for (const _ of results) {
        const answer = await wire.next();
        codes.push("ok" in answer ? "ok" : (answer.error as { code: string }).code);
      }
      same(codes, ["OUTPUT_INVALID", "OUTPUT_INVALID", "OUTPUT_INVALID", "LIMIT", "ok"], "codes");
    },
  },
  {
    rule: "R5",
    title: "fails a call with TIMEOUT, sends a cancel, ignores what comes later",
    run: async (wire) => {
      const peer = wire.peer();
      const late = codeOf(peer.call("x", {}, { timeoutMs: 1 }));
      const sent = await wire.next();
      same(await late, "TIMEOUT", "the call");
      const cancel = await wire.next();
      same(cancel, { type: "cancel", id: sent.id }, "cancel");
      wire.post({ type: "response", id: sent.id, ok: 1 });
      await wire.arrived();
      same(wire.refused, ["LATE"], "refused");
    },
  },
  {
    rule: "R6",
    title: "fails its calls and aborts its handlers when it closes, and reads no more",
    run: async (wire) => {
      const peer = wire.peer();
      const open = codeOf(peer.call("x", {}, minute));
      wire.post(exec(1));
      await wire.arrived();
      const aborted = wire.execs[0]?.signal;
      wire.post(exec(2));
      peer.close();
      same(await open, "ENDPOINT_GONE", "an open call");
      same(await codeOf(peer.call("x", {}, minute)), "ENDPOINT_GONE", "a call afterwards");
      same(aborted?.aborted, true, "the handler's signal");
      wire.execs[0]?.respond("too late");
      await new Promise((resolve) => setTimeout(resolve)); // lets the queued exec arrive, were it read
      same(wire.execs.length, 1, "execs");
    },
  },
  {
    rule: "R7",
    title: "does not use an id for two calls at a time",
    run: async (wire) => {
      const peer = wire.peer();
      const first = peer.call("x", {}, { ...minute, id: 2 });
      same(await codeOf(peer.call("x", {}, { ...minute, id: 2 })), "INVALID_REQUEST", "the same id again");
      const calls = [peer.call("x", {}, minute), peer.call("x", {}, minute)];
      const ids = [(await wire.next()).id, (await wire.next()).id, (await wire.next()).id];
      same(ids, [2, 1, 3], "ids");
      for (const id of ids) wire.post({ type: "response", id, ok: id });
      same(await Promise.all([first, ...calls]), [2, 1, 3], "answers");
    },
  },
  {
    rule: "P1",
    title: "brings progress to the open call of its id, and to none before, after or elsewhere",
    run: async (wire) => {
      const seen: unknown[] = [];
      const peer = wire.peer();
      wire.post({ type: "progress", id: 1, value: "early" });
      await wire.arrived();
      const answer = peer.call("x", {}, { ...minute, onProgress: (value) => seen.push(value) });
      const other = peer.call("x", {}, minute);
      const { id } = await wire.next();
      wire.post({ type: "progress", id, value: "a" });
      wire.post({ type: "progress", id: id + 1, value: "of the other, which does not listen" });
      wire.post({ type: "progress", id: id + 9, value: "of none" });
      wire.post({ type: "progress", id, value: "b" });
      wire.post({ type: "response", id, ok: 1 });
      wire.post({ type: "progress", id, value: "late" });
      wire.post({ type: "response", id: id + 1, ok: 1 });
      await answer;
      await other;
      same(seen, ["a", "b"], "seen");
      same(wire.refused, ["LATE", "LATE", "LATE"], "refused");
    },
  },
  {
    rule: "P2",
    title: "drops a progress value over 64 KiB at both ends, and nothing else",
    run: async (wire) => {
      const at = "x".repeat((64 << 10) - 2);
      const seen: unknown[] = [];
      const answer = wire.peer().call("x", {}, { ...minute, onProgress: (value) => seen.push(value) });
      const { id } = await wire.next();
      for (const value of [at, `${at}x`, new Date(0), "small"]) wire.post({ type: "progress", id, value });
      wire.post({ type: "response", id, ok: "result" });
      same(await answer, "result", "result");
      same(seen.map((value) => (value as string).length), [at.length, 5], "lengths seen");
      wire.post(exec(7));
      await wire.arrived();
      const [running] = wire.execs;
      for (const value of [`${at}x`, undefined, at]) running?.progress(value);
      running?.respond("done");
      same(((await wire.next()).value as string).length, at.length, "the one that was sent");
      same((await wire.next()).ok, "done", "result");
    },
  },
  {
    rule: "P3",
    title: "carries 2,000 progress values of one exec and drops the next, at both ends",
    run: async (wire) => {
      let seen = 0;
      const answer = wire.peer().call("x", {}, { ...minute, onProgress: () => seen++ });
      const { id } = await wire.next();
      for (let i = 0; i < 2_001; i++) wire.post({ type: "progress", id, value: i });
      wire.post({ type: "response", id, ok: "result" });
      same(await answer, "result", "result");
      same([seen, wire.refused], [2_000, ["LIMIT"]], "seen, refused");
      wire.post(exec(7));
      await wire.arrived();
      for (let i = 0; i < 2_001; i++) wire.execs[0]?.progress(i);
      wire.execs[0]?.respond("done");
      let sent = 0;
      while ((await wire.next()).type === "progress") sent++;
      same(sent, 2_000, "sent");
    },
  },
  {
    rule: "P4",
    title: "keeps the result when a progress callback throws",
    run: async (wire) => {
      const seen: unknown[] = [];
      const answer = wire.peer().call("x", {}, {
        ...minute,
        onProgress: (value) => {
          seen.push(value);
          throw new Failure("a consumer's mistake, thrown on purpose");
        },
      });
      const { id } = await wire.next();
      wire.post({ type: "progress", id, value: 1 });
      wire.post({ type: "progress", id, value: 2 });
      wire.post({ type: "response", id, ok: "result" });
      same(await answer, "result", "result");
      same(seen, [1, 2], "seen");
    },
  },
  {
    rule: "C1",
    title: "fails with CANCELLED at once and sends a cancel when the signal aborts",
    run: async (wire) => {
      const control = new AbortController();
      const peer = wire.peer();
      const answer = peer.call("x", {}, { ...minute, signal: control.signal });
      const { id } = await wire.next();
      control.abort();
      same(await codeOf(answer), "CANCELLED", "the call");
      same(await wire.next(), { type: "cancel", id }, "cancel");
      control.abort();
      peer.call("y", {}, minute).catch(() => undefined);
      same((await wire.next()).type, "exec", "what follows is no second cancel");
    },
  },
  {
    rule: "C2",
    title: "sends nothing when the signal was aborted before",
    run: async (wire) => {
      const peer = wire.peer();
      same(await codeOf(peer.call("x", {}, { ...minute, signal: AbortSignal.abort() })), "CANCELLED", "the call");
      peer.call("y", {}, minute).catch(() => undefined);
      same(((await wire.next()).payload as { action: string }).action, "y", "the first thing sent");
    },
  },
  {
    rule: "C3",
    title: "aborts the handler's signal, and the handler still answers once",
    run: async (wire) => {
      wire.peer();
      wire.post(exec(1));
      await wire.arrived();
      same(wire.execs[0]?.signal.aborted, false, "before");
      wire.post({ type: "cancel", id: 1 });
      await wire.arrived();
      same(wire.execs[0]?.signal.aborted, true, "after");
      wire.execs[0]?.respond("anyway");
      same((await wire.next()).ok, "anyway", "answer");
    },
  },
  {
    rule: "C4",
    title: "counts and ignores a cancel for nothing",
    run: async (wire) => {
      wire.peer();
      wire.post({ type: "cancel", id: 1 });
      wire.post(exec(1));
      await wire.arrived();
      same([wire.refused, wire.execs[0]?.signal.aborted], [["LATE"], false], "refused, aborted");
    },
  },
];
