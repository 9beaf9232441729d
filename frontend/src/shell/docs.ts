import type { Link } from "../link/signature";
import { KernelError } from "../link/kernelError";
import type { Doc } from "../wire/neutron/link/v1/link_pb";

const decoder = new TextDecoder();
const encoder = new TextEncoder();
const delayMs = 400;

/**
 * Docs keeps the shell's durable documents (layout, theme) in the kernel: the origin changes each launch,
 * so the browser cannot keep them. Writes of one key are joined, one at a time, newest last.
 */
export interface Docs {
  /** read is the document's JSON text, or null when there is none. */
  read(key: string): string | null;
  /** write stores a value soon; a newer value of the same key replaces one that still waits. */
  write(key: string, value: unknown): void;
  /** adopt takes the documents of a welcome. */
  adopt(docs: readonly Doc[]): void;
  /**
   * follow takes what another shell of this owner wrote, and returns the keys whose text changed here. A document
   * that this shell is writing itself is left alone until that is done: the last hand on it wins.
   */
  follow(docs: readonly Doc[]): readonly string[];
}

/**
 * createDocs makes them over a link. onFail hears a write that the kernel refused for good; onChange the key of a
 * document that came from another shell while this one wrote it too.
 */
export function createDocs(link: Link, onFail: (err: KernelError) => void, onChange: (key: string) => void = () => undefined): Docs {
  const texts = new Map<string, string>();
  const revisions = new Map<string, bigint>();
  const waiting = new Map<string, string>();
  const busy = new Set<string>();
  const late = new Map<string, Doc>();

  const flush = async (key: string): Promise<void> => {
    if (busy.has(key)) return;
    busy.add(key);
    try {
      for (let text = waiting.get(key); text !== undefined; text = waiting.get(key)) {
        waiting.delete(key);
        await put(key, text, true);
      }
    } finally {
      busy.delete(key);
      const doc = late.get(key);
      late.delete(key);
      if (doc !== undefined && take(doc)) onChange(key);
    }
  };
  const put = async (key: string, text: string, again: boolean): Promise<void> => {
    try {
      const doc = await link.request({ case: "putDoc", value: { key, ifRevision: revisions.get(key) ?? 0n, json: encoder.encode(text) } });
      revisions.set(key, doc.revision);
      texts.set(key, text);
    } catch (err) {
      if (!(err instanceof KernelError)) throw err;
      // Another shell of this owner wrote it meanwhile: the last hand on it wins, on the revision that the kernel names.
      if (err.code === "CONFLICT" && again) {
        revisions.set(key, revisionIn(err.message) ?? (revisions.get(key) ?? 0n) + 1n);
        return put(key, text, false);
      }
      if (err.code !== "CANCELLED" && err.code !== "CONFLICT") onFail(err);
    }
  };
  // A push may overtake the answer to a write, so what is not newer than what is known changes nothing.
  const take = (doc: Doc): boolean => {
    if (doc.revision <= (revisions.get(doc.key) ?? 0n)) return false;
    const text = decoder.decode(doc.json);
    revisions.set(doc.key, doc.revision);
    const changed = texts.get(doc.key) !== text;
    texts.set(doc.key, text);
    return changed;
  };
  return {
    read: (key) => texts.get(key) ?? null,
    write(key, value) {
      const text = JSON.stringify(value);
      if (!waiting.has(key) && !busy.has(key) && texts.get(key) === text) return;
      const scheduled = waiting.has(key);
      waiting.set(key, text);
      if (!scheduled) setTimeout(() => void flush(key), delayMs);
    },
    adopt(docs) {
      for (const doc of docs) {
        revisions.set(doc.key, doc.revision);
        texts.set(doc.key, decoder.decode(doc.json));
      }
    },
    follow(docs) {
      const changed: string[] = [];
      for (const doc of docs) {
        if (busy.has(doc.key)) late.set(doc.key, doc);
        else if (waiting.has(doc.key)) {
          if (doc.revision > (revisions.get(doc.key) ?? 0n)) revisions.set(doc.key, doc.revision);
        }
        else if (take(doc)) changed.push(doc.key);
      }
      return changed;
    },
  };
}

function revisionIn(message: string): bigint | null {
  const found = /revision (\d+)/.exec(message);
  return found?.[1] === undefined ? null : BigInt(found[1]);
}
