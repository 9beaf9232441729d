import { createStore, type Store } from "../design/store";
import { KernelError } from "../link/kernelError";
import type { Link } from "../link/signature";
import { uploadPackage } from "../link/upload";
import type { Review } from "../wire/neutron/link/v1/link_pb";

/** InstallState is where an install stands. One at a time. */
export type InstallState =
  | { readonly is: "idle" }
  | { readonly is: "reading"; readonly name: string }
  | { readonly is: "review"; readonly review: Review }
  | { readonly is: "refused"; readonly name: string; readonly code: string; readonly message: string };

/** InstallFlow takes a package from a file or from those that came with Neutron to a review and an answer. */
export interface InstallFlow {
  readonly store: Store<InstallState>;
  /** fromFile sends the file in chunks and asks for its review. Nothing is written by it. */
  fromFile(file: Blob & { readonly name: string }): Promise<void>;
  fromBundle(appId: string, name: string): Promise<void>;
  /** answer installs what was shown, or forgets it. Rejects when the kernel would not. */
  answer(yes: boolean): Promise<void>;
  /** dismiss puts a refusal away. */
  dismiss(): void;
}

/** createInstallFlow makes it. onInstalled hears of each app that was really installed. */
export function createInstallFlow(link: Link, onInstalled: (review: Review) => void): InstallFlow {
  const store = createStore<InstallState>({ is: "idle" });
  let turn = 0;

  const refuse = (mine: number, name: string, err: unknown): void => {
    if (mine !== turn) return;
    const known = err instanceof KernelError;
    store.set({ is: "refused", name, code: known ? err.code : "INTERNAL", message: known ? err.message : String(err) });
  };
  const show = (mine: number, review: Review): void => {
    if (mine === turn) return store.set({ is: "review", review });
    void link.request({ case: "discardInstall", value: { reviewId: review.reviewId } }).catch(() => undefined);
  };
  const begin = (name: string): number | null => {
    if (store.get().is === "review" || store.get().is === "reading") return null;
    store.set({ is: "reading", name });
    return ++turn;
  };

  return {
    store,
    async fromFile(file) {
      const mine = begin(file.name);
      if (mine === null) return;
      try {
        const uploadId = await uploadPackage(link, file);
        show(mine, await link.request({ case: "reviewInstall", value: { source: { case: "uploadId", value: uploadId }, name: file.name } }));
      } catch (err) {
        refuse(mine, file.name, err);
      }
    },
    async fromBundle(appId, name) {
      const mine = begin(name);
      if (mine === null) return;
      try {
        show(mine, await link.request({ case: "reviewInstall", value: { source: { case: "bundledAppId", value: appId }, name } }));
      } catch (err) {
        refuse(mine, name, err);
      }
    },
    async answer(yes) {
      const now = store.get();
      if (now.is !== "review") return;
      const { review } = now;
      if (!yes) {
        turn++;
        store.set({ is: "idle" });
        await link.request({ case: "discardInstall", value: { reviewId: review.reviewId } }).catch(() => undefined);
        return;
      }
      try {
        await link.request({ case: "approveInstall", value: { reviewId: review.reviewId, digest: review.app?.hash ?? "" } });
        store.set({ is: "idle" });
        onInstalled(review);
      } catch (err) {
        refuse(turn, review.app?.name ?? review.source, err);
        throw err;
      }
    },
    dismiss() {
      turn++;
      store.set({ is: "idle" });
    },
  };
}
