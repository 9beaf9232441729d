import type { JsonSchema } from "./schema";
import { isRecord } from "../../src/port/json";
import { isArray, keysOf, stringify } from "../../src/port/primitives";

// A schema becomes functions once, when its tool is exposed; a call only runs them. Nothing is made
// from text. The keywords mean what they mean to the kernel's validator, whose verdict decides.

/** Dialect is one of the dialects that the kernel knows. */
export type Dialect = "2020-12" | "2019-09" | "7";

/** Miss is where a value does not match, as a JSON pointer from the value that was judged, and why. */
export interface Miss {
  readonly at: string;
  readonly why: string;
}

/** Judge judges a value: null, or a miss. Where anybody asks for it, `seen` collects what was evaluated. */
export type Judge = (value: unknown, seen: Seen | null) => Miss | null;

/** Seen is what of one value was evaluated: names of members, indexes of items. */
export type Seen = Set<string | number>;

type Keywords = Readonly<Record<string, unknown>>;
type Members = Readonly<Record<string, unknown>>;

const own = Object.hasOwn as (value: object, name: string) => boolean;
const typeNames: readonly unknown[] = ["null", "boolean", "number", "integer", "string", "array", "object"];

/** build makes a judge of a schema that has passed the guard. It throws an Error for a keyword of a wrong form. */
export function build(schema: unknown, dialect: Dialect): Judge {
  return new Builder(dialect, mentions(schema)).at(schema, "");
}

// Only a schema with one of these needs to know what was evaluated. A member of this name is taken for one: no harm.
function mentions(value: unknown): boolean {
  if (isArray(value)) return value.some(mentions);
  if (!isRecord(value)) return false;
  return own(value, "unevaluatedProperties") || own(value, "unevaluatedItems") || keysOf(value).some((name) => mentions(value[name]));
}

const miss = (why: string): Miss => ({ at: "", why });
const inside = (name: string | number, found: Miss): Miss => ({
  at: `/${typeof name === "number" ? name : name.replaceAll("~", "~0").replaceAll("/", "~1")}${found.at}`,
  why: found.why,
});

class Builder {
  readonly #places = new Map<string, Judge>();
  constructor(
    readonly dialect: Dialect,
    readonly tracks: boolean,
  ) {}

  /** at builds the subschema of a place; references find it there. */
  at(schema: unknown, place: string): Judge {
    const judge = this.#schema(schema as JsonSchema, place);
    this.#places.set(place, judge);
    return judge;
  }

  #schema(schema: JsonSchema, place: string): Judge {
    if (schema === true) return () => null;
    if (schema === false) return () => miss("nothing is allowed here");
    const parts: Judge[] = [];
    const add = (judge: Judge | null): void => {
      if (judge !== null) parts.push(judge);
    };
    const one = (name: string): Judge | null => (own(schema, name) ? this.at(schema[name], `${place}/${name}`) : null);
    const list = (name: string): Judge[] => ((schema[name] ?? []) as unknown[]).map((each, i) => this.at(each, `${place}/${name}/${i}`));
    const map = (name: string): [string, Judge | readonly string[]][] =>
      keysOf((schema[name] ?? {}) as object).map((key) => {
        const each = (schema[name] as Keywords)[key];
        if (isArray(each)) return [key, texts(each, name)];
        return [key, this.at(each, `${place}/${name}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`)];
      });
    const schemas = (name: string): [string, Judge][] => map(name) as [string, Judge][];
    schemas("$defs");
    schemas("definitions");

