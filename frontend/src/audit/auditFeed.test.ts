import { describe, expect, test } from "vitest";
import { create } from "@bufbuild/protobuf";
import { KernelError } from "../link/kernelError";
import type { Link } from "../link/signature";
import { AuditEntrySchema, AuditPageSchema, type AuditPage } from "../wire/neutron/link/v1/link_pb";
import { createAuditFeed, merge } from "./auditFeed";

const entry = (seq: number, status = "ok") => create(AuditEntrySchema, { seq: BigInt(seq), status });
const page = (seqs: readonly number[], more = false): AuditPage => create(AuditPageSchema, { entries: seqs.map((n) => entry(n)), more });

/** scripted answers each query with the next step, and remembers what was asked. */
function scripted(...steps: (AuditPage | KernelError | Promise<AuditPage>)[]) {
  const asked: unknown[] = [];
  const link = {
    request: (what: { value: unknown }) => {
      asked.push(what.value);
      const step = steps.shift();
      return step instanceof KernelError ? Promise.reject(step) : Promise.resolve(step);
    },
  } as unknown as Link;
  return { asked, feed: createAuditFeed(link) };
}
const shown = (feed: ReturnType<typeof createAuditFeed>): number[] => feed.store.get().entries.map((e) => Number(e.seq));

describe("the audit feed", () => {
  test("merge keeps each entry once, newest first, the newer reading of it", () => {
    expect(merge([entry(3), entry(2, "ok")], [entry(2, "PENDING"), entry(1)]).map((e) => [Number(e.seq), e.status])).toEqual([[3, "ok"], [2, "PENDING"], [1, "ok"]]);
  });

  test("new calls join what is shown", async () => {
    const { feed } = scripted(page([3, 2, 1]), page([5, 4, 3]));
    await feed.refresh();
    await feed.refresh();
    expect(shown(feed)).toEqual([5, 4, 3, 2, 1]);
  });

  test("a gap is never hidden: it starts from the newest page", async () => {
    const { feed } = scripted(page([3, 2, 1], true), page([90, 89, 88], true));
    await feed.refresh();
    await feed.refresh();
    expect(shown(feed)).toEqual([90, 89, 88]);
    expect(feed.store.get().more).toBe(true);
  });

  test("older calls go on where the list ends", async () => {
    const { feed, asked } = scripted(page([9, 8], true), page([7, 6]));
    await feed.refresh();
    await feed.older();
    expect(asked[1]).toMatchObject({ before: 8n });
    expect(shown(feed)).toEqual([9, 8, 7, 6]);
    expect(feed.store.get().more).toBe(false);
  });

  test("a late answer to an old filter is dropped", async () => {
    let late: (p: AuditPage) => void = () => undefined;
    const { feed } = scripted(new Promise<AuditPage>((resolve) => (late = resolve)), page([2]));
    const first = feed.refresh();
    await feed.filter({ app: "notes", status: "" });
    late(page([1]));
    await first;
    expect(shown(feed)).toEqual([2]);
  });

  test("the first failure is shown, a later one keeps what was read", async () => {
    const { feed } = scripted(new KernelError("STORE_DAMAGED", "x"), page([1]), new KernelError("CANCELLED", "y"));
    await feed.refresh();
    expect(feed.store.get()).toMatchObject({ is: "failed", error: { code: "STORE_DAMAGED" } });
    await feed.refresh();
    await feed.refresh();
    expect(feed.store.get()).toMatchObject({ is: "ready", error: null });
    expect(shown(feed)).toEqual([1]);
  });

  test("everything that failed is everything but ok", async () => {
    const { feed, asked } = scripted(page([1]), create(AuditPageSchema, { entries: [entry(3), entry(2, "DENIED")] }));
    await feed.refresh();
    await feed.filter({ app: "", status: "!ok" });
    expect(asked[1]).toMatchObject({ status: "" });
    expect(shown(feed)).toEqual([2]);
  });
});
