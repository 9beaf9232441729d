import { createStore, type Store } from "../design/store";
import { KernelError } from "../link/kernelError";
import type { Link, RequestWhat } from "../link/signature";
import { uploadPackage } from "../link/upload";
import type { Review } from "../wire/neutron/link/v1/link_pb";
import { needsNewSigner } from "./reviewFacts";

/** From is where a package comes from. */
export type From = "file" | "bundle" | "address" | "folder";

/** InstallState is where an install stands. One at a time. */
export type InstallState =
  | { readonly is: "idle" }
  | { readonly is: "reading"; readonly name: string; readonly from: From }
  /** other-signer: another key than the pinned one, or none. The owner may still ask for the review. */
  | { readonly is: "other-signer"; readonly review: Review }
  | { readonly is: "review"; readonly review: Review }
  /** again is the address to try once more; empty: there is none. */
  | { readonly is: "refused"; readonly name: string; readonly code: string; readonly message: string; readonly again: string };

/** InstallFlow takes a package from wherever it lies to a review and an answer. */
export interface InstallFlow {
  readonly store: Store<InstallState>;
  /** fromFile sends the file in chunks and asks for its review. Nothing is written by it. */
  fromFile(file: Blob & { readonly name: string }): Promise<void>;
  fromBundle(appId: string, name: string): Promise<void>;
  /** fromAddress has the kernel fetch an https address, once. */
  fromAddress(url: string): Promise<void>;
  /** fromFolder has the kernel pack a folder of its computer, in memory. */
  fromFolder(path: string): Promise<void>;
  /** cancel gives up what is being read. A review that comes all the same is discarded. */
  cancel(): void;
  /** reviewAnyway goes on from another signer to the review. */
  reviewAnyway(): void;
  /** answer installs what was shown, or forgets it. Rejects when the kernel would not. */
  answer(yes: boolean): Promise<void>;
  /** dismiss puts a refusal away. */
  dismiss(): void;
}

/** hostOf is the part of an address that says who is asked; an address that is none is given back. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/** createInstallFlow makes it. onInstalled hears of each app that was really installed. */
export function createInstallFlow(link: Link, onInstalled: (review: Review) => void): InstallFlow {
  const store = createStore<InstallState>({ is: "idle" });
  let turn = 0;

  const refuse = (mine: number, name: string, err: unknown, again = ""): void => {
    if (mine !== turn) return;
    const known = err instanceof KernelError;
    store.set({ is: "refused", name, code: known ? err.code : "INTERNAL", message: known ? err.message : String(err), again });
  };
  const discard = (review: Review): Promise<unknown> =>
    link.request({ case: "discardInstall", value: { reviewId: review.reviewId } }).catch(() => undefined);
  const show = (mine: number, review: Review): void => {
    if (mine === turn) return store.set({ is: needsNewSigner(review) ? "other-signer" : "review", review });
    void discard(review);
  };
  const read = async (name: string, from: From, source: (mine: number) => Promise<RequestWhat<"reviewInstall">["value"]>, again = ""): Promise<void> => {
    const { is } = store.get();
    if (is !== "idle" && is !== "refused") return;
    store.set({ is: "reading", name, from });
    const mine = ++turn;
    try {
      show(mine, await link.request({ case: "reviewInstall", value: await source(mine) }));
    } catch (err) {
      refuse(mine, name, err, again);
    }
  };
  const stop = (): void => {
    turn++;
    store.set({ is: "idle" });
  };

  return {
    store,
    fromFile: (file) =>
      read(file.name, "file", async (mine) => {
        const uploadId = await uploadPackage(link, file, () => {
          if (mine !== turn) throw new KernelError("CANCELLED", link.text("CANCELLED"));
        });
        return { source: { case: "uploadId", value: uploadId }, name: file.name };
      }),
    fromBundle: (appId, name) => read(name, "bundle", () => Promise.resolve({ source: { case: "bundledAppId", value: appId }, name })),
    fromAddress: (url) => read(hostOf(url), "address", () => Promise.resolve({ source: { case: "url", value: url } }), url),
    fromFolder: (path) => read(path, "folder", () => Promise.resolve({ source: { case: "directory", value: path } })),
    cancel() {
      if (store.get().is === "reading") stop();
    },
    reviewAnyway() {
      const now = store.get();
      if (now.is === "other-signer") store.set({ is: "review", review: now.review });
    },
    async answer(yes) {
      const now = store.get();
      if (now.is !== "review" && now.is !== "other-signer") return;
      const { review } = now;
      if (!yes) {
        stop();
        await discard(review);
        return;
      }
      // What the owner did not see in a review is not installed.
      if (now.is !== "review") return;
      try {
        await link.request({
          case: "approveInstall",
          value: { reviewId: review.reviewId, digest: review.app?.hash ?? "", replaceSigner: needsNewSigner(review) },
        });
        store.set({ is: "idle" });
        onInstalled(review);
      } catch (err) {
        refuse(turn, review.app?.name ?? review.source, err);
        throw err;
      }
    },
    dismiss: stop,
  };
}