    const ref = schema.$ref === undefined ? null : this.#ref(schema.$ref as string);
    add(typeOf(schema.type));
    if (own(schema, "const")) add(among([schema.const]));
    if (own(schema, "enum")) add(among(schema.enum));
    add(ref);
    for (const judge of list("allOf")) add(judge);
    add(anyOf(list("anyOf")));
    add(oneOf(list("oneOf")));
    add(not(one("not")));
    add(conditional(one("if"), one("then"), one("else")));
    add(numbers(schema));
    add(strings(schema));
    add(dependent([...map("dependencies"), ...schemas("dependentSchemas"), ...map("dependentRequired")]));
    add(objects(schema, schemas("properties"), schemas("patternProperties"), one("additionalProperties"), one("propertyNames")));
    const tuple = isArray(schema.items);
    const modern = this.dialect === "2020-12";
    const [first, items, additional] = [list("prefixItems"), tuple ? list("items") : one("items"), one("additionalItems")];
    if (isArray(items)) add(arrays(schema, items, additional));
    else add(arrays(schema, modern ? first : [], items));
    add(contains(schema, one("contains"), modern));
    const judge = whole(parts, this.tracks, one("unevaluatedProperties"), one("unevaluatedItems"));
    // Before 2019-09 a reference stands for the whole schema; what stands beside it can only be referred to.
    return ref !== null && this.dialect === "7" ? ref : judge;
  }

  // Looked up when it is used: the place may be built later, or be the very one that is being built.
  #ref(to: string): Judge {
    const place = decodeURIComponent(to.slice(1));
    let found: Judge | undefined;
    return (value, seen) => (found ??= this.#places.get(place) as Judge)(value, seen);
  }
}

// What one schema says of a value, first to last. What a part saw counts only if all of them took the value.
function whole(parts: readonly Judge[], tracks: boolean, names: Judge | null, items: Judge | null): Judge {
  const [first, second] = parts;
  if (!tracks) {
    if (first === undefined) return () => null;
    if (second === undefined) return first;
    if (parts.length === 2) return (value) => first(value, null) ?? second(value, null);
    return (value) => {
      for (const part of parts) {
        const found = part(value, null);
        if (found !== null) return found;
      }
      return null;
    };
  }
  return (value, seen) => {
    if (typeof value !== "object" || value === null) return each(parts, value, null);
    const here: Seen = new Set();
    const found = each(parts, value, here) ?? unseen(value, here, names, items);
    if (found === null && seen !== null) for (const one of here) seen.add(one);
    return found;
  };
}

function each(parts: readonly Judge[], value: unknown, seen: Seen | null): Miss | null {
  for (const part of parts) {
    const found = part(value, seen);
    if (found !== null) return found;
  }
  return null;
}

function unseen(value: object, seen: Seen, names: Judge | null, items: Judge | null): Miss | null {
  const judge = isArray(value) ? items : names;
  if (judge === null) return null;
  const all: readonly (string | number)[] = isArray(value) ? value.map((_, i) => i) : keysOf(value);
  for (const one of all) {
    if (seen.has(one)) continue;
    const found = judge((value as Record<string | number, unknown>)[one], null);
    if (found !== null) return inside(one, found);
    seen.add(one);
  }
  return null;
}

function texts(value: unknown, name: string): readonly string[] {
  if (isArray(value) && value.every((one) => typeof one === "string")) return value as string[];
  throw new Error(`${name} is no list of texts`);
}

function amount(schema: Keywords, name: string): number | undefined {
  const value = schema[name];
  if (value === undefined || typeof value === "number") return value;
  throw new Error(`${name} is no number`);
}

function typeOf(named: unknown): Judge | null {
  if (named === undefined) return null;
  const names = isArray(named) ? named : [named];
  if (names.length === 0 || !names.every((one) => typeNames.includes(one))) throw new Error("type names no type");
  const why = `not of type ${names.join(" or ")}`;
  const [only] = names;
  if (names.length === 1 && (only === "string" || only === "boolean" || only === "number")) {
    return (value) => (typeof value === only ? null : miss(why));
  }
  const test = (value: unknown): boolean => {
    switch (typeof value) {
      case "number":
        return names.includes("number") || (value % 1 === 0 && names.includes("integer"));
      case "object":
        return names.includes(value === null ? "null" : isArray(value) ? "array" : "object");
      default:
        return names.includes(typeof value);
    }
  };
  return (value) => (test(value) ? null : miss(why));
}

