import type { Broker, FocusState, FrameHandle, Rect } from "../broker/signature";
import { KernelError } from "../link/kernelError";
import type { Answers, Link, LinkStatus, RequestCase, ShellCase } from "../link/signature";
import type { ToShell } from "../wire/neutron/link/v1/link_pb";

/** Said is one message that a screen sent. */
export type Said = { readonly case: string; readonly value: unknown };

/** FixtureAnswers are replies by request; a KernelError rejects; what is missing never answers. */
export type FixtureAnswers = { readonly [C in RequestCase]?: Answers[C] | KernelError };

/** FixtureLink is a link without a kernel: it answers from a table and can say anything. */
export interface FixtureLink extends Link {
  /** say delivers a message of the kernel. */
  say(frame: NonNullable<ToShell["frame"]>): void;
  /** set changes the status. */
  set(next: Partial<LinkStatus>): void;
  /** asked and said are what the screens sent. */
  readonly asked: Said[];
  readonly said: Said[];
}

/** createFixtureLink makes one. Tests and pictures use it; the release does not contain it. */
export function createFixtureLink(first: Partial<LinkStatus>, answers: FixtureAnswers = {}): FixtureLink {
  let status: LinkStatus = { phase: "open", attempt: 0, welcome: null, pending: 0, ...first };
  const watchers = new Set<() => void>();
  const listeners = new Map<string, Set<(value: never) => void>>();
  const asked: Said[] = [];
  const said: Said[] = [];
  return {
    asked,
    said,
    request(what) {
      asked.push(what);
      const answer = answers[what.case] as Answers[typeof what.case] | KernelError | undefined;
      if (answer instanceof KernelError) return Promise.reject(answer);
      return answer === undefined ? new Promise(() => undefined) : Promise.resolve(answer);
    },
    send(frame) {
      said.push(frame);
      return status.phase === "open";
    },
    on(kind: ShellCase, fn: (value: never) => void) {
      const set = listeners.get(kind) ?? new Set();
      listeners.set(kind, set.add(fn));
      return () => void set.delete(fn);
    },
    say(frame) {
      for (const fn of [...(listeners.get(frame.case ?? "") ?? [])]) fn(frame.value as never);
    },
    set(next) {
      status = { ...status, ...next };
      for (const fn of [...watchers]) fn();
    },
    status: () => status,
    subscribe(fn) {
      watchers.add(fn);
      return () => void watchers.delete(fn);
    },
    limit: (name, fallback) => Number(status.welcome?.limits.find((l) => l.name === name)?.value ?? fallback),
    text: (code) => code,
    close: () => undefined,
  };
}

/** FixtureBroker is a broker without frames. */
export interface FixtureBroker extends Broker {
  /** ends ends a frame by its id. */
  readonly ends: Map<string, (code: string) => void>;
  /** steal does what a frame does that takes the keyboard from an open sheet. */
  steal(frameId: string | null): void;
}

/** createFixtureBroker is a broker whose frames are empty boxes; `stuck` apps never connect. */
export function createFixtureBroker(layer: HTMLElement | null, stuck: readonly string[] = []): FixtureBroker {
  let watched: ((frameId: string | null) => void) | null = null;
  let focus: FocusState = { frameId: null, connected: [] };
  const watchers = new Set<() => void>();
  const ends = new Map<string, (code: string) => void>();
  const set = (next: FocusState): void => {
    focus = next;
    for (const fn of [...watchers]) fn();
  };
  return {
    ends,
    openTile(appId, tileId, instance = "1") {
      const frameId = `frame-${appId}`;
      const box = layer?.ownerDocument.createElement("div");
      if (layer && box) {
        box.className = "picture";
        box.hidden = true;
        box.textContent = appId;
        layer.append(box);
      }
      let settle: FrameHandle["ended"] extends Promise<infer E> ? (end: E) => void : never = () => undefined;
      const ended = new Promise<{ code: string; reason: string }>((resolve) => (settle = resolve));
      const end = (code: string): void => {
        box?.remove();
        settle({ code, reason: "" });
      };
      ends.set(frameId, end);
      if (!stuck.includes(appId)) set({ frameId: focus.frameId ?? frameId, connected: [...focus.connected, frameId] });
      return Promise.resolve({
        frameId,
        endpointId: `app:${appId}:tile:${tileId}:instance:${instance}`,
        appId,
        tileId,
        instance,
        place(rect: Rect | null) {
          if (!box) return;
          box.hidden = rect === null;
          if (rect) Object.assign(box.style, { position: "absolute", left: `${rect.x}px`, top: `${rect.y}px`, width: `${rect.width}px`, height: `${rect.height}px` });
        },
        focus: () => set({ ...focus, frameId }),
        close: () => end("CLOSED"),
        ended,
      });
    },
    inert: () => undefined,
    steal: (frameId) => watched?.(frameId),
    watchKeyboard: (_dialog, onTheft, refuse) => {
      watched = onTheft;
      refuse?.focus();
      return () => (watched = null);
    },
    outline: () => undefined,
    theme: () => undefined,
    onChord: () => () => undefined,
    focusState: () => focus,
    subscribe(fn) {
      watchers.add(fn);
      return () => void watchers.delete(fn);
    },
    dispose: () => undefined,
  };
}
