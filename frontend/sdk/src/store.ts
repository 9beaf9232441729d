import { NeutronError } from "../../src/port/fault";
import { isRecord } from "../../src/port/json";
import { base64, isArray, unbase64 } from "../../src/port/primitives";
import type { Bus } from "./bus";
import { STORE_TOPIC } from "./state";

/** BLOB_CHUNK is how many bytes of a blob travel at once (kernel/limit DataChunk). */
export const BLOB_CHUNK = 512 << 10;

// A blob that others keep replacing while it is read is read from its beginning so many times.
const READ_TRIES = 4;

/** StoreEntry is a value and the revision of the change that wrote it. */
export interface StoreEntry {
  readonly value: unknown;
  readonly revision: string;
}

/** StoreChange is one change of a batch: a value to put, or a key to delete. */
export type StoreChange =
  | { readonly key: string; readonly value: unknown; readonly ifRevision?: string }
  | { readonly key: string; readonly delete: true; readonly ifRevision?: string };

/** StoreRange says which keys a list has, in the order of their bytes. */
export interface StoreRange {
  /** prefix is what the keys begin with; without it all are listed. */
  readonly prefix?: string;
  /** after is the key to begin after: the former page's next. */
  readonly after?: string;
  /** limit is how many entries a page has at most: 1 to 1,000. */
  readonly limit?: number;
}

/** StoreListed is one entry of a list; value is there if the list was asked for values. */
export interface StoreListed {
  readonly key: string;
  readonly revision: string;
  readonly value?: unknown;
}

/** StoreBlob is one blob of a list. */
export interface StoreBlob {
  readonly key: string;
  readonly revision: string;
  /** size is in bytes. */
  readonly size: number;
}

/** StorePage is one page of a list. */
export interface StorePage<T> {
  readonly entries: readonly T[];
  /** next is there if the list goes on: pass it as after. */
  readonly next?: string;
  /** revision is the store's when the page was read. */
  readonly revision: string;
}

/** StoreUsage is what the app keeps and may keep, in entries and bytes. */
export interface StoreUsage {
  readonly revision: string;
  readonly entries: number;
  readonly bytes: number;
  readonly bytesMax: number;
  readonly blobs: number;
  readonly blobBytes: number;
  readonly blobBytesMax: number;
}

/**
 * Store is what one installation of an app keeps. A change resolves with its revision when it is on the disk; revisions
 * grow by one with each change of the store. ifRevision makes a change CONFLICT unless the key's entry has that revision;
 * "0" means that there must be none.
 */
export interface Store {
  /** put sets a key's value: JSON of at most 1,000,000 bytes. */
  put(entry: { readonly key: string; readonly value: unknown; readonly ifRevision?: string }): Promise<string>;
  /** get gives a key's value, or null. */
  get(key: string): Promise<StoreEntry | null>;
  /** delete takes a key away. deleted says whether there was one; if not, nothing changed. */
  delete(entry: { readonly key: string; readonly ifRevision?: string }): Promise<{ revision: string; deleted: boolean }>;
  /** list gives the keys of a range, and their values if asked. A page ends early when it is full in bytes. */
  list(range?: StoreRange & { readonly values?: boolean }): Promise<StorePage<StoreListed>>;
  /** batch makes up to 100 changes of different keys, all or none. */
  batch(changes: readonly StoreChange[]): Promise<string>;
  /** usage gives what is kept and what may be. */
  usage(): Promise<StoreUsage>;
  /** putBlob sets a blob of at most 16 MiB. Blobs have keys of their own beside those of values. */
  putBlob(blob: { readonly key: string; readonly data: ArrayBuffer | Uint8Array | Blob; readonly ifRevision?: string }): Promise<string>;
  /** getBlob gives a whole blob, or null. */
  getBlob(key: string): Promise<Uint8Array<ArrayBuffer> | null>;
  /** readBlob gives a part of a blob, at most 512 KiB, or null where there is no blob. */
  readBlob(key: string, offset: number, length: number): Promise<Uint8Array<ArrayBuffer> | null>;
  /** deleteBlob takes a blob away. */
  deleteBlob(blob: { readonly key: string; readonly ifRevision?: string }): Promise<{ revision: string; deleted: boolean }>;
  /** listBlobs gives the blobs of a range. */
  listBlobs(range?: StoreRange): Promise<StorePage<StoreBlob>>;
}

