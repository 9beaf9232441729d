import { Role, type Frame as FrameRow, type FrameMount } from "../wire/neutron/link/v1/link_pb";
import { KernelError } from "../link/kernelError";
import type { Link } from "../link/signature";
import { ID_MAX } from "../port/envelope";
import { isReady, sendConnect, sendProbe } from "../port/handshake";
import { Peer, type Incoming } from "../port/peer";
import { token } from "../port/primitives";
import { Activation, realPage } from "./activation";
import { Bucket } from "./bucket";
import { Focus } from "./focus";
import { Frame, createIframe } from "./frame";
import { Heartbeat, type Beating } from "./heartbeat";
import { readHint, Typing } from "./hints";
import { watchKeyboard } from "./keyboard";
import { Refusals } from "./refusals";
import { Relay } from "./relay";
import type { Broker, Chord, FocusState, FrameHandle, HostTheme } from "./signature";

// A page that said nothing this long after its load is asked (rule H8).
const PROBE_MS = 1_000;
const LOOK_MS = 50;
const PROBE_RUN_MS = 5_000;
const PING_FOREVER_MS = 3_600_000;
// What a refused message may take of this thread for its one token, what each millisecond more costs, and the most
// that one is charged with, since the machine may have stopped in the middle of it.
const FREE_MS = 20;
const TOKENS_PER_MS = 2;
const TOKENS_MAX = 1_600;
// A page that does not know its theme by now is shown as it is (rule T4).
const REVEAL_MS = 250;
const CONTEXT_MS = 10_000;

interface Live {
  readonly frame: Frame;
  readonly relay: Relay;
  readonly beat: Beating;
}

/** createBroker makes the one broker of a page. The layer is the element that all iframes live in, and nothing else. */
export function createBroker(link: Link, layer: HTMLElement): Broker {
  return new FrameBroker(link, layer);
}

class FrameBroker implements Broker {
  readonly #link: Link;
  readonly #layer: HTMLElement;
  readonly #frames = new Map<string, Frame>();
  readonly #live = new Map<string, Live>();
  readonly #byWindow = new WeakMap<object, Frame>();
  readonly #byIframe = new WeakMap<Element, Frame>();
  readonly #refusals: Refusals;
  readonly #heartbeat = new Heartbeat();
  readonly #activation: Activation;
  readonly #watchers = new Set<() => void>();
  readonly #disposers: (() => void)[] = [];
  readonly #focus: Focus;
  readonly #typing = new Typing();
  readonly #chords = new Set<(chord: Chord) => void>();
  #theme: HostTheme = "light";
  #state: FocusState = { frameId: null, connected: [] };
  #holds = 0;
  /** began is when the message that is being heard was admitted. */
  #began = 0;
  #asked = 0;

  constructor(link: Link, layer: HTMLElement) {
    this.#link = link;
    this.#layer = layer;
    this.#refusals = new Refusals(link);
    this.#focus = new Focus(() => this.#look());
    this.#activation = new Activation(realPage(layer, this.#focus), () => link.status().welcome?.window ?? false);
    // useSyncExternalStore calls these two without their object.
    this.focusState = this.focusState.bind(this);
    this.subscribe = this.subscribe.bind(this);
    this.#hearWindow();
    this.#hearKernel();
  }