// Equal values have equal texts: members in order, and no text of a scalar is one of another type.
function canonical(value: unknown): string {
  if (isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isRecord(value)) return stringify(value);
  return `{${keysOf(value).sort().map((name) => `${stringify(name)}:${canonical(value[name])}`).join(",")}}`;
}

function among(values: unknown): Judge {
  if (!isArray(values)) throw new Error("enum is no list");
  const scalars = new Set(values.filter((one) => typeof one !== "object" || one === null));
  const others = new Set(values.filter((one) => typeof one === "object" && one !== null).map(canonical));
  const why = "not one of the allowed values";
  return (value) => {
    if (typeof value !== "object" || value === null) return scalars.has(value) ? null : miss(why);
    return others.size > 0 && others.has(canonical(value)) ? null : miss(why);
  };
}

function anyOf(judges: readonly Judge[]): Judge | null {
  if (judges.length === 0) return null;
  return (value, seen) => {
    let found: Miss | null = null;
    let taken = false;
    for (const judge of judges) {
      const one = judge(value, seen);
      taken ||= one === null;
      if (taken && seen === null) return null; // else every alternative says what it evaluated
      found ??= one;
    }
    return taken ? null : found;
  };
}

function oneOf(judges: readonly Judge[]): Judge | null {
  if (judges.length === 0) return null;
  return (value, seen) => {
    let found: Miss | null = null;
    let taken = 0;
    for (const judge of judges) {
      const one = judge(value, seen);
      if (one === null) taken++;
      else found ??= one;
      if (taken > 1) return miss("matches more than one of the alternatives");
    }
    return taken === 1 ? null : found;
  };
}

function not(judge: Judge | null): Judge | null {
  return judge && ((value) => (judge(value, null) === null ? miss("matches what it must not match") : null));
}

function conditional(test: Judge | null, yes: Judge | null, no: Judge | null): Judge | null {
  return test && ((value, seen) => (test(value, seen) === null ? (yes?.(value, seen) ?? null) : (no?.(value, seen) ?? null)));
}

function numbers(schema: Keywords): Judge | null {
  const [low, high] = [amount(schema, "minimum"), amount(schema, "maximum")];
  const [above, below, step] = [amount(schema, "exclusiveMinimum"), amount(schema, "exclusiveMaximum"), amount(schema, "multipleOf")];
  if (step !== undefined && step <= 0) throw new Error("multipleOf is not above zero");
  if ([low, high, above, below, step].every((one) => one === undefined)) return null;
  return (value) => {
    if (typeof value !== "number") return null;
    if (low !== undefined && value < low) return miss(`less than ${low}`);
    if (high !== undefined && value > high) return miss(`greater than ${high}`);
    if (above !== undefined && value <= above) return miss(`not greater than ${above}`);
    if (below !== undefined && value >= below) return miss(`not less than ${below}`);
    return step === undefined || multiple(value, step) ? null : miss(`no multiple of ${step}`);
  };
}

// Exact on the shortest decimals, which is what is sent: 0.3 is a multiple of 0.1, though not in binary.
function multiple(value: number, step: number): boolean {
  const [a, shiftA] = decimal(value);
  const [b, shiftB] = decimal(step);
  const shift = BigInt(Math.abs(shiftA - shiftB));
  return shiftA >= shiftB ? (a * 10n ** shift) % b === 0n : a % (b * 10n ** shift) === 0n;
}

function decimal(value: number): [digits: bigint, exponent: number] {
  const [digits = "", exponent = "0"] = String(Math.abs(value)).split("e");
  const [integer = "", fraction = ""] = digits.split(".");
  return [BigInt(integer + fraction), Number(exponent) - fraction.length];
}

function strings(schema: Keywords): Judge | null {
  const [least, most] = [amount(schema, "minLength"), amount(schema, "maxLength")];
  const pattern = schema.pattern === undefined ? null : new RegExp(schema.pattern as string, "u");
  if (least === undefined && most === undefined && pattern === null) return null;
  return (value) => {
    if (typeof value !== "string") return null;
    if (most !== undefined && value.length > most && points(value) > most) return miss(`longer than ${most} characters`);
    if (least !== undefined && (value.length < least || (value.length < 2 * least && points(value) < least))) return miss(`shorter than ${least} characters`);
    return pattern === null || pattern.test(value) ? null : miss("does not match its pattern");
  };
}

