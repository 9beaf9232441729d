/** Piece is a run of exact text with the kind that colours it. */
export interface Piece {
  readonly kind: "key" | "string" | "number" | "word" | "mark" | "escape" | "space";
  readonly text: string;
}

// What could make text look like other text: controls, line separators, bidi and invisible characters, lone surrogates.
const hidden =
  /[\u0000-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|[\u{e0000}-\u{e0fff}]/u;

function escaped(char: string): string {
  return Array.from({ length: char.length }, (_, i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, "0")}`).join("");
}

/** visible splits text so that every hidden character shows as an escape of its own. */
export function visible(text: string, kind: Piece["kind"]): Piece[] {
  const out: Piece[] = [];
  let plain = "";
  for (const char of text) {
    if (char !== "\n" && hidden.test(char)) {
      if (plain !== "") out.push({ kind, text: plain });
      plain = "";
      out.push({ kind: "escape", text: escaped(char) });
    } else plain += char;
  }
  if (plain !== "") out.push({ kind, text: plain });
  return out;
}

const token = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[{}[\],:]|\s+|[^]/gu;

/**
 * exactPieces lays out JSON text without changing any literal of it: numbers and strings stay as they
 * were sent, only the space between them is ours. Text that is no JSON is shown as it is.
 */
export function exactPieces(json: string): Piece[] {
  try {
    JSON.parse(json);
  } catch {
    return visible(json, "word");
  }
  const tokens = (json.match(token) ?? []).filter((s) => !/^\s+$/u.test(s));
  const out: Piece[] = [];
  let depth = 0;
  const line = (): void => void out.push({ kind: "space", text: `\n${"  ".repeat(depth)}` });
  tokens.forEach((text, i) => {
    const next = tokens[i + 1];
    const before = tokens[i - 1];
    if (text === "{" || text === "[") {
      out.push({ kind: "mark", text });
      if (next !== "}" && next !== "]") {
        depth++;
        if (!short(tokens, i)) line();
      }
    } else if (text === "}" || text === "]") {
      if (before !== "{" && before !== "[") {
        depth--;
        if (!short(tokens, opens(tokens, i))) line();
      }
      out.push({ kind: "mark", text });
    } else if (text === ",") {
      out.push({ kind: "mark", text });
      if (short(tokens, enclosing(tokens, i))) out.push({ kind: "space", text: " " });
      else line();
    } else if (text === ":") out.push({ kind: "mark", text: ": " });
    else if (text.startsWith('"')) out.push(...visible(text, next === ":" ? "key" : "string"));
    else out.push({ kind: /^[-\d]/.test(text) ? "number" : "word", text });
  });
  return out;
}

/** short says that the array opened at i holds only plain values and fits a line. Objects never do. */
function short(tokens: readonly string[], i: number): boolean {
  if (tokens[i] !== "[") return false;
  let length = 0;
  for (let at = i + 1; at < tokens.length; at++) {
    const text = tokens[at] ?? "";
    if (text === "]") return true;
    if (text === "[" || text === "{") return false;
    length += text.length + 1;
    if (length > 60) return false;
  }
  return false;
}

/** enclosing finds the bracket around the token at i; -1 when there is none. */
function enclosing(tokens: readonly string[], i: number): number {
  let deep = 0;
  for (let at = i - 1; at >= 0; at--) {
    const text = tokens[at];
    if (text === "]" || text === "}") deep++;
    else if (text === "[" || text === "{") {
      if (deep === 0) return at;
      deep--;
    }
  }
  return -1;
}

const opens = enclosing;
