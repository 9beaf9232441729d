import { NeutronError, store } from "@neutron/sdk";
import { seeds } from "./seed";
import type { Note } from "./model";

// Every note is one entry, note/<id>, with the revision that the store gave it. The notes in memory are those entries: one
// changes only after its entry was written, and only if nobody else had.

interface Kept {
  note: Note;
  revision: string;
}

const prefix = "note/";
const kept = new Map<string, Kept>();
let loading: Promise<void> | undefined;

/** Reads the notes, once; after a failure the next call tries again. */
export function ready(): Promise<void> {
  loading ??= load().catch((reason: unknown) => {
    loading = undefined;
    throw reason;
  });
  return loading;
}

/** All notes, in no order. */
export const notes = (): Note[] => [...kept.values()].map((k) => k.note);

export const noteOf = (id: string): Note | undefined => kept.get(id)?.note;

/** Keeps new or changed notes, all or none. */
export async function putNotes(changed: readonly Note[]): Promise<void> {
  const changes = changed.map((note) => ({ key: prefix + note.id, value: note, ifRevision: kept.get(note.id)?.revision ?? "0" }));
  let revision: string;
  try {
    revision = await store.batch(changes);
  } catch (reason) {
    if (!(reason instanceof NeutronError && reason.code === "CONFLICT")) throw reason;
    loading = undefined; // another change was on its way when this one was judged
    await ready();
    throw new Error("The note was changed meanwhile.");
  }
  for (const note of changed) kept.set(note.id, { note, revision });
}

async function load(): Promise<void> {
  if ((await store.get("seeded")) === null) await seed();
  const read = new Map<string, Kept>();
  let after = "";
  for (;;) {
    const page = await store.list({ prefix, after, values: true });
    for (const e of page.entries) read.set(e.key.slice(prefix.length), { note: e.value as Note, revision: e.revision });
    if (page.next === undefined) break;
    after = page.next;
  }
  kept.clear();
  for (const [id, one] of read) kept.set(id, one);
}

/** A first start has something to read and to search. Once: what is deleted later stays deleted. */
async function seed(): Promise<void> {
  const start = Date.now();
  const first = seeds.map((s, i) => ({ key: `${prefix}n${i + 1}`, value: { id: `n${i + 1}`, title: s.title, text: s.text, editedAt: start - s.age * 3_600_000, revision: 1 } }));
  await store.batch([{ key: "seeded", value: true, ifRevision: "0" }, ...first]);
}