function points(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length; i++) if ((text.charCodeAt(i) & 0xfc00) === 0xdc00) count--;
  return count;
}

function dependent(rules: readonly [string, Judge | readonly string[]][]): Judge | null {
  if (rules.length === 0) return null;
  return (value, seen) => {
    if (!isRecord(value)) return null;
    for (const [name, rule] of rules) {
      if (!own(value, name)) continue;
      if (typeof rule === "function") {
        const found = rule(value, seen);
        if (found !== null) return found;
      } else for (const other of rule) if (!own(value, other)) return miss(`has ${name} without ${other}`);
    }
    return null;
  };
}

function objects(
  schema: Keywords,
  properties: readonly [string, Judge][],
  patterns: readonly [string, Judge][],
  additional: Judge | null,
  naming: Judge | null,
): Judge | null {
  const required = schema.required === undefined ? [] : texts(schema.required, "required");
  const [least = 0, most = Infinity] = [amount(schema, "minProperties"), amount(schema, "maxProperties")];
  const named = new Map(properties);
  const matching = patterns.map(([pattern, judge]) => [new RegExp(pattern, "u"), judge] as const);
  const looks = named.size > 0 || matching.length > 0 || additional !== null || naming !== null;
  if (!looks && required.length === 0 && least === 0 && most === Infinity) return null;
  const member = (name: string, value: unknown, seen: Seen | null): Miss | null => {
    const judge = named.get(name);
    let known = judge !== undefined;
    let found = judge === undefined ? null : judge(value, null);
    for (const [pattern, other] of matching) {
      if (!pattern.test(name)) continue;
      known = true;
      found ??= other(value, null);
    }
    if (!known && additional !== null) found = additional(value, null);
    if (known || additional !== null) seen?.add(name);
    return found;
  };
  return (value, seen) => {
    if (!isRecord(value)) return null;
    for (const name of required) if (!own(value, name)) return miss(`has no ${name}`);
    const names = keysOf(value);
    if (names.length < least) return miss(`has fewer than ${least} members`);
    if (names.length > most) return miss(`has more than ${most} members`);
    if (!looks) return null;
    for (const name of names) {
      const found = naming?.(name, null) ?? member(name, (value as Members)[name], seen);
      if (found !== null) return inside(name, found);
    }
    return null;
  };
}

function arrays(schema: Keywords, prefix: readonly Judge[], rest: Judge | null): Judge | null {
  const [least = 0, most = Infinity] = [amount(schema, "minItems"), amount(schema, "maxItems")];
  const unique = schema.uniqueItems === true;
  if (prefix.length === 0 && rest === null && !unique && least === 0 && most === Infinity) return null;
  return (value, seen) => {
    if (!isArray(value)) return null;
    if (value.length < least) return miss(`has fewer than ${least} items`);
    if (value.length > most) return miss(`has more than ${most} items`);
    const until = rest === null ? Math.min(prefix.length, value.length) : value.length;
    for (let i = 0; i < until; i++) {
      const found = (prefix[i] ?? (rest as Judge))(value[i], null);
      if (found !== null) return inside(i, found);
      seen?.add(i);
    }
    return unique && new Set(value.map(canonical)).size < value.length ? miss("has equal items") : null;
  };
}

function contains(schema: Keywords, judge: Judge | null, evaluates: boolean): Judge | null {
  const [least = 1, most = Infinity] = [amount(schema, "minContains"), amount(schema, "maxContains")];
  if (judge === null) return null;
  return (value, seen) => {
    if (!isArray(value)) return null;
    let count = 0;
    value.forEach((one, i) => {
      if (judge(one, null) !== null) return;
      count++;
      if (evaluates) seen?.add(i);
    });
    if (count < least) return miss(`has fewer than ${least} items that it must contain`);
    return count > most ? miss(`has more than ${most} items of a kind`) : null;
  };
}