  async openTile(appId: string, tileId: string, instance?: string): Promise<FrameHandle> {
    const row = await this.#link.request({ case: "openTile", value: { appId, tileId, instance: instance ?? "" } });
    if (this.#link.status().phase !== "open") throw new KernelError("CANCELLED", "The connection to Neutron was lost.");
    const frame = this.#mount(row);
    return {
      frameId: row.frameId,
      endpointId: row.endpointId,
      appId: row.appId,
      tileId: row.tileId,
      instance: row.instance,
      ended: frame.ended,
      place: (rect) => {
        if (!frame.over) frame.place(rect);
      },
      focus: () => {
        if (frame.over) return;
        this.#activation.given(frame.iframe);
        frame.iframe.focus();
      },
      close: () => this.#end(frame, "CLOSED", ""),
    };
  }

  inert(on: boolean): void {
    this.#layer.inert = on;
    this.#layer.classList.toggle("dimmed", on);
  }

  watchKeyboard(dialog: HTMLElement, onTheft: (frameId: string | null) => void, refuse?: HTMLElement): () => void {
    if (++this.#holds === 1) this.#link.send({ case: "keyHold", value: { on: true } });
    const stop = watchKeyboard({
      focus: this.#focus,
      dialog,
      refuse: refuse ?? dialog.querySelector<HTMLElement>("button, [tabindex]") ?? dialog,
      theft: (iframe) => {
        const frame = iframe === null ? undefined : this.#byIframe.get(iframe);
        if (frame !== undefined && ++frame.thefts >= this.#link.limit("thefts", 2)) this.#end(frame, "THEFT", "");
        onTheft(frame?.id ?? null);
      },
    });
    let stopped = false;
    return () => {
      if (stopped) return;
      stopped = true;
      stop();
      if (--this.#holds === 0) this.#link.send({ case: "keyHold", value: { on: false } });
      // Each question is judged by itself: an app that was put back once is not on probation for ever.
      if (this.#holds === 0) for (const frame of this.#frames.values()) frame.thefts = 0;
    };
  }

  outline(frameId: string | null): void {
    for (const frame of this.#frames.values()) frame.iframe.classList.toggle("asking", frame.id === frameId);
  }

  focusState(): FocusState {
    return this.#state;
  }

  subscribe(fn: () => void): () => void {
    this.#watchers.add(fn);
    return () => this.#watchers.delete(fn);
  }

  theme(theme: HostTheme): void {
    if (theme === this.#theme) return;
    this.#theme = theme;
    for (const { frame } of this.#live.values()) void this.#tellContext(frame);
  }

  onChord(fn: (chord: Chord) => void): () => void {
    this.#chords.add(fn);
    return () => void this.#chords.delete(fn);
  }

  dispose(): void {
    for (const frame of [...this.#frames.values()]) this.#end(frame, "CLOSED", "");
    for (const stop of this.#disposers.splice(0)) stop();
    this.#focus.dispose();
    this.#heartbeat.dispose();
    this.#refusals.dispose();
  }

  // ---- what the window says

  #hearWindow(): void {
    this.#listen(window, "message", (event) => this.#message(event));
    this.#listen(window, "keydown", (event) => {
      if (event.key === "Tab") this.#activation.tab();
      this.#typing.key(event, performance.now());
    });
    this.#listen(document, "focusin", () => this.#look());
    const over = (event: Event): void => {
      if (event.target instanceof HTMLIFrameElement) this.#activation.over(event.target);
    };
    this.#layer.addEventListener("pointerover", over);
    const timer = setInterval(() => this.#look(), LOOK_MS);
    this.#disposers.push(
      () => clearInterval(timer),
      () => this.#layer.removeEventListener("pointerover", over),
    );
  }

  #listen<K extends keyof WindowEventMap>(target: Window | Document, kind: K, fn: (event: WindowEventMap[K]) => void): void {
    target.addEventListener(kind, fn as EventListener, true);
    this.#disposers.push(() => target.removeEventListener(kind, fn as EventListener, true));
  }

  #look(): void {
    this.#activation.look();
    const owner = this.#focus.owner();
    const frameId = (document.hasFocus() && owner !== null && this.#byIframe.get(owner)?.id) || null;
    if (frameId !== this.#state.frameId) this.#publish({ frameId });
  }

  #publish(change: Partial<FocusState>): void {
    this.#state = { ...this.#state, ...change };
    for (const fn of [...this.#watchers]) fn();
  }

  #message(event: MessageEvent<unknown>): void {
    if (event.source === null || event.source === window) return;
    // Identity is the window that speaks; what it says about itself is not read (H5).
    const own = this.#byWindow.get(event.source);
    const frame = own ?? this.#around(event.source);
    if (frame === undefined || frame.over) return this.#refusals.add("", "INVALID_REQUEST");
    if (!this.#admit(frame)) return;
    if (own !== undefined && isReady(event.data)) return this.#connect(frame);
    this.#refusals.add(frame.id, "INVALID_REQUEST");
    this.#charge(frame);
  }

  /** around is the frame that a foreign window is nested in: it has no say there, but what it costs is that frame's (B6). */
  #around(source: MessageEventSource): Frame | undefined {
    // The tree of windows is open to all, also over origins; a port or a worker has no parent.
    for (let at = (source as Partial<Window>).parent; at && at !== window; at = at.parent) {
      const frame = this.#byWindow.get(at);
      if (frame !== undefined || at === at.parent) return frame;
    }
    return undefined;
  }

  /** admit takes a token for a message that is not read yet; a frame that has none left is ended. */
  #admit(frame: Frame): boolean {
    this.#began = performance.now();
    if (frame.bucket.take(1, this.#began)) return true;
    this.#end(frame, "FLOOD", "");
    return false;
  }

  /** charge takes more for a refused message that took this thread long: it cannot be seen how large one is before it is read (B7). */
  #charge(frame: Frame): void {
    const now = performance.now();
    const cost = Math.min((now - this.#began - FREE_MS) * TOKENS_PER_MS, TOKENS_MAX);
    if (cost > 0 && !frame.over && !frame.bucket.take(cost, now)) this.#end(frame, "FLOOD", "");
  }

  // ---- frames

  #mount(row: FrameRow): Frame {
    const label = row.role === Role.TILE ? `${row.appId}: ${row.tileId}` : row.endpointId;
    const bucket = new Bucket(this.#link.limit("portTokensPerSec", 400), this.#link.limit("portBurst", 2_400), performance.now());
    const frame = new Frame(row, createIframe(row, label), bucket);
    const { iframe } = frame;
    if (row.role !== Role.TILE) {
      iframe.setAttribute("aria-hidden", "true");
      iframe.tabIndex = -1;
    }
    iframe.addEventListener("load", () => this.#loaded(frame));
    this.#frames.set(frame.id, frame);
    // A page can stop the thread while it loads: until its handshake it is a suspect.
    this.#link.send({ case: "mark", value: { frameId: frame.id, settled: false } });
    this.#layer.append(iframe);
    if (iframe.contentWindow !== null) this.#byWindow.set(iframe.contentWindow, frame);
    this.#byIframe.set(iframe, frame);
    return frame;
  }

  #loaded(frame: Frame): void {
    if (frame.over) return;
    const { peer, connection } = frame;
    if (++frame.loads === 1) {
      setTimeout(() => {
        if (!frame.over && frame.peer === null && frame.iframe.contentWindow !== null) sendProbe(frame.iframe.contentWindow);
      }, PROBE_MS);
      return;
    }
    // WebKit also fires load for a change of the fragment: ask the document that holds the port whether it still lives.
    if (peer === null) return;
    this.#ping(peer, this.#link.limit("loadPingMs", 800)).catch(() => {
      if (frame.connection === connection) this.#end(frame, "NAVIGATED", "");
    });
  }

  #ping(peer: Peer, timeoutMs: number): Promise<unknown> {
    return this.#ask(peer, "ping", {}, timeoutMs);
  }

  // What the shell itself asks is numbered from the top: the kernel's deliveries are numbered from the bottom.
  #ask(peer: Peer, action: string, payload: object, timeoutMs: number): Promise<unknown> {
    return peer.call(action, payload, { timeoutMs, id: ID_MAX - (this.#asked++ % 1_000_000) });
  }

  // Resolves when the page has its theme, or will not take it: an older page, or one that speaks for itself.
  #tellContext(frame: Frame): Promise<unknown> {
    if (frame.peer === null || frame.row.role === Role.PROBE) return Promise.resolve();
    return this.#ask(frame.peer, "host.context", { theme: this.#theme }, CONTEXT_MS).catch(() => undefined);
  }

  #chord(frame: Frame, incoming: Incoming): void {
    const now = performance.now();
    const chord = readHint(incoming, frame.hints, now);
    // Whoever has no keyboard heard no key; and in the window no page hears these (rule K4).
    const its = document.hasFocus() && this.#focus.owner() === frame.iframe;
    if (!its || this.#holds > 0 || this.#typing.recent(now) || this.#link.status().welcome?.window === true) return;
    for (const fn of [...this.#chords]) fn(chord);
  }

  #connect(frame: Frame): void {
    const target = frame.iframe.contentWindow;
    if (target === null) return;
    if (frame.connection === 0) this.#link.send({ case: "mark", value: { frameId: frame.id, settled: true } });
    // The number changes first: what the old port's end settles must not look like answers of the new one.
    frame.connection++;
    this.#unlive(frame);
    frame.peer?.close();
    const relay = new Relay(this.#link, frame, this.#activation, () => this.#end(frame, "FLOOD", ""));
    const peer = new Peer(sendConnect(target, token()), {
      vouched: true,
      exec: (incoming) => (incoming.action === "host.chord" ? this.#chord(frame, incoming) : relay.exec(incoming)),
      admit: () => this.#admit(frame),
      refused: (why) => {
        this.#charge(frame);
        if (why !== "LATE") this.#refusals.add(frame.id, why);
      },
    });
    frame.peer = peer;
    const reveal = setTimeout(() => frame.reveal(), REVEAL_MS);
    void this.#tellContext(frame).then(() => {
      clearTimeout(reveal);
      frame.reveal();
    });
    const beat: Beating = { ping: () => this.#ping(peer, PING_FOREVER_MS), silent: () => this.#end(frame, "SILENT", "") };
    this.#live.set(frame.id, { frame, relay, beat });
    this.#heartbeat.watch(beat);
    this.#link.send({ case: "frameConnected", value: { frameId: frame.id, connection: BigInt(frame.connection) } });
    this.#publish({ connected: [...this.#live.keys()] });
  }

  #unlive(frame: Frame): void {
    const live = this.#live.get(frame.id);
    if (live === undefined) return;
    this.#heartbeat.unwatch(live.beat);
    this.#live.delete(frame.id);
  }

  /** end removes a frame. The kernel is told unless the end is its own doing. */
  #end(frame: Frame, code: string, reason: string, tell = true): void {
    if (frame.over) return;
    this.#unlive(frame);
    this.#frames.delete(frame.id);
    if (tell) this.#link.send({ case: "frameEnded", value: { frameId: frame.id, connection: 0n, code } });
    frame.end({ code, reason });
    this.#publish({ connected: [...this.#live.keys()], ...(this.#state.frameId === frame.id ? { frameId: null } : {}) });
  }

  // ---- what the kernel says

  #hearKernel(): void {
    const link = this.#link;
    const relay = (frameId: string): Relay | undefined => this.#live.get(frameId)?.relay;
    this.#disposers.push(
      link.on("frameMount", (m) => this.#kernelMount(m)),
      link.on("frameClose", (m) => {
        const frame = this.#frames.get(m.frameId);
        if (frame !== undefined) this.#end(frame, m.code, m.reason, false);
      }),
      link.on("deliver", (m) => relay(m.frameId)?.deliver(m)),
      link.on("deliverCancel", (m) => relay(m.frameId)?.deliverCancel(m)),
      link.on("respond", (m) => relay(m.frameId)?.respond(m)),
      link.on("respondProgress", (m) => relay(m.frameId)?.progress(m)),
      link.on("gesture", (m) => this.#activation.gesture(m)),
      link.subscribe(() => {
        const { phase } = link.status();
        if (phase === "open" || phase === "connecting") return;
        // The kernel took all frames of this shell for dead when the link went; so are they.
        const code = phase === "locked" ? "LOCKED" : "NO_SHELL";
        for (const frame of [...this.#frames.values()]) this.#end(frame, code, "", false);
      }),
    );
  }

  #kernelMount(mount: FrameMount): void {
    const { frame: row, nonce } = mount;
    if (row === undefined || this.#frames.has(row.frameId)) return;
    const frame = this.#mount(row);
    if (row.role === Role.PROBE) this.#runProbe(frame, nonce);
  }

  // The bridge probe: a page in an app's cage that tries every way to the native side and says what it saw.
  #runProbe(frame: Frame, nonce: string): void {
    let over = false;
    const report = (seen: { hasHandler: boolean; sent: number; error: string }): void => {
      if (over) return;
      over = true;
      clearTimeout(late);
      stop();
      this.#link.send({ case: "probeReport", value: { frameId: frame.id, nonce, ...seen } });
      this.#end(frame, "CLOSED", "");
    };
    const late = setTimeout(() => report({ hasHandler: false, sent: 0, error: "no answer" }), PROBE_RUN_MS);
    let asked = false;
    const ask = (): void => {
      if (frame.over) return report({ hasHandler: false, sent: 0, error: "the frame is gone" });
      if (frame.peer === null || asked) return;
      asked = true;
      frame.peer.call("probe.run", { nonce }, { timeoutMs: PROBE_RUN_MS }).then(
        (answer) => report(readProbe(answer)),
        (error: unknown) => report({ hasHandler: false, sent: 0, error: String(error) }),
      );
    };
    const stop = this.subscribe(ask);
  }
}

function readProbe(answer: unknown): { hasHandler: boolean; sent: number; error: string } {
  const { has, sent } = (answer ?? {}) as { has?: unknown; sent?: unknown };
  if (typeof has !== "boolean" || typeof sent !== "number" || !Number.isSafeInteger(sent) || sent < 0) {
    return { hasHandler: false, sent: 0, error: "the probe's answer is not of its form" };
  }
  return { hasHandler: has, sent: Math.min(sent, 0xffff_ffff), error: "" };
}
