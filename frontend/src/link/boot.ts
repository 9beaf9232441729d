// Import this module first: the one-time secret must leave the address bar, and every
// place that reads it, before anything else on the page runs.

let boot: string | null = null;

if (typeof location !== "undefined" && typeof history !== "undefined") {
  boot = /^#boot=([0-9a-f]{64})$/.exec(location.hash)?.[1] ?? null;
  if (location.hash !== "") history.replaceState(null, "", location.pathname);
}

/** takeBoot gives the boot secret that the page was opened with, once; later calls get null. */
export function takeBoot(): string | null {
  const taken = boot;
  boot = null;
  return taken;
}
