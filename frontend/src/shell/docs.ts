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
}

/** createDocs makes them over a link. onFail hears a write that the kernel refused for good. */
export function createDocs(link: Link, onFail: (err: KernelError) => void): Docs {
  const texts = new Map<string, string>();
  const revisions = new Map<string, bigint>();
  const waiting = new Map<string, string>();
  const busy = new Set<string>();

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
  };
}

function revisionIn(message: string): bigint | null {
  const found = /revision (\d+)/.exec(message);
  return found?.[1] === undefined ? null : BigInt(found[1]);
}
