import { MESSAGE_MAX, isCode, type WireError } from "./fault";
import { closed, isRecord } from "./json";
import { isSafeInteger } from "./primitives";

/** ID_MAX is the largest envelope id. */
export const ID_MAX = Number.MAX_SAFE_INTEGER;
/** ACTION_MAX is the longest name of an action (kernel/limit ActionName). */
export const ACTION_MAX = 64;

/** Invocation is the provenance of a nested call. The capability is opaque and never leaves the context. */
export interface Invocation {
  readonly id: string;
  readonly rootId: string;
  readonly capability: string;
}

/** Context is the private metadata of an exec. */
export interface Context {
  readonly invocation?: Invocation;
}

/** Exec asks the other side to do something. The payload is unchecked JSON until checkJSON saw it. */
export interface Exec {
  readonly type: "exec";
  readonly id: number;
  readonly payload: { readonly action: string; readonly payload: unknown; readonly context?: Context };
}
/** Response settles an exec: exactly one of ok and error. */
export type Response =
  | { readonly type: "response"; readonly id: number; readonly ok: unknown }
  | { readonly type: "response"; readonly id: number; readonly error: WireError };
/** Progress comes between an exec and its response. */
export interface Progress {
  readonly type: "progress";
  readonly id: number;
  readonly value: unknown;
}
/** Cancel tells the other side that the answer is no longer wanted. */
export interface Cancel {
  readonly type: "cancel";
  readonly id: number;
}
/** Envelope is everything that may travel on a connected port. */
export type Envelope = Exec | Response | Progress | Cancel;

/** Malformed is what is not an envelope. A broken exec with a readable id is answered; all else is only counted. */
export interface Malformed {
  readonly type: "malformed";
  readonly answer?: number;
}

const malformed: Malformed = { type: "malformed" };
const actionGrammar = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$/;
const tokenGrammar = /^[A-Za-z0-9_-]{16,128}$/;

/** isId says whether a value may number an exec: an integer from 1 to 2^53-1. */
export function isId(value: unknown): value is number {
  return isSafeInteger(value) && value >= 1;
}

/**
 * readEnvelope judges the shape of one message (rules E1–E7). It looks at own members only and
 * never into a payload, so its cost does not grow with the message.
 */
export function readEnvelope(data: unknown): Envelope | Malformed {
  if (!isRecord(data) || !isId(data.id)) return malformed;
  switch (data.type) {
    case "exec":
      return closed(data, ["type", "id", "payload"]) && isExecPayload(data.payload)
        ? (data as unknown as Exec)
        : { type: "malformed", answer: data.id };
    case "response":
      if (closed(data, ["type", "id", "ok"])) return data as unknown as Response;
      if (closed(data, ["type", "id", "error"]) && isWireError(data.error)) return data as unknown as Response;
      return malformed;
    case "progress":
      return closed(data, ["type", "id", "value"]) ? (data as unknown as Progress) : malformed;
    case "cancel":
      return closed(data, ["type", "id"]) ? (data as unknown as Cancel) : malformed;
    default:
      return malformed;
  }
}

function isExecPayload(value: unknown): boolean {
  return (
    isRecord(value) &&
    closed(value, ["action", "payload"], ["context"]) &&
    typeof value.action === "string" &&
    value.action.length <= ACTION_MAX &&
    actionGrammar.test(value.action) &&
    (!("context" in value) || isContext(value.context))
  );
}

/** isContext says whether a value is the context of an exec: nothing but an invocation of opaque tokens. */
export function isContext(value: unknown): value is Context {
  if (!isRecord(value) || !closed(value, [], ["invocation"])) return false;
  if (!("invocation" in value)) return true;
  const it = value.invocation;
  return (
    isRecord(it) &&
    closed(it, ["id", "rootId", "capability"]) &&
    [it.id, it.rootId, it.capability].every((part) => typeof part === "string" && tokenGrammar.test(part))
  );
}

function isWireError(value: unknown): value is WireError {
  return (
    isRecord(value) &&
    closed(value, ["name", "message", "code"], ["retryAfterMs"]) &&
    typeof value.name === "string" &&
    value.name.length <= 64 &&
    typeof value.message === "string" &&
    value.message.length <= MESSAGE_MAX &&
    isCode(value.code) &&
    (!("retryAfterMs" in value) || (isSafeInteger(value.retryAfterMs) && value.retryAfterMs >= 0))
  );
}
