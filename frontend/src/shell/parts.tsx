import { useEffect, useSyncExternalStore, type ComponentType, type ReactNode } from "react";

// What a start does not need comes in chunks of its own, fetched while the page is idle. A part that has come renders at
// once, without a frame in between; one that has not shows its place.

/** Part is one screen that is fetched by itself. */
export interface Part<P> {
  /** View shows the screen with its props, or the place until it has come. */
  readonly View: ComponentType<P & { readonly place?: ReactNode }>;
  /** fetch begins to fetch it, unless it has come or is under way. What fails is tried again when the part is shown. */
  fetch(): void;
}

const AGAIN_MS = 1_000;

/** createPart makes one of an import. */
export function createPart<P extends object>(load: () => Promise<ComponentType<P>>): Part<P> {
  let view: ComponentType<P> | null = null;
  let loading = false;
  const watchers = new Set<() => void>();
  const fetch = (): void => {
    if (view !== null || loading) return;
    loading = true;
    load().then(
      (loaded) => {
        view = loaded;
        for (const fn of [...watchers]) fn();
      },
      () => {
        // The kernel is away for a moment: whoever shows the part asks again.
        loading = false;
      },
    );
  };
  const subscribe = (fn: () => void): (() => void) => {
    watchers.add(fn);
    return () => void watchers.delete(fn);
  };
  return {
    fetch,
    View({ place = null, ...props }) {
      const Loaded = useSyncExternalStore(subscribe, () => view);
      const missing = Loaded === null;
      useEffect(() => {
        if (!missing) return;
        fetch();
        const timer = setInterval(fetch, AGAIN_MS);
        return () => clearInterval(timer);
      }, [missing]);
      return Loaded === null ? place : <Loaded {...(props as unknown as P)} />;
    },
  };
}

/** launcher, audit, apps, grants and appearance are the parts of the shell. */
export const launcher = createPart(() => import("../launcher/launcher").then((m) => m.Launcher));
export const audit = createPart(() => import("../audit/auditScreen").then((m) => m.AuditScreen));
export const apps = createPart(() => import("../settings/appsPage").then((m) => m.AppsPage));
export const grants = createPart(() => import("../settings/grantsPage").then((m) => m.GrantsPage));
export const appearance = createPart(() => import("../settings/appearancePage").then((m) => m.AppearancePage));

/** fetchIdle fetches every part once the page has nothing else to do. The launcher is first: it is what a key opens. */
export function fetchIdle(): void {
  const all = (): void => {
    for (const part of [launcher, appearance, apps, grants, audit]) part.fetch();
  };
  // WebKitGTK has no idle callback.
  if (typeof requestIdleCallback === "function") requestIdleCallback(all, { timeout: 3_000 });
  else setTimeout(all, 500);
}
