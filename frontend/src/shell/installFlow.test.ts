import { describe, expect, test, vi } from "vitest";
import { create } from "@bufbuild/protobuf";
import { KernelError } from "../link/kernelError";
import { createFixtureLink } from "./fixtureLink";
import { DoneSchema, ReviewSchema } from "../wire/neutron/link/v1/link_pb";
import { createInstallFlow } from "../install/installFlow";

const review = create(ReviewSchema, { reviewId: "r1", app: { id: "notes", name: "Notes", version: "1.0.0", hash: "ab".repeat(32) } });
const done = create(DoneSchema);
const file = (size: number, name = "x.neutron") => Object.assign(new Blob([new Uint8Array(size)]), { name });

describe("installing", () => {
  test("a file goes up in chunks that join without a gap, then its review is asked", async () => {
    const link = createFixtureLink({}, { reviewInstall: review });
    const flow = createInstallFlow(link, () => undefined);
    await flow.fromFile(file((2 << 20) + 5));
    const chunks = link.said.map((s) => s.value as { offset: bigint; data: Uint8Array; last: boolean });
    expect(chunks.map((c) => [Number(c.offset), c.data.length, c.last])).toEqual([[0, 1 << 20, false], [1 << 20, 1 << 20, false], [2 << 20, 5, true]]);
    expect(link.asked).toMatchObject([{ case: "reviewInstall", value: { name: "x.neutron" } }]);
    expect(flow.store.get()).toMatchObject({ is: "review" });
  });

  test("what was shown is what is approved", async () => {
    const link = createFixtureLink({}, { reviewInstall: review, approveInstall: done });
    const installed = vi.fn();
    const flow = createInstallFlow(link, installed);
    await flow.fromBundle("notes", "Notes");
    await flow.answer(true);
    expect(link.asked.at(-1)).toMatchObject({ case: "approveInstall", value: { reviewId: "r1", digest: "ab".repeat(32) } });
    expect(installed).toHaveBeenCalledExactlyOnceWith(review);
    expect(flow.store.get()).toEqual({ is: "idle" });
  });

  test("cancel discards and installs nothing", async () => {
    const link = createFixtureLink({}, { reviewInstall: review, discardInstall: done });
    const installed = vi.fn();
    const flow = createInstallFlow(link, installed);
    await flow.fromBundle("notes", "Notes");
    await flow.answer(false);
    expect(link.asked.map((a) => a.case)).toEqual(["reviewInstall", "discardInstall"]);
    expect(installed).not.toHaveBeenCalled();
  });

  test("a broken package says its code and stays until it is put away", async () => {
    const flow = createInstallFlow(createFixtureLink({}, { reviewInstall: new KernelError("PACKAGE_INVALID", "entry ../x") }), () => undefined);
    await flow.fromFile(file(3, "bad.neutron"));
    expect(flow.store.get()).toEqual({ is: "refused", name: "bad.neutron", code: "PACKAGE_INVALID", message: "entry ../x" });
    flow.dismiss();
    expect(flow.store.get()).toEqual({ is: "idle" });
  });

  test("a lost link stops the upload with a word", async () => {
    const flow = createInstallFlow(createFixtureLink({ phase: "lost" }), () => undefined);
    await flow.fromFile(file(3));
    expect(flow.store.get()).toMatchObject({ is: "refused", code: "CANCELLED" });
  });

  test("one at a time: a second file does not replace a review under the owner's eyes", async () => {
    const link = createFixtureLink({}, { reviewInstall: review });
    const flow = createInstallFlow(link, () => undefined);
    await flow.fromBundle("notes", "Notes");
    await flow.fromFile(file(3));
    expect(link.asked).toHaveLength(1);
    expect(link.said).toHaveLength(0);
  });

  test("a refusal after the answer is told, and the review is over", async () => {
    const flow = createInstallFlow(createFixtureLink({}, { reviewInstall: review, approveInstall: new KernelError("DIGEST_MISMATCH", "x") }), () => undefined);
    await flow.fromBundle("notes", "Notes");
    await expect(flow.answer(true)).rejects.toThrow();
    expect(flow.store.get()).toMatchObject({ is: "refused", code: "DIGEST_MISMATCH" });
  });
});
