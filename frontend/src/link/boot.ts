// Import this module first: the one-time secret must leave the address bar, and every
// place that reads it, before anything else on the page runs.

let boot: string | null = null;

const secretIn = (hash: string): string | null => /^#boot=([0-9a-f]{64})$/.exec(hash)?.[1] ?? null;

if (typeof location !== "undefined" && typeof history !== "undefined") {
  boot = secretIn(location.hash);
  if (location.hash !== "") history.replaceState(null, "", location.pathname);
  // A fresh link that is pasted into this very tab changes the fragment alone, and no engine loads the page for that.
  addEventListener("hashchange", () => {
    if (secretIn(location.hash) !== null) location.reload();
  });
}

/** takeBoot gives the boot secret that the page was opened with, once; later calls get null. */
export function takeBoot(): string | null {
  const taken = boot;
  boot = null;
  return taken;
}
