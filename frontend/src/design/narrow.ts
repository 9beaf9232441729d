import { useSyncExternalStore } from "react";

const media = (): MediaQueryList => matchMedia("(max-width: 900px)");

function subscribe(fn: () => void): () => void {
  const query = media();
  query.addEventListener("change", fn);
  return () => query.removeEventListener("change", fn);
}

/** useNarrow says whether the window has room for one column only (900 px and less). */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => media().matches);
}
