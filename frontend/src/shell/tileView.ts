import { t } from "../design/strings";
import { FrameStatus, type FrameState } from "../wire/neutron/link/v1/link_pb";
import type { TileLife } from "./tiles";

/** TileView is what a tile shows in place of its frame, or over it. Null: the frame alone. */
export interface TileView {
  readonly state: "starting" | "blocked" | "quarantined" | "ended" | "held" | "gone";
  readonly title: string;
  readonly text: string;
  readonly code: string;
  /** retry is the word on its button; empty: there is none. */
  readonly retry: string;
}

interface TileFacts {
  readonly name: string;
  readonly installed: boolean;
  readonly life: TileLife | undefined;
  /** frame is the kernel's word on the frame; undefined before it spoke. */
  readonly frame: FrameState | undefined;
  /** connected is whether the broker has its port open. */
  readonly connected: boolean;
  readonly gateOpen: boolean;
  /** online is whether the link is open; a lost link took every frame with it. */
  readonly online: boolean;
  /** textOf is the kernel's sentence of a code; empty when it has none. */
  readonly textOf: (code: string) => string;
}

/** tileView decides. The kernel's word on a frame outweighs what this shell saw of it. */
export function tileView({ name, installed, life, frame, connected, gateOpen, online, textOf }: TileFacts): TileView | null {
  if (!installed) return { state: "gone", title: t.tile.gone(name), text: t.tile.goneWhy, code: "APP_UNKNOWN", retry: "" };
  if (!online && life?.is !== "open") return { state: "held", title: t.tile.held(name), text: t.tile.heldLink, code: "", retry: "" };
  const code = (frame?.code ?? "") !== "" ? (frame?.code ?? "") : life?.is === "ended" ? life.end.code : "";
  const reason = (frame?.reason ?? "") !== "" ? (frame?.reason ?? "") : life?.is === "ended" ? life.end.reason : "";
  if (frame?.status === FrameStatus.QUARANTINED || code === "QUARANTINED")
    return { state: "quarantined", title: t.tile.quarantined(name), text: t.tile.quarantinedWhy, code: code || "QUARANTINED", retry: t.tile.once };
  if (frame?.status === FrameStatus.BLOCKED || code === "NOT_READY")
    return { state: "blocked", title: t.tile.cannotStart(name), text: reason === "" ? t.tile.blocked : reason, code: code || "NOT_READY", retry: t.tile.retry };
  if (life?.is === "ended") {
    const why = reason === "" ? textOf(code) : reason;
    const after = code === "SUPERSEDED" ? t.tile.supersededWhy : t.tile.endedWhy;
    const text = why === "" ? after : `${why} ${after}`;
    return { state: "ended", title: t.tile.ended(name), text, code, retry: code === "SUPERSEDED" ? t.tile.reopen : t.tile.retry };
  }
  if (frame?.status === FrameStatus.HELD || (!gateOpen && life?.is !== "open"))
    return { state: "held", title: t.tile.held(name), text: gateOpen ? t.tile.heldWhy : t.tile.heldGate, code: "", retry: "" };
  if (life?.is !== "open" || !connected) return { state: "starting", title: t.tile.starting(name), text: "", code: "", retry: "" };
  return null;
}
