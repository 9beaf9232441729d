import { create } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { ChangeKind, ReviewSchema, SignerState } from "../wire/neutron/link/v1/link_pb";
import { differenceOf, needsNewSigner, shownRisks, vouchless } from "./reviewFacts";

const risk = (tag: string, level = 1, fact = "") => ({ tag, level, title: `${tag} ${fact}`, fact });
const change = (kind: ChangeKind, tag: string, level = 0, fact = "") => ({ kind, tag, level, title: `${tag} ${fact}`, fact });
const { ADDED, REMOVED, CHANGED, ENDS } = ChangeKind;

describe("what an update makes different", () => {
  const review = create(ReviewSchema, {
    risks: [risk("use"), risk("connect", 3, "https://a"), risk("connect", 3, "https://b"), risk("background", 2), risk("network", 2), risk("publisher", 1), risk("tiles")],
    changes: [change(ENDS, "grants"), change(REMOVED, "tray"), change(CHANGED, "background", 1), change(ADDED, "tiles", 1), change(ADDED, "connect", 3, "https://b")],
  });
  const d = differenceOf(review);

  test("each change stands in one part, the gravest first", () => {
    expect(d.more.map((c) => c.tag)).toEqual(["connect", "tiles"]);
    expect([d.less, d.other, d.ends].map((l) => l.map((c) => c.tag))).toEqual([["tray"], ["background"], ["grants"]]);
  });

  test("what no change speaks about is the same: another address is, the new one is not", () => {
    expect(d.same.map((r) => `${r.tag} ${r.fact}`.trim())).toEqual(["connect https://a", "use"]);
  });

  test("an update without changes leaves everything the same", () => {
    const same = differenceOf(create(ReviewSchema, { risks: review.risks }));
    expect(same.same.map((r) => r.tag)).toEqual(["connect", "connect", "background", "network", "use", "tiles"]);
  });

  test("a kind that this page does not know is shown, not lost", () => {
    expect(differenceOf(create(ReviewSchema, { changes: [change(0, "new thing")] })).other).toHaveLength(1);
  });
});

describe("who signed", () => {
  const by = (state: SignerState, ...tags: string[]) => create(ReviewSchema, { signer: { state }, risks: tags.map((tag) => risk(tag)) });
  test("only a changed or a missing key needs the owner's word", () => {
    const need = [0, 1, 2, 3, 4, 5].filter((state) => needsNewSigner(by(state)));
    expect(need).toEqual([SignerState.CHANGED, SignerState.MISSING]);
  });

  test("nobody vouches for an unsigned package, but Neutron does for what came with it", () => {
    expect(vouchless(by(SignerState.UNSIGNED, "publisher"))).toBe(true);
    expect(vouchless(by(SignerState.UNSIGNED))).toBe(false);
    expect(vouchless(by(SignerState.SAME, "publisher"))).toBe(false);
  });

  test("the publisher has a plate, and no row beside it", () => {
    expect(shownRisks(by(SignerState.NEW, "publisher", "use")).map((r) => r.tag)).toEqual(["use"]);
  });
});
