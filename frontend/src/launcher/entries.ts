/** Entry is one row of the launcher. */
export interface Entry {
  readonly id: string;
  readonly group: string;
  readonly label: string;
  readonly sub: string;
  readonly right: string;
  /** keys is the shortcut that does the same. */
  readonly keys?: string;
  /** app is the app whose picture it shows; empty: a command's icon. */
  readonly app: string;
  readonly run: () => void;
  /** note stands under it: what choosing it will do. */
  readonly note?: string;
}

/** Match is an entry with where the query was found in its label or its second line. */
export interface Match {
  readonly entry: Entry;
  readonly inLabel: number;
  readonly inSub: number;
}

function fold(s: string): string {
  return s.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

/** find is the place of a query in a text; a text that folding lengthens is matched but not marked. */
function find(text: string, query: string): number {
  const plain = fold(text);
  const at = plain.indexOf(query);
  return at >= 0 && plain.length !== text.length ? 0 : at;
}

/** search keeps what the query is found in: by the start of a label first, then in the order given. Groups stay together. */
export function search(entries: readonly Entry[], text: string): readonly Match[] {
  const query = fold(text.trim());
  if (query === "") return entries.map((entry) => ({ entry, inLabel: -1, inSub: -1 }));
  const found = entries.flatMap((entry, order) => {
    const inLabel = find(entry.label, query);
    const inSub = find(entry.sub, query);
    if (inLabel < 0 && inSub < 0) return [];
    const rank = inLabel === 0 ? 0 : inLabel > 0 ? 1 : 2;
    return [{ entry, inLabel, inSub, rank, order }];
  });
  const groups = [...new Set(found.map((f) => f.entry.group))];
  return found.sort((a, b) => groups.indexOf(a.entry.group) - groups.indexOf(b.entry.group) || a.rank - b.rank || a.order - b.order);
}
