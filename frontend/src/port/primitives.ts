// What the port needs of the platform, captured before any other code of the page
// runs: a page that replaces JSON.stringify or MessagePort.prototype.postMessage
// later can break itself, but not what the guards see or send. SPEC rule G1; a test
// asserts that no other file of the port or the SDK reaches for these by name.

/** stringify is JSON.stringify as it was at load. */
export const stringify = JSON.stringify;
/** parse is JSON.parse as it was at load. */
export const parse = JSON.parse as (text: string) => unknown;
/** keysOf is Object.keys as it was at load. */
export const keysOf = Object.keys as (value: object) => string[];
/** ownKeysOf is Reflect.ownKeys as it was at load. */
export const ownKeysOf = Reflect.ownKeys as (value: object) => (string | symbol)[];
/** prototypeOf is Object.getPrototypeOf as it was at load. */
export const prototypeOf = Object.getPrototypeOf as (value: object) => object | null;
/** descriptorOf is Object.getOwnPropertyDescriptor as it was at load. */
export const descriptorOf = Object.getOwnPropertyDescriptor as (value: object, key: string) => PropertyDescriptor | undefined;
/** isArray is Array.isArray as it was at load. */
export const isArray = Array.isArray as (value: unknown) => value is unknown[];
/** isSafeInteger is Number.isSafeInteger as it was at load. */
export const isSafeInteger = Number.isSafeInteger as (value: unknown) => value is number;

/** objectPrototype and arrayPrototype are what plain values inherit from. */
export const objectPrototype: object = Object.prototype;
export const arrayPrototype: object = Array.prototype;

const isWellFormed = (String.prototype as { isWellFormed?: () => boolean }).isWellFormed;
const surrogate = /\p{Surrogate}/u;
const call = Function.prototype.call;
// apply(fn, self, …args) calls fn without asking fn for its own call or apply, which a page may have set.
const apply = call.bind(call) as (fn: unknown, self: unknown, ...args: unknown[]) => unknown;

/** wellFormed says that a text holds no half of a surrogate pair; an older engine looks for one. */
export const wellFormed: (text: string) => boolean =
  isWellFormed === undefined ? (text) => !surrogate.test(text) : (call.bind(isWellFormed) as (text: string) => boolean);

const setTimer = globalThis.setTimeout;
const clearTimer = globalThis.clearTimeout;
const randomValues = crypto.getRandomValues.bind(crypto);
const report = typeof globalThis.reportError === "function" ? globalThis.reportError.bind(globalThis) : undefined;

/** after runs fn once, ms milliseconds later, and returns what stops it. */
export function after(ms: number, fn: () => void): () => void {
  const timer = setTimer(fn, ms);
  return () => clearTimer(timer);
}

/** token is 128 random bits as 32 hex digits. */
export function token(): string {
  let out = "";
  for (const byte of randomValues(new Uint8Array(16))) out += byte.toString(16).padStart(2, "0");
  return out;
}

const toBinary = globalThis.btoa;
const fromBinary = globalThis.atob;
const fromCharCode = String.fromCharCode;

/** base64 is bytes as base64 text. */
export function base64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += 8_192) binary += fromCharCode(...bytes.subarray(at, at + 8_192));
  return toBinary(binary);
}

/** unbase64 is the bytes of base64 text. It throws for any other text. */
export function unbase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = fromBinary(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

/** complain shows a foreign callback's error where the page's developer looks, and nowhere else. */
export function complain(error: unknown): void {
  report?.(error);
}

const portPrototype = MessagePort.prototype;
const portPost = portPrototype.postMessage;
const portStart = portPrototype.start;
const portClose = portPrototype.close;
const listen = portPrototype.addEventListener;
const unlisten = portPrototype.removeEventListener;

/** postTo posts a message on a port. It throws DataCloneError for what cannot be cloned. */
export function postTo(port: MessagePort, message: unknown): void {
  apply(portPost, port, message);
}

/**
 * openPort starts a port: fn is called for every message, and what it is given reads it. Reading builds the whole value,
 * so that a message that is not read costs little. It returns what stops listening and closes the port.
 */
export function openPort(port: MessagePort, fn: (read: () => unknown) => void): () => void {
  const hear = (event: Event): void => fn(() => (event as MessageEvent<unknown>).data);
  apply(listen, port, "message", hear);
  apply(portStart, port);
  return () => {
    apply(unlisten, port, "message", hear);
    apply(portClose, port);
  };
}
