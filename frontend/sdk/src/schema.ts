import { NeutronError } from "../../src/port/fault";
import { checkJSON, isRecord } from "../../src/port/json";
import { isArray, keysOf, parse } from "../../src/port/primitives";
import { build, type Dialect, type Judge } from "./judge";

/** JsonSchema is a JSON Schema: 2020-12, or draft-07 or 2019-09 where `$schema` says so. */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown };

// The bounds of kernel/limit.
const SCHEMA_BYTES = 32 << 10;
const SCHEMA_NODES = 2_000;
const SCHEMA_DEPTH = 20;
const SCHEMA_KEYS = 256;
const SCHEMA_STRING = 4_096;
const SCHEMA_PATTERN = 256;

/** Kind says how a keyword's value is read: dropped, kept, or as subschemas. */
type Kind = "note" | "plain" | "one" | "list" | "map" | "items";

/** keywords is the kernel's list (kernel/schema/guard.go); a test compares the two (D4). */
export const keywords: ReadonlyMap<string, Kind> = new Map([
  ...same("note", "$schema $id $comment title description default examples readOnly writeOnly deprecated format contentEncoding contentMediaType"),
  ...same("plain", "$ref type enum const required dependentRequired multipleOf minimum exclusiveMinimum maximum exclusiveMaximum"),
  ...same("plain", "minLength maxLength pattern minItems maxItems uniqueItems minContains maxContains minProperties maxProperties"),
  ...same("one", "additionalProperties additionalItems unevaluatedProperties unevaluatedItems contains propertyNames not if then else"),
  ...same("list", "prefixItems allOf anyOf oneOf"),
  ...same("map", "properties patternProperties $defs definitions dependentSchemas dependencies"),
  ...same("items", "items"),
]);

function same(kind: Kind, names: string): [string, Kind][] {
  return names.split(" ").map((name) => [name, kind]);
}

/** Check judges a value; it returns null, or where and why the value does not match. */
export type Check = (value: unknown) => string | null;

const dialects: ReadonlyMap<string, Dialect> = new Map([
  ["http://json-schema.org/draft/2020-12/schema", "2020-12"],
  ["http://json-schema.org/draft/2019-09/schema", "2019-09"],
  ["http://json-schema.org/draft-07/schema", "7"],
]);

/**
 * compile judges a schema by the kernel's rules and makes a check of it. It throws SCHEMA_INVALID.
 * `format` and all annotations are left out of what runs, so they never assert.
 */
export function compile(schema: JsonSchema): Check {
  // A copy: the author may change the original later.
  const copy = parse(textOf(schema)) as JsonSchema;
  const guard = new Guard(isRecord(copy) ? dialectOf(copy.$schema) : "2020-12");
  const cleaned = guard.schema(copy, "", 1);
  guard.follow();
  let judge: Judge;
  try {
    judge = build(cleaned, guard.draft);
  } catch (error) {
    throw refusal("#", (error as Error).message.split("\n")[0] ?? "");
  }
  return (value) => {
    const miss = judge(value, null);
    return miss === null ? null : `#${miss.at}: ${miss.why}`;
  };
}

function textOf(schema: JsonSchema): string {
  try {
    return checkJSON(schema, SCHEMA_BYTES);
  } catch (error) {
    throw refusal("#", (error as Error).message);
  }
}

