import { describe, expect, test, vi } from "vitest";
import { create } from "@bufbuild/protobuf";
import { KernelError } from "../link/kernelError";
import { createFixtureLink } from "./fixtureLink";
import { DoneSchema, ReviewSchema, SignerState } from "../wire/neutron/link/v1/link_pb";
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
    expect(flow.store.get()).toEqual({ is: "refused", name: "bad.neutron", code: "PACKAGE_INVALID", message: "entry ../x", again: "" });
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

const signed = (state: SignerState) => create(ReviewSchema, { reviewId: "r1", signer: { state, key: "ab", pinned: "cd" }, app: { id: "notes", name: "Notes", version: "1.1.0", hash: "ab".repeat(32) } });

describe("from an address or a folder", () => {
  test("the kernel is asked for exactly what was typed, and the host names it", async () => {
    const link = createFixtureLink({}, { reviewInstall: review });
    const flow = createInstallFlow(link, () => undefined);
    const under = flow.fromAddress("https://a.example:8443/x.neutron?y=1");
    expect(flow.store.get()).toEqual({ is: "reading", name: "a.example:8443", from: "address" });
    await under;
    expect(link.asked).toMatchObject([{ case: "reviewInstall", value: { source: { case: "url", value: "https://a.example:8443/x.neutron?y=1" } } }]);
    expect(flow.store.get()).toMatchObject({ is: "review" });
  });

  test("a folder goes by its path", async () => {
    const link = createFixtureLink({}, { reviewInstall: review });
    await createInstallFlow(link, () => undefined).fromFolder("/home/a/b");
    expect(link.asked[0]).toMatchObject({ value: { source: { case: "directory", value: "/home/a/b" } } });
  });

  test("cancelled while it was fetched: nothing is shown, and what comes late is discarded", async () => {
    const link = createFixtureLink({}, { reviewInstall: review, discardInstall: done });
    const flow = createInstallFlow(link, () => undefined);
    const under = flow.fromAddress("https://a.example/x");
    flow.cancel();
    expect(flow.store.get()).toEqual({ is: "idle" });
    await under;
    expect(link.asked.map((a) => a.case)).toEqual(["reviewInstall", "discardInstall"]);
    expect(flow.store.get()).toEqual({ is: "idle" });
  });

  test("a late refusal of what was cancelled says nothing", async () => {
    const flow = createInstallFlow(createFixtureLink({}, { reviewInstall: new KernelError("FETCH_FAILED", "x") }), () => undefined);
    const under = flow.fromAddress("https://a.example/x");
    flow.cancel();
    await under;
    expect(flow.store.get()).toEqual({ is: "idle" });
  });

  test("cancelling a file stops its chunks", async () => {
    const link = createFixtureLink({}, { reviewInstall: review });
    const flow = createInstallFlow(link, () => undefined);
    const under = flow.fromFile(file(5 << 20));
    flow.cancel();
    await under;
    expect(link.said.length).toBeLessThan(2);
    expect(link.asked).toHaveLength(0);
    expect(flow.store.get()).toEqual({ is: "idle" });
  });

  test("a failed address can be asked again, a failed file cannot", async () => {
    const flow = createInstallFlow(createFixtureLink({}, { reviewInstall: new KernelError("FETCH_FAILED", "x") }), () => undefined);
    await flow.fromAddress("https://a.example/x");
    expect(flow.store.get()).toMatchObject({ is: "refused", again: "https://a.example/x" });
    await flow.fromFile(file(3));
    expect(flow.store.get()).toMatchObject({ is: "refused", again: "" });
  });
});

describe("another signer", () => {
  test.each([SignerState.CHANGED, SignerState.MISSING])("state %i stops before the review, and declining discards it", async (state) => {
    const link = createFixtureLink({}, { reviewInstall: signed(state), discardInstall: done });
    const flow = createInstallFlow(link, () => undefined);
    await flow.fromFile(file(3));
    expect(flow.store.get()).toMatchObject({ is: "other-signer" });
    await flow.answer(true);
    expect(link.asked.map((a) => a.case)).toEqual(["reviewInstall"]);
    await flow.answer(false);
    expect(link.asked.at(-1)).toMatchObject({ case: "discardInstall" });
    expect(flow.store.get()).toEqual({ is: "idle" });
  });

  test("only the review that the owner asked for takes the other key", async () => {
    const link = createFixtureLink({}, { reviewInstall: signed(SignerState.CHANGED), approveInstall: done });
    const flow = createInstallFlow(link, () => undefined);
    await flow.fromFile(file(3));
    flow.reviewAnyway();
    expect(flow.store.get()).toMatchObject({ is: "review" });
    await flow.answer(true);
    expect(link.asked.at(-1)).toMatchObject({ case: "approveInstall", value: { replaceSigner: true } });
  });

  test.each([SignerState.NEW, SignerState.SAME, SignerState.UNSIGNED])("state %i is reviewed at once and replaces nothing", async (state) => {
    const link = createFixtureLink({}, { reviewInstall: signed(state), approveInstall: done });
    const flow = createInstallFlow(link, () => undefined);
    await flow.fromFile(file(3));
    await flow.answer(true);
    expect(link.asked.at(-1)).toMatchObject({ case: "approveInstall", value: { replaceSigner: false } });
  });
});
