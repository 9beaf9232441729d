import { createStore, type Store } from "../design/store";
import type { Link } from "../link/signature";
import type { Apps, Frames, Health, Notice, Questions } from "../wire/neutron/link/v1/link_pb";

/** KernelState is what the kernel pushed last. Each part is replaced as a whole; null: not heard yet. */
export interface KernelState {
  readonly apps: Apps | null;
  readonly questions: Questions | null;
  readonly frames: Frames | null;
  readonly health: Health | null;
  /** lockedAt is when the owner locked Neutron, in ms; 0 while it is not locked. */
  readonly lockedAt: number;
}

const nothing: KernelState = { apps: null, questions: null, frames: null, health: null, lockedAt: 0 };

/** followKernel feeds a store from the link. What was heard before a lost link stays: old, and labelled so by the link's state. */
export function followKernel(link: Link, onNotice: (n: Notice) => void): { readonly store: Store<KernelState>; readonly stop: () => void } {
  const store = createStore(nothing);
  const stops = [
    link.on("state", (state) => {
      const part = state.part;
      switch (part.case) {
        case "apps":
          return store.set((s) => ({ ...s, apps: part.value }));
        case "questions":
          return store.set((s) => ({ ...s, questions: part.value }));
        case "frames":
          return store.set((s) => ({ ...s, frames: part.value }));
        case "health":
          return store.set((s) => ({ ...s, health: part.value }));
        default:
          return;
      }
    }),
    link.on("welcome", () => store.set((s) => ({ ...s, lockedAt: 0 }))),
    link.on("locked", (locked) => store.set((s) => ({ ...s, lockedAt: Number(locked.atMs), questions: null, frames: null }))),
    link.on("notice", onNotice),
  ];
  return { store, stop: () => stops.forEach((stop) => stop()) };
}
