import { NeutronError } from "./fault";
import {
  arrayPrototype,
  descriptorOf,
  isArray,
  keysOf,
  objectPrototype,
  ownKeysOf,
  prototypeOf,
  stringify,
} from "./primitives";

/** Json is any value that may travel: what JSON can say, and nothing else. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

// The same numbers as kernel/limit. The kernel's verdict decides; these make a mistake
// show at its author, and keep a broken frame from costing anybody else.

/** PAYLOAD_BYTES is the longest JSON text of one payload or result, in UTF-8 bytes. */
export const PAYLOAD_BYTES = 1 << 20;
/** PROGRESS_BYTES is the longest JSON text of one progress value, in UTF-8 bytes. */
export const PROGRESS_BYTES = 64 << 10;
/** JSON_DEPTH is how deep arrays and objects may nest. */
export const JSON_DEPTH = 64;
/** JSON_NODES is how many values one payload may hold. */
export const JSON_NODES = 200_000;
/** JSON_MEMBERS is how many members one object may have. */
export const JSON_MEMBERS = 20_000;

// Below this a number's literal needs an exponent under -308, which the kernel refuses.
const smallest = 1e-308;
const loneSurrogate = /\p{Surrogate}/u;

const refuse = (why: string): never => {
  throw new NeutronError("INVALID_REQUEST", why);
};

interface Walk {
  nodes: number;
  /** trail holds the containers from the root to here: a container inside itself is a cycle. */
  readonly trail: object[];
}

/**
 * checkJSON throws a NeutronError unless value is JSON under the limits of rules J1–J8, and
 * returns its JSON text. Values that were structured-cloned and values of the page itself are
 * judged alike. A shared reference without a cycle is fine: it is written twice.
 */
export function checkJSON(value: unknown, maxBytes: number): string {
  const walk: Walk = { nodes: 0, trail: [] };
  visit(value, walk);
  const text = stringify(value);
  // A UTF-16 unit is one to three UTF-8 bytes, so most texts need no counting.
  if (text.length > maxBytes || (text.length * 3 > maxBytes && utf8Length(text) > maxBytes)) {
    throw new NeutronError("LIMIT", `larger than ${maxBytes} bytes`);
  }
  return text;
}

/** utf8Length is the number of UTF-8 bytes of a text without lone surrogates. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    // A surrogate is half of four bytes: one more than its unit counts.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2;
  }
  return bytes;
}

function visit(value: unknown, walk: Walk): void {
  if (++walk.nodes > JSON_NODES) refuse(`more than ${JSON_NODES} values`);
  switch (typeof value) {
    case "boolean":
      return;
    case "string":
      return text(value);
    case "number":
      if (value - value !== 0) refuse("a number is not finite");
      if (value !== 0 && value < smallest && value > -smallest) refuse("a number is too small to write");
      return;
    case "object":
      if (value !== null) container(value, walk);
      return;
    default:
      refuse(`${typeof value} is not JSON`);
  }
}

function text(value: string): void {
  if (loneSurrogate.test(value)) refuse("a string holds half a surrogate pair");
}

function container(value: object, walk: Walk): void {
  if (walk.trail.length >= JSON_DEPTH) {
    refuse(walk.trail.includes(value) ? "an object holds itself" : `nested deeper than ${JSON_DEPTH} levels`);
  }
  walk.trail.push(value);
  if (isArray(value)) list(value, walk);
  else members(value, walk);
  walk.trail.pop();
}

function list(value: unknown[], walk: Walk): void {
  const prototype = prototypeOf(value);
  if (prototype !== arrayPrototype) refuse("an array is an instance of a class");
  const names = ownKeysOf(value);
  // One name for each index, and "length": anything else is a hole, an extra or a symbol.
  if (names.length !== value.length + 1) refuse("an array has holes or members with names");
  for (let i = 0; i < value.length; i++) {
    const own = descriptorOf(value, names[i] as string);
    if (own === undefined || !("value" in own)) refuse("an array has a computed member");
    visit(own?.value, walk);
  }
}

function members(value: object, walk: Walk): void {
  const prototype = prototypeOf(value);
  if (prototype !== objectPrototype && prototype !== null) refuse("an object is an instance of a class");
  const names = ownKeysOf(value);
  if (names.length > JSON_MEMBERS) refuse(`an object has more than ${JSON_MEMBERS} members`);
  for (const name of names) {
    if (typeof name !== "string") return refuse("an object has a member named by a symbol");
    // With this name, a copy by assignment would change what the copy inherits.
    if (name === "__proto__") refuse('a member is named "__proto__"');
    text(name);
    const own = descriptorOf(value, name);
    if (own === undefined || !own.enumerable || !("value" in own)) return refuse("an object has a hidden or computed member");
    visit(own.value, walk);
  }
}

/** isRecord says whether a value is an object with members, not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !isArray(value);
}

/** closed says whether an object has all of the required names, and no other than these and the optional ones. */
export function closed(value: Record<string, unknown>, required: readonly string[], optional: readonly string[] = []): boolean {
  const names = keysOf(value);
  for (const name of names) if (!required.includes(name) && !optional.includes(name)) return false;
  for (const name of required) if (!names.includes(name)) return false;
  return true;
}