function dialectOf(named: unknown): Dialect {
  if (named === undefined) return "2020-12";
  const uri = typeof named === "string" ? named.replace(/^https:/, "http:").replace(/#$/, "") : "";
  const draft = dialects.get(uri);
  if (draft === undefined) throw refusal("#/$schema", "a dialect other than draft-07, 2019-09 and 2020-12");
  return draft;
}

function refusal(at: string, why: string): NeutronError {
  return new NeutronError("SCHEMA_INVALID", `schema at ${at}: ${why}`);
}

/** target is the place that a reference leads to, as a JSON pointer. */
function target(ref: unknown, at: string): string {
  if (typeof ref === "string" && (ref === "#" || ref.startsWith("#/"))) {
    try {
      return decodeURIComponent(ref.slice(1));
    } catch {
      // Not an address at all.
    }
  }
  throw refusal(at, "leads out of the schema; only # and #/… are followed");
}

/** step escapes one step of a JSON pointer. */
function step(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

class Guard {
  #nodes = 0;
  readonly #places = new Set<string>();
  readonly #refs: [at: string, to: string][] = [];
  constructor(readonly draft: Dialect) {}

  schema(value: unknown, at: string, depth: number): unknown {
    this.#count(at, depth);
    this.#places.add(at);
    if (typeof value === "boolean") return value;
    if (!isRecord(value)) throw refusal(at || "#", "neither an object nor true or false");
    const names = keysOf(value);
    if (names.length > SCHEMA_KEYS) throw refusal(at, "too many keywords");
    const out: Record<string, unknown> = {};
    for (const name of names) {
      const kind = keywords.get(name) ?? (name.startsWith("x-") ? "note" : undefined);
      if (kind === undefined) throw refusal(at || "#", `the keyword "${name.slice(0, 64)}" is not supported`);
      const kept = this.#keyword(name, kind, value[name], `${at}/${step(name)}`, depth);
      if (kept !== undefined) out[name] = kept;
    }
    return out;
  }

  /** follow finds references that lead to no subschema. The judge would find them only on the way. */
  follow(): void {
    for (const [at, to] of this.#refs) if (!this.#places.has(to)) throw refusal(at, "leads to no subschema of this schema");
  }

  #keyword(name: string, kind: Kind, value: unknown, at: string, depth: number): unknown {
    this.#text(name, at);
    if (name === "$id" && depth > 1) throw refusal(at, "a subschema has no address of its own");
    switch (kind) {
      case "note":
        this.#plain(value, at, depth);
        return undefined;
      case "plain":
        this.#plain(value, at, depth);
        if (name === "pattern") this.#pattern(value, at);
        if (name === "$ref") this.#refs.push([at, target(value, at)]);
        if (name === "multipleOf" && value === 0) throw refusal(at, "is zero");
        return value;
      case "one":
        return this.schema(value, at, depth + 1);
      case "items":
        if (!isArray(value)) return this.schema(value, at, depth + 1);
        if (this.draft === "2020-12") throw refusal(at, "a list is prefixItems in the dialect 2020-12");
        return this.#list(value, at, depth);
      case "list":
        return this.#list(value, at, depth);
      case "map":
        return this.#map(name, value, at, depth);
    }
  }

  #list(value: unknown, at: string, depth: number): unknown[] {
    if (!isArray(value) || value.length > SCHEMA_KEYS) throw refusal(at, `not a list of at most ${SCHEMA_KEYS} schemas`);
    return value.map((one, i) => this.schema(one, `${at}/${i}`, depth + 1));
  }

  #map(keyword: string, value: unknown, at: string, depth: number): Record<string, unknown> {
    if (!isRecord(value) || keysOf(value).length > SCHEMA_KEYS) throw refusal(at, `not an object of at most ${SCHEMA_KEYS} schemas`);
    const out: Record<string, unknown> = {};
    for (const name of keysOf(value)) {
      const one = value[name];
      this.#text(name, at);
      if (keyword === "patternProperties") this.#pattern(name, at);
      if (keyword === "dependencies" && isArray(one)) {
        this.#plain(one, at, depth);
        out[name] = one;
      } else out[name] = this.schema(one, `${at}/${step(name)}`, depth + 1);
    }
    return out;
  }

  #plain(value: unknown, at: string, depth: number): void {
    this.#count(at, depth);
    if (typeof value === "string") this.#text(value, at);
    else if (isArray(value)) for (const one of value) this.#plain(one, at, depth + 1);
    else if (isRecord(value)) {
      if (keysOf(value).length > SCHEMA_KEYS) throw refusal(at, "too many members");
      for (const name of keysOf(value)) {
        this.#text(name, at);
        this.#plain(value[name], at, depth + 1);
      }
    }
  }

  #count(at: string, depth: number): void {
    if (depth > SCHEMA_DEPTH) throw refusal(at, "nested too deeply");
    if (++this.#nodes > SCHEMA_NODES) throw refusal(at, `more than ${SCHEMA_NODES} values`);
  }

  #text(value: string, at: string): void {
    if (value.length > SCHEMA_STRING && [...value].length > SCHEMA_STRING) throw refusal(at, `a text of more than ${SCHEMA_STRING} characters`);
  }

  // The kernel runs patterns as RE2, the page as RegExp with the u flag: a pattern must be both.
  #pattern(value: unknown, at: string): void {
    if (typeof value !== "string" || value.length > SCHEMA_PATTERN) throw refusal(at, `not a pattern of at most ${SCHEMA_PATTERN} characters`);
    if (/\(\?(?:[=!]|<[=!])|\\[1-9]|\\k</.test(value.replace(/\\\\/g, ""))) throw refusal(at, "a pattern looks around or back, which RE2 cannot");
    try {
      new RegExp(value, "u");
    } catch {
      throw refusal(at, "not a regular expression");
    }
  }
}
