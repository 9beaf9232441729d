import { ChangeKind, SignerState, type Change, type Review, type Risk } from "../wire/neutron/link/v1/link_pb";

/** Difference is what an update makes different, each part with the gravest first. */
export interface Difference {
  readonly more: readonly Change[];
  readonly less: readonly Change[];
  readonly other: readonly Change[];
  readonly ends: readonly Change[];
  /** same is what the installed version may do as well. */
  readonly same: readonly Risk[];
}

/** differenceOf sorts the changes of an update, and says which of its risks no change speaks about. */
export function differenceOf(review: Review): Difference {
  const of = (kind: ChangeKind): readonly Change[] => review.changes.filter((c) => c.kind === kind).sort((a, b) => b.level - a.level);
  const more = of(ChangeKind.ADDED);
  const other = review.changes.filter((c) => c.kind === ChangeKind.CHANGED || c.kind === ChangeKind.UNSPECIFIED).sort((a, b) => b.level - a.level);
  const touched = [...more, ...other];
  const connects = review.changes.some((c) => c.tag === "connect");
  const same = shownRisks(review).filter((r) => {
    // What it says about the rest of the network hangs on the declared addresses.
    if (r.tag === "network") return !connects;
    return !touched.some((c) => c.tag === r.tag && (r.tag !== "connect" || c.fact === r.fact));
  });
  return { more, less: of(ChangeKind.REMOVED), other, ends: of(ChangeKind.ENDS), same };
}

/** shownRisks is the list of the sheet: gravest first, without the publisher, who has a plate of their own. */
export function shownRisks(review: Review): readonly Risk[] {
  return review.risks.filter((r) => r.tag !== "publisher").sort((a, b) => b.level - a.level);
}

/** needsNewSigner says that installing takes another signer, or none, in place of the pinned one. */
export function needsNewSigner(review: Review): boolean {
  const state = review.signer?.state;
  return state === SignerState.CHANGED || state === SignerState.MISSING;
}

/** vouchless says that nobody signed the package and that the kernel does not vouch for it either, as it does for what came with it. */
export function vouchless(review: Review): boolean {
  return review.signer?.state !== SignerState.SAME && review.signer?.state !== SignerState.NEW && !needsNewSigner(review) && review.risks.some((r) => r.tag === "publisher");
}
