import { useSyncExternalStore } from "react";

/** Store is one immutable value that outlives every component. */
export interface Store<T> {
  get(): T;
  set(next: T | ((prev: T) => T)): void;
  subscribe(fn: () => void): () => void;
}

/** createStore makes a store. Setting the same value tells nobody. */
export function createStore<T>(first: T): Store<T> {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      const made = typeof next === "function" ? (next as (prev: T) => T)(value) : next;
      if (Object.is(made, value)) return;
      value = made;
      for (const fn of [...listeners]) fn();
    },
    subscribe(fn) {
      listeners.add(fn);
      return () => listeners.delete(fn);
    },
  };
}

/** useStore reads a store in a component. */
export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get);
}
