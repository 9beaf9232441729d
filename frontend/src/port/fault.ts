/** Codes that the port itself answers with; the kernel's list in kernel/fault holds them all. */
export type PortCode =
  | "INVALID_REQUEST"
  | "LIMIT"
  | "TIMEOUT"
  | "CANCELLED"
  | "ENDPOINT_GONE"
  | "NOT_SUPPORTED"
  | "HANDLER_FAILED";

/** WireError is an error as it travels in a response: closed, and never with a stack. */
export interface WireError {
  readonly name: string;
  readonly message: string;
  readonly code: string;
  readonly retryAfterMs?: number;
}

/**
 * NeutronError is every failure of a call. Decide by `code`, never by the message.
 */
export class NeutronError extends Error {
  override readonly name = "NeutronError";
  /** code is stable, e.g. "DENIED", "TIMEOUT", "TOOL_UNKNOWN". */
  readonly code: string;
  /** retryAfterMs says how long to wait before another try, where that is known. */
  readonly retryAfterMs: number | undefined;

  constructor(code: string, message: string, retryAfterMs?: number) {
    super(message);
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}

/** MESSAGE_MAX is how many characters of an error's message travel (kernel/limit ErrorMessage). */
export const MESSAGE_MAX = 1_000;

const codeGrammar = /^[A-Z][A-Z0-9_]{1,63}$/;

/** isCode says whether a text has the form of a code. */
export function isCode(value: unknown): value is string {
  return typeof value === "string" && codeGrammar.test(value);
}

/** cut shortens a text to max UTF-16 units without halving a pair, and mends lone halves. */
export function cut(text: string, max: number): string {
  const short = text.length > max ? text.slice(0, max) : text;
  return short.replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, "\uFFFD");
}

/**
 * toWire makes a WireError of whatever was thrown. A NeutronError keeps its code; any other
 * error gets the fallback code. Stack and cause stay behind (rule E9).
 */
export function toWire(thrown: unknown, fallback: PortCode): WireError {
  let code: string = fallback;
  let message = "";
  let retryAfterMs: number | undefined;
  try {
    if (thrown instanceof NeutronError) {
      if (isCode(thrown.code)) code = thrown.code;
      const delay = thrown.retryAfterMs;
      if (typeof delay === "number" && Number.isFinite(delay) && delay >= 0) retryAfterMs = Math.ceil(delay);
    }
    message = cut(thrown instanceof Error ? String(thrown.message) : typeof thrown === "string" ? thrown : "", MESSAGE_MAX);
  } catch {
    // A getter of a foreign error object threw: the code alone must do.
  }
  return { name: "NeutronError", message, code, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

/** fromWire is the error that a caller gets for a WireError. */
export function fromWire(error: WireError): NeutronError {
  return new NeutronError(error.code, error.message || error.code, error.retryAfterMs);
}
