import type { Broker, FrameEnd, FrameHandle } from "../broker/signature";
import { createStore, type Store } from "../design/store";
import { KernelError } from "../link/kernelError";
import { addSlot, decodeLayout, dropSlot, emptyLayout, encodeLayout, followLayout, maxSlots, nameSlot, type Layout, type Slot } from "./layout";
import type { Docs } from "./docs";

/** TileLife is where one open tile stands as this shell knows it. */
export type TileLife =
  | { readonly is: "opening" }
  | { readonly is: "open"; readonly handle: FrameHandle }
  /** ended: the frame is gone; the slot stays and says why. */
  | { readonly is: "ended"; readonly end: FrameEnd };

/** TilesState is the layout and the life of each of its slots, by slot key. */
export interface TilesState {
  readonly layout: Layout;
  readonly lives: ReadonlyMap<string, TileLife>;
  /** restored says that the stored layout was read; before it, an empty grid means nothing. */
  readonly restored: boolean;
}

/** Tiles opens, closes and restores tiles. It owns the handles; React only shows what it says. */
export interface Tiles {
  readonly store: Store<TilesState>;
  /** restore opens the stored tiles. Called at each welcome: a lost link took all frames with it. */
  restore(): void;
  open(app: string, tile: string): string | null;
  close(key: string): void;
  /** undo brings the last closed tile back to its place. */
  undo(): void;
  /** reload ends the frame and opens it anew, also after it ended. */
  reload(key: string): void;
  closeAll(): void;
  front(key: string): void;
  /** follow shows the tiles that another shell of this kind has now: it opens and closes here what was opened and closed there. */
  follow(): void;
  /** dropApp closes every tile of an app. */
  dropApp(app: string): void;
}

/** createTiles makes it. docKey is the layout document of this kind of shell. */
export function createTiles(broker: Broker, docs: Docs, docKey: () => string, onFull: () => void): Tiles {
  const store = createStore<TilesState>({ layout: emptyLayout, lives: new Map(), restored: false });
  let counter = 0;
  let closed: { readonly slot: Slot; readonly at: number } | null = null;
  const nextKey = (): string => `tile-${++counter}`;

  const life = (key: string, next: TileLife | null): void =>
    store.set((s) => {
      const lives = new Map(s.lives);
      if (next === null) lives.delete(key);
      else lives.set(key, next);
      return { ...s, lives };
    });
  const change = (layout: Layout): void => {
    if (layout === store.get().layout) return;
    store.set((s) => ({ ...s, layout }));
    docs.write(docKey(), encodeLayout(layout));
  };
  const has = (key: string): boolean => store.get().layout.slots.some((s) => s.key === key);

  const start = async (slot: Slot): Promise<void> => {
    life(slot.key, { is: "opening" });
    try {
      const handle = await broker.openTile(slot.app, slot.tile, ...(slot.instance === "" ? [] : [slot.instance]));
      if (!has(slot.key)) return handle.close();
      change(nameSlot(store.get().layout, slot.key, handle.instance));
      life(slot.key, { is: "open", handle });
      void handle.ended.then((end) => {
        const now = store.get().lives.get(slot.key);
        if (now?.is === "open" && now.handle === handle) life(slot.key, { is: "ended", end });
      });
    } catch (err) {
      const end = err instanceof KernelError ? { code: err.code, reason: err.message } : { code: "INTERNAL", reason: String(err) };
      if (has(slot.key)) life(slot.key, { is: "ended", end });
    }
  };
  const stop = (key: string): void => {
    const now = store.get().lives.get(key);
    life(key, null);
    if (now?.is === "open") now.handle.close();
  };
  const put = (slot: Slot, at?: number): string | null => {
    const { layout } = store.get();
    if (layout.slots.length >= maxSlots) {
      onFull();
      return null;
    }
    change(addSlot(layout, slot, at));
    void start(slot);
    return slot.key;
  };

  return {
    store,
    restore() {
      const first = !store.get().restored;
      if (first) {
        const layout = decodeLayout(docs.read(docKey()), nextKey);
        store.set((s) => ({ ...s, layout: s.layout.slots.length > 0 ? s.layout : layout, restored: true }));
      }
      for (const slot of store.get().layout.slots) {
        const now = store.get().lives.get(slot.key);
        if (now === undefined || (now.is === "ended" && (now.end.code === "NO_SHELL" || now.end.code === "CANCELLED"))) void start(slot);
      }
    },
    open: (app, tile) => put({ key: nextKey(), app, tile, instance: "" }),
    close(key) {
      const { layout } = store.get();
      const at = layout.slots.findIndex((s) => s.key === key);
      const slot = layout.slots[at];
      if (slot === undefined) return;
      closed = { slot, at };
      change(dropSlot(layout, key));
      stop(key);
    },
    undo() {
      if (closed === null) return;
      put({ ...closed.slot, key: nextKey() }, Math.min(closed.at, store.get().layout.slots.length));
      closed = null;
    },
    reload(key) {
      const slot = store.get().layout.slots.find((s) => s.key === key);
      if (slot === undefined) return;
      stop(key);
      void start(slot);
    },
    closeAll() {
      const { slots } = store.get().layout;
      change(emptyLayout);
      for (const slot of slots) stop(slot.key);
    },
    front(key) {
      const { layout } = store.get();
      if (layout.active !== key && has(key)) change({ ...layout, active: key });
    },
    follow() {
      const { layout: mine, restored } = store.get();
      if (!restored) return;
      const layout = followLayout(mine, decodeLayout(docs.read(docKey()), nextKey));
      if (layout === mine) return;
      // Not written: it is what stands in the document.
      store.set((s) => ({ ...s, layout }));
      for (const slot of mine.slots) if (!has(slot.key)) stop(slot.key);
      for (const slot of layout.slots) if (!mine.slots.includes(slot)) void start(slot);
    },
    dropApp(app) {
      let { layout } = store.get();
      const gone = layout.slots.filter((s) => s.app === app);
      for (const slot of gone) layout = dropSlot(layout, slot.key);
      change(layout);
      for (const slot of gone) stop(slot.key);
    },
  };
}
