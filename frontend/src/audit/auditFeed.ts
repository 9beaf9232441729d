import { createStore, type Store } from "../design/store";
import { KernelError } from "../link/kernelError";
import type { Link } from "../link/signature";
import type { AuditEntry } from "../wire/neutron/link/v1/link_pb";

/** AuditFilter is what the owner looks for; empty strings take everything. */
export interface AuditFilter {
  readonly app: string;
  /** status is "", "ok", a code, or "!ok" for everything that failed. */
  readonly status: string;
}

/** AuditState is what the screen shows. */
export interface AuditState {
  readonly filter: AuditFilter;
  readonly entries: readonly AuditEntry[];
  readonly more: boolean;
  readonly is: "loading" | "ready" | "failed";
  readonly error: { readonly code: string; readonly message: string } | null;
  /** readAt is when it was last read, in ms. */
  readonly readAt: number;
}

/** AuditFeed reads the durable log, newest first. */
export interface AuditFeed {
  readonly store: Store<AuditState>;
  /** refresh reads what is new; what is shown stays until the answer is there. */
  refresh(): Promise<void>;
  older(): Promise<void>;
  filter(next: AuditFilter): Promise<void>;
}

const pageSize = 100;

/** merge joins two runs of entries by their number, newest first, each once. */
export function merge(a: readonly AuditEntry[], b: readonly AuditEntry[]): readonly AuditEntry[] {
  const bySeq = new Map<bigint, AuditEntry>();
  for (const e of [...a, ...b]) bySeq.set(e.seq, e);
  return [...bySeq.values()].sort((x, y) => (x.seq < y.seq ? 1 : x.seq > y.seq ? -1 : 0));
}

/** createAuditFeed makes one for a screen. A late answer to an old filter is dropped. */
export function createAuditFeed(link: Link): AuditFeed {
  const store = createStore<AuditState>({ filter: { app: "", status: "" }, entries: [], more: false, is: "loading", error: null, readAt: 0 });
  let turn = 0;
  const read = async (before: bigint, mine: number): Promise<{ readonly entries: readonly AuditEntry[]; readonly more: boolean } | null> => {
    const { filter } = store.get();
    try {
      const page = await link.request({ case: "queryAudit", value: { before, limit: pageSize, appId: filter.app, status: filter.status === "!ok" ? "" : filter.status } });
      if (mine !== turn) return null;
      return { entries: filter.status === "!ok" ? page.entries.filter((e) => e.status !== "ok") : page.entries, more: page.more };
    } catch (err) {
      if (mine !== turn) return null;
      const error = err instanceof KernelError ? { code: err.code, message: err.message } : { code: "INTERNAL", message: String(err) };
      // A lost link is no failure of the log: what was read stays, with its time.
      store.set((s) => (s.readAt > 0 ? s : { ...s, is: "failed", error }));
      return null;
    }
  };
  const refresh = async (): Promise<void> => {
    const mine = turn;
    const page = await read(0n, mine);
    if (page === null) return;
    store.set((s) => {
      const fresh = s.readAt === 0;
      // A gap between the newest page and what is shown would hide calls: start from the newest page then.
      const last = page.entries.at(-1);
      const joins = !fresh && (!page.more || last === undefined || s.entries.some((e) => e.seq >= last.seq));
      return joins
        ? { ...s, entries: merge(page.entries, s.entries), more: s.entries.length === 0 ? page.more : s.more, is: "ready", error: null, readAt: Date.now() }
        : { ...s, entries: page.entries, more: page.more, is: "ready", error: null, readAt: Date.now() };
    });
  };
  return {
    store,
    refresh,
    async older() {
      const last = store.get().entries.at(-1);
      if (last === undefined) return;
      const page = await read(last.seq, turn);
      if (page !== null) store.set((s) => ({ ...s, entries: merge(s.entries, page.entries), more: page.more }));
    },
    async filter(next) {
      turn++;
      store.set((s) => ({ ...s, filter: next, entries: [], more: false, is: "loading", readAt: 0, error: null }));
      await refresh();
    },
  };
}
