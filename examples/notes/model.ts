/** The notes themselves: pure functions over an array, newest first. */
export interface Note {
  id: string;
  title: string;
  text: string;
  /** Milliseconds since 1970. */
  editedAt: number;
  revision: number;
}

export interface Match {
  id: string;
  title: string;
  excerpt: string;
}

export const titleMax = 120;
export const textMax = 20_000;

/** The first words of a note without its marks. */
export function firstLine(text: string): string {
  const line = text.split("\n").find((l) => plain(l) !== "") ?? "";
  return plain(line);
}

/** A line without the marks that the tile draws. */
export function plain(line: string): string {
  return line.replace(/^\s*(#+|-(\s+\[[ x]\])?)\s+/, "").replace(/\*\*/g, "").trim();
}

/** Every note whose title or text holds all words of the query, title matches first. */
export function search(notes: readonly Note[], query: string, limit: number): { matches: Match[]; total: number } {
  const words = query.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const found: { note: Note; rank: number }[] = [];
  for (const note of notes) {
    const title = note.title.toLocaleLowerCase();
    const all = `${title}\n${note.text.toLocaleLowerCase()}`;
    if (!words.every((w) => all.includes(w))) continue;
    found.push({ note, rank: words.filter((w) => title.includes(w)).length });
  }
  found.sort((a, b) => b.rank - a.rank || b.note.editedAt - a.note.editedAt);
  return {
    total: found.length,
    matches: found.slice(0, limit).map(({ note }) => ({ id: note.id, title: note.title, excerpt: excerpt(note.text, words) })),
  };
}

/** One line around the first place that says most of the words. */
export function excerpt(text: string, words: readonly string[]): string {
  const lines = text.split("\n").map(plain).filter(Boolean);
  const score = (l: string) => words.filter((w) => l.toLocaleLowerCase().includes(w)).length;
  const best = lines.reduce((a, b) => (score(b) > score(a) ? b : a), lines[0] ?? "");
  const at = Math.max(0, ...words.map((w) => best.toLocaleLowerCase().indexOf(w)));
  const from = at > 40 ? at - 24 : 0;
  const cut = best.slice(from, from + 96);
  return (from > 0 ? "…" : "") + cut.trim() + (from + 96 < best.length ? "…" : "");
}

export function wordCount(text: string): number {
  return text.split(/\s+/).filter((w) => /[\p{L}\p{N}]/u.test(w)).length;
}

/** The text with the n-th checkbox turned over. */
export function toggle(text: string, n: number): string {
  let seen = -1;
  return text.replace(/^(\s*-\s+\[)([ x])(\])/gm, (all, open: string, mark: string, close: string) => {
    seen += 1;
    return seen === n ? `${open}${mark === "x" ? " " : "x"}${close}` : all;
  });
}
