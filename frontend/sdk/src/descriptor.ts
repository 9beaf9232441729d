import { NeutronError } from "../../src/port/fault";
import { checkJSON, closed, isRecord, utf8Length } from "../../src/port/json";
import { isArray, keysOf, parse, stringify } from "../../src/port/primitives";
import { compile, type Check, type JsonSchema } from "./schema";

/** ToolOptions describes a tool to its callers and to the owner. */
export interface ToolOptions {
  /** title is shown to the owner beside the name; at most 120 characters on one line. */
  readonly title?: string;
  /** description says what the tool does; at most 1,000 characters on one line. */
  readonly description?: string;
  /** inputSchema judges the arguments before the handler runs. */
  readonly inputSchema: JsonSchema;
  /** outputSchema judges the result; without it any JSON is taken. */
  readonly outputSchema?: JsonSchema;
  /** annotations are free metadata, and the `neutron:*` marks that the kernel knows. */
  readonly annotations?: { readonly [key: string]: unknown };
}

/** ToolDescriptor is a tool as it is discovered. It was written by an app: treat it as unverified. */
export interface ToolDescriptor extends ToolOptions {
  readonly name: string;
}

// The bounds of kernel/limit.
const DESCRIPTOR_BYTES = 64 << 10;
const TITLE = 120;
const DESCRIPTION = 1_000;
const ANNOTATION_DEPTH = 8;
const ANNOTATION_STRING = 256;
const ANNOTATION_KEY = 128;

const nameGrammar = /^[A-Za-z0-9_.-]{1,128}$/;
// What could hide, reorder or break a line on a surface that the owner trusts.
const hidden =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Variation_Selector}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/u;

/** Described is a descriptor that may be pushed, with the checks of its schemas. */
export interface Described {
  readonly descriptor: ToolDescriptor;
  readonly input: Check;
  readonly output: Check;
}

/** describe judges a tool's options and freezes a copy of them. It throws SCHEMA_INVALID. */
export function describe(name: string, options: ToolOptions): Described {
  if (typeof name !== "string" || !nameGrammar.test(name)) throw refusal("the name is not 1–128 characters A–Z a–z 0–9 _ . -");
  if (!isRecord(options)) throw refusal(`${name}: no options`);
  // What is absent and what is undefined mean the same to an author, but only the former is JSON.
  const given: Record<string, unknown> = { name };
  for (const key of keysOf(options)) if (options[key as keyof ToolOptions] !== undefined) given[key] = options[key as keyof ToolOptions];
  given.name = name;
  if (!closed(given, ["name", "inputSchema"], ["title", "description", "outputSchema", "annotations"])) {
    throw refusal(`${name}: inputSchema is missing, or an option is unknown`);
  }
  const text = attempt(name, () => checkJSON(given, DESCRIPTOR_BYTES));
  const descriptor = parse(text) as ToolDescriptor;
  safeText(name, "title", descriptor.title, TITLE);
  safeText(name, "description", descriptor.description, DESCRIPTION);
  if (descriptor.annotations !== undefined) {
    if (!isRecord(descriptor.annotations)) throw refusal(`${name}: annotations is no object`);
    annotation(name, descriptor.annotations, 1);
  }
  return {
    descriptor,
    input: attempt(name, () => compile(descriptor.inputSchema)),
    output: descriptor.outputSchema === undefined ? () => null : attempt(name, () => compile(descriptor.outputSchema as JsonSchema)),
  };
}

function attempt<T>(name: string, fn: () => T): T {
  try {
    return fn();
  } catch (error) {
    throw refusal(`${name}: ${(error as Error).message}`);
  }
}

function refusal(why: string): NeutronError {
  return new NeutronError("SCHEMA_INVALID", why);
}

function safeText(name: string, key: string, value: unknown, max: number): void {
  if (value === undefined) return;
  if (typeof value !== "string") throw refusal(`${name}: ${key} is no text`);
  const length = [...value].length;
  if (length < 1 || length > max) throw refusal(`${name}: ${key} has not 1 to ${max} characters`);
  if (hidden.test(value)) throw refusal(`${name}: ${key} has control, bidi or zero-width characters, or more than one line`);
  if (value.normalize("NFC") !== value) throw refusal(`${name}: ${key} is not in Unicode normal form C`);
}

function annotation(name: string, value: unknown, depth: number): void {
  if (depth > ANNOTATION_DEPTH) throw refusal(`${name}: annotations are nested too deeply`);
  if (typeof value === "string" && value.length > ANNOTATION_STRING) throw refusal(`${name}: an annotation is longer than ${ANNOTATION_STRING}`);
  if (isArray(value)) for (const one of value) annotation(name, one, depth + 1);
  else if (isRecord(value))
    for (const key of keysOf(value)) {
      if (key.length > ANNOTATION_KEY) throw refusal(`${name}: an annotation's key is longer than ${ANNOTATION_KEY}`);
      annotation(name, value[key], depth + 1);
    }
}

/** fits says whether a list of descriptors can be pushed at once. */
export function fits(descriptors: readonly ToolDescriptor[], maxBytes: number): boolean {
  return utf8Length(stringify({ tools: descriptors })) <= maxBytes;
}
