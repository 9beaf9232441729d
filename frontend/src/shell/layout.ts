/** Slot is one open tile as the layout remembers it. */
export interface Slot {
  /** key names the slot for this page's life; it is not stored. */
  readonly key: string;
  readonly app: string;
  readonly tile: string;
  /** instance is the kernel's name of this copy; empty until the kernel gave one. */
  readonly instance: string;
}

/** Layout is the open tiles in their order, and which one is in front in a narrow window. */
export interface Layout {
  readonly slots: readonly Slot[];
  readonly active: string;
}

/** maxSlots bounds what one workspace opens: more than this is no workspace but a mistake. */
export const maxSlots = 16;

export const emptyLayout: Layout = { slots: [], active: "" };

const idForm = /^[a-z0-9][a-z0-9._-]{0,127}$/;
const instanceForm = /^[A-Za-z0-9._-]{0,64}$/;

/**
 * decodeLayout reads a stored layout. What it cannot read is left out: a broken document must never keep
 * a workspace from opening.
 */
export function decodeLayout(text: string | null, nextKey: () => string): Layout {
  const value = parse(text);
  if (!isObject(value) || value["v"] !== 1 || !Array.isArray(value["tiles"])) return emptyLayout;
  const slots: Slot[] = [];
  const seen = new Set<string>();
  for (const one of value["tiles"] as readonly unknown[]) {
    if (slots.length >= maxSlots) break;
    if (!isObject(one)) continue;
    const { app, tile, instance = "" } = one;
    if (typeof app !== "string" || typeof tile !== "string" || typeof instance !== "string") continue;
    if (!idForm.test(app) || !idForm.test(tile) || !instanceForm.test(instance)) continue;
    const id = `${app}/${tile}/${instance}`;
    if (instance !== "" && seen.has(id)) continue;
    seen.add(id);
    slots.push({ key: nextKey(), app, tile, instance });
  }
  const at = value["active"];
  const active = typeof at === "number" && Number.isInteger(at) ? slots[at] : undefined;
  return { slots, active: (active ?? slots[0])?.key ?? "" };
}

/** encodeLayout is what is stored. */
export function encodeLayout(l: Layout): unknown {
  return {
    v: 1,
    tiles: l.slots.map(({ app, tile, instance }) => ({ app, tile, instance })),
    active: Math.max(0, l.slots.findIndex((s) => s.key === l.active)),
  };
}

/**
 * followLayout is the layout that another shell of this kind wrote, as this shell shows it: the same tiles in the same
 * order, each in the copy that is open here if there is one. An instance lives in one shell only, so the other's names
 * of its copies mean nothing here, and two shells that differ in them alone agree. The same object stands for no change.
 */
export function followLayout(mine: Layout, theirs: Layout): Layout {
  const left = [...mine.slots];
  const slots = theirs.slots.map((slot) => {
    const at = left.findIndex((one) => one.app === slot.app && one.tile === slot.tile);
    return left.splice(at, at < 0 ? 0 : 1)[0] ?? { ...slot, instance: "" };
  });
  if (slots.length === mine.slots.length && slots.every((slot, i) => slot === mine.slots[i])) return mine;
  const active = slots.some((slot) => slot.key === mine.active) ? mine.active : (slots[0]?.key ?? "");
  return { slots, active };
}

/** addSlot puts a tile at the end, or where it was, and in front. */
export function addSlot(l: Layout, slot: Slot, at: number = l.slots.length): Layout {
  if (l.slots.length >= maxSlots) return l;
  return { slots: [...l.slots.slice(0, at), slot, ...l.slots.slice(at)], active: slot.key };
}

/** dropSlot takes a tile away; its neighbour comes to the front. */
export function dropSlot(l: Layout, key: string): Layout {
  const at = l.slots.findIndex((s) => s.key === key);
  if (at < 0) return l;
  const slots = l.slots.filter((s) => s.key !== key);
  return { slots, active: l.active === key ? ((slots[at] ?? slots[at - 1])?.key ?? "") : l.active };
}

/** nameSlot writes down the instance that the kernel gave. */
export function nameSlot(l: Layout, key: string, instance: string): Layout {
  return l.slots.some((s) => s.key === key && s.instance !== instance)
    ? { ...l, slots: l.slots.map((s) => (s.key === key ? { ...s, instance } : s)) }
    : l;
}

/** columnsOf is how many columns n tiles stand in: side by side up to three, then a grid. */
export function columnsOf(n: number): 1 | 2 | 3 | 4 {
  if (n <= 1) return 1;
  if (n === 2 || n === 4) return 2;
  if (n <= 9) return 3;
  return 4;
}

function parse(text: string | null): unknown {
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