/** createStore makes the store over a page's bus. */
export function createStore(bus: Bus): Store {
  const ask = (verb: string, payload: object): Promise<Record<string, unknown>> => bus.ask(`store.${verb}`, payload);
  const change = async (verb: string, payload: object): Promise<Record<string, unknown>> => {
    const answer = await ask(verb, payload);
    bus.states.own(STORE_TOPIC, text(answer, "revision"));
    return answer;
  };
  const revision = async (verb: string, payload: object): Promise<string> => text(await change(verb, payload), "revision");
  const page = async (verb: string, range: object): Promise<never> => {
    const answer = await ask(verb, range);
    if (!isArray(answer.entries)) throw strange();
    return answer as never;
  };
  const part = async (payload: object): Promise<{ data: Uint8Array<ArrayBuffer>; size: number; revision: string } | null> => {
    const { blob } = await ask("blob.read", payload);
    if (blob === null) return null;
    if (!isRecord(blob) || typeof blob.size !== "number") throw strange();
    return { data: unbase64(text(blob, "data")), size: blob.size, revision: text(blob, "revision") };
  };

  return {
    put: (entry) => revision("put", entry),
    get: async (key) => {
      const { entry } = await ask("get", { key });
      if (entry === null) return null;
      if (!isRecord(entry)) throw strange();
      return { value: entry.value, revision: text(entry, "revision") };
    },
    delete: async (entry) => {
      const answer = await change("delete", entry);
      return { revision: text(answer, "revision"), deleted: answer.deleted === true };
    },
    list: (range = {}) => page("list", range),
    batch: (changes) => revision("batch", { changes }),
    usage: async () => (await ask("usage", {})) as unknown as StoreUsage,
    putBlob: async ({ data, ...blob }) => {
      const bytes = data instanceof Uint8Array ? data : new Uint8Array(data instanceof ArrayBuffer ? data : await data.arrayBuffer());
      const upload = text(await ask("blob.begin", { ...blob, size: bytes.length }), "upload");
      try {
        for (let offset = 0; offset < bytes.length; offset += BLOB_CHUNK) {
          await ask("blob.append", { upload, offset, data: base64(bytes.subarray(offset, offset + BLOB_CHUNK)) });
        }
      } catch (error) {
        ask("blob.abort", { upload }).catch(() => {}); // the first error is the one to tell
        throw error;
      }
      return revision("blob.commit", { upload });
    },
    getBlob: async (key) => {
      for (let tries = 1; ; tries++) {
        try {
          const first = await part({ key });
          if (first === null) return null;
          const whole = new Uint8Array(first.size);
          whole.set(first.data);
          for (let offset = first.data.length; offset < first.size; ) {
            const more = await part({ key, offset, ifRevision: first.revision });
            if (more === null || more.data.length === 0) throw strange();
            whole.set(more.data, offset);
            offset += more.data.length;
          }
          return whole;
        } catch (error) {
          if (!(error instanceof NeutronError && error.code === "CONFLICT") || tries === READ_TRIES) throw error;
        }
      }
    },
    readBlob: async (key, offset, length) => (await part({ key, offset, length }))?.data ?? null,
    deleteBlob: async (blob) => {
      const answer = await change("blob.delete", blob);
      return { revision: text(answer, "revision"), deleted: answer.deleted === true };
    },
    listBlobs: (range = {}) => page("blob.list", range),
  };
}

function text(answer: Record<string, unknown>, member: string): string {
  const value = answer[member];
  if (typeof value === "string") return value;
  throw strange();
}

function strange(): NeutronError {
  return new NeutronError("OUTPUT_INVALID", "Neutron's answer is not of the form that was expected");
}
