import type { Chord } from "../port/chord";
import type { HostTheme } from "../port/context";

export type { Chord, HostTheme };

/** Rect is a place in the layer: CSS pixels from the layer's top left corner. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** FrameEnd says why a frame is gone: a code of kernel/fault, and the kernel's reason if it gave one. */
export interface FrameEnd {
  readonly code: string;
  readonly reason: string;
}

/** FrameHandle is what the layout holds of one tile. The iframe itself stays in the layer. */
export interface FrameHandle {
  readonly frameId: string;
  readonly endpointId: string;
  readonly appId: string;
  readonly tileId: string;
  readonly instance: string;
  /** place moves the frame by CSS alone; null hides it (display:none) and keeps it live. */
  place(rect: Rect | null): void;
  /** focus gives the frame the keyboard as the shell's own act, so its next key counts as a gesture. */
  focus(): void;
  /** close ends the frame for good and tells the kernel. */
  close(): void;
  /** ended resolves once, when the frame is gone for whatever reason. Code NO_SHELL: the link was lost; open the tile again once it is back. */
  readonly ended: Promise<FrameEnd>;
}

/** FocusState says who has the keyboard and which frames there are; a new object stands for every change. */
export interface FocusState {
  /** frameId is the frame that holds the keyboard, or null. */
  readonly frameId: string | null;
  /** connected lists the frames whose port is open. */
  readonly connected: readonly string[];
}

/** Broker owns every iframe of the shell. React owns none. */
export interface Broker {
  /** openTile asks the kernel for a frame and creates it, hidden until it is placed. Rejects with a KernelError. */
  openTile(appId: string, tileId: string, instance?: string): Promise<FrameHandle>;
  /** inert keeps pointer, Tab and screen readers out of all frames and dims them. */
  inert(on: boolean): void;
  /**
   * watchKeyboard guards an open question. `refuse` gets the focus and gets it back; a frame that
   * takes the keyboard twice (limit "thefts") is ended with THEFT. onTheft runs at every theft:
   * disarm the buttons. In the window it also holds the keys natively: hear them as link "nativeKey".
   * Call it after showModal(); call what it returns before close().
   */
  watchKeyboard(dialog: HTMLElement, onTheft: (frameId: string | null) => void, refuse?: HTMLElement): () => void;
  /** outline marks the tile that asks (CSS class "asking" on its box), or none. */
  outline(frameId: string | null): void;
  /** focusState and subscribe are made for useSyncExternalStore. */
  focusState(): FocusState;
  subscribe(fn: () => void): () => void;
  /** theme tells every frame, and each later one at its start, what theme the owner sees. */
  theme(theme: HostTheme): void;
  /**
   * onChord hears the shell's chords that a frame's page handed on. An app can forge them: they are hints that may open
   * the launcher or show where a question waits, and never more (port SPEC K4, K5).
   */
  onChord(fn: (chord: Chord) => void): () => void;
  /** dispose removes every frame and listener. */
  dispose(): void;
}
