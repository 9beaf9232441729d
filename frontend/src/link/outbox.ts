import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { RequestSchema, type Request } from "../wire/neutron/link/v1/link_pb";

const KEY = "neutron.outbox";

/** OUTBOX_MAX is how many submissions may wait at once. */
export const OUTBOX_MAX = 64;

/** Kept is one submission whose reply has not come. */
export interface Kept {
  /** client is the shell that made it: a copied tab must not send what another shell will send. */
  readonly client: string;
  readonly request: Request;
}

/**
 * Outbox keeps submissions over a lost link and a reload. The kernel knows a submission by its id,
 * so sending one twice does it once. Only what changes something durable belongs here.
 */
export class Outbox {
  readonly #storage: Storage | null;
  #kept: Kept[];

  constructor(storage: Storage | null) {
    this.#storage = storage;
    this.#kept = read(storage);
  }

  get size(): number {
    return this.#kept.length;
  }

  /** all lists what waits, oldest first. */
  all(): readonly Kept[] {
    return this.#kept;
  }

  /** put adds a submission; false says that the outbox is full. */
  put(client: string, request: Request): boolean {
    if (this.#kept.length >= OUTBOX_MAX) return false;
    this.#kept = [...this.#kept, { client, request }];
    this.#write();
    return true;
  }

  /** drop forgets a submission: its reply came. */
  drop(submission: string): void {
    this.#keep((one) => one.request.submission !== submission);
  }

  /** keepOf drops what another client made, and gives those without a client to this one. */
  keepOf(client: string): void {
    this.#kept = this.#kept.map((one) => (one.client === "" ? { ...one, client } : one));
    this.#keep((one) => one.client === client);
  }

  /** clear forgets everything. */
  clear(): void {
    this.#keep(() => false);
  }

  #keep(wanted: (one: Kept) => boolean): void {
    this.#kept = this.#kept.filter(wanted);
    this.#write();
  }

  #write(): void {
    try {
      if (this.#kept.length === 0) this.#storage?.removeItem(KEY);
      else this.#storage?.setItem(KEY, JSON.stringify(this.#kept.map((one) => [one.client, encode(one.request)])));
    } catch {
      // Storage is full or shut: what waits is still sent, only a reload would lose it.
    }
  }
}

function encode(request: Request): string {
  let out = "";
  for (const byte of toBinary(RequestSchema, request)) out += String.fromCharCode(byte);
  return btoa(out);
}

function read(storage: Storage | null): Kept[] {
  try {
    const rows: unknown = JSON.parse(storage?.getItem(KEY) ?? "[]");
    if (!Array.isArray(rows)) return [];
    return rows.slice(0, OUTBOX_MAX).map((row: unknown) => {
      const [client, text] = row as [string, string];
      if (typeof client !== "string" || typeof text !== "string") throw new TypeError("no row of ours");
      const bytes = Uint8Array.from(atob(text), (unit) => unit.charCodeAt(0));
      const request = fromBinary(RequestSchema, bytes);
      return { client, request: create(RequestSchema, { submission: request.submission, what: request.what }) };
    });
  } catch {
    return []; // not written by us, or cut short: nothing to resend
  }
}
