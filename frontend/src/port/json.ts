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
  wellFormed,
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

const refuse = (why: string): never => {
  throw new NeutronError("INVALID_REQUEST", why);
};

interface Walk {
  nodes: number;
  /** bytes is what the JSON text can have at most: six for each unit of a text, with quotes and a comma. */
  bytes: number;
  /** heard: the value came over a port. Its copy there has no computed and no hidden members, so plain reading sees all of it. */
  readonly heard: boolean;
  /** trail holds the containers from the root to here: a container inside itself is a cycle. */
  readonly trail: object[];
}

/**
 * checkJSON throws a NeutronError unless value is JSON under the limits of rules J1–J8, and
 * returns its JSON text. A value that was heard on a port and one of the page itself are judged
 * alike, only that the former is read faster. A shared reference without a cycle is fine: it is written twice.
 */
export function checkJSON(value: unknown, maxBytes: number, heard = false): string {
  visit(value, { nodes: 0, bytes: 0, heard, trail: [] });
  return fit(stringify(value), maxBytes);
}

/** judgeJSON is checkJSON for who does not need the text: it writes one only where the value may be too large. */
export function judgeJSON(value: unknown, maxBytes: number, heard = false): void {
  const walk: Walk = { nodes: 0, bytes: 0, heard, trail: [] };
  visit(value, walk);
  if (walk.bytes > maxBytes) fit(stringify(value), maxBytes);
}

function fit(text: string, maxBytes: number): string {
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

// The longest text of a number, 25 units, and a comma.
const SCALAR_BYTES = 26;

function visit(value: unknown, walk: Walk): void {
  if (++walk.nodes > JSON_NODES) refuse(`more than ${JSON_NODES} values`);
  switch (typeof value) {
    case "boolean":
      walk.bytes += SCALAR_BYTES;
      return;
    case "string":
      return text(value, walk);
    case "number":
      if (value - value !== 0) refuse("a number is not finite");
      if (value !== 0 && value < smallest && value > -smallest) refuse("a number is too small to write");
      walk.bytes += SCALAR_BYTES;
      return;
    case "object":
      walk.bytes += SCALAR_BYTES;
      if (value !== null) container(value, walk);
      return;
    default:
      refuse(`${typeof value} is not JSON`);
  }
}

function text(value: string, walk: Walk): void {
  if (!wellFormed(value)) refuse("a string holds half a surrogate pair");
  walk.bytes += 6 * value.length + 4;
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
  if (walk.heard) {
    // A name for each index: more is an extra, and fewer or other ones leave a hole.
    if (keysOf(value).length !== value.length) refuse("an array has holes or members with names");
    for (let i = 0; i < value.length; i++) visit(value[i], walk);
    return;
  }
  const names = ownKeysOf(value);
  // Indexes come first, then "length": with that many before it there is no hole, and with none after it no extra.
  if (names.length !== value.length + 1 || names[value.length] !== "length") refuse("an array has holes or members with names");
  for (let i = 0; i < value.length; i++) {
    const own = descriptorOf(value, names[i] as string);
    if (own === undefined || !("value" in own)) refuse("an array has a computed member");
    visit(own?.value, walk);
  }
}

function members(value: object, walk: Walk): void {
  const prototype = prototypeOf(value);
  if (prototype !== objectPrototype && prototype !== null) refuse("an object is an instance of a class");
  const names = walk.heard ? keysOf(value) : ownKeysOf(value);
  if (names.length > JSON_MEMBERS) refuse(`an object has more than ${JSON_MEMBERS} members`);
  for (const name of names) {
    if (typeof name !== "string") return refuse("an object has a member named by a symbol");
    // With this name, a copy by assignment would change what the copy inherits.
    if (name === "__proto__") refuse('a member is named "__proto__"');
    text(name, walk);
    if (walk.heard) {
      visit((value as Record<string, unknown>)[name], walk);
      continue;
    }
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
