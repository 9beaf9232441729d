// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CONNECT, PROBE, READY } from "../port/handshake";
import { GestureKind, Role } from "../wire/neutron/link/v1/link_pb";
import { Kernel, Store, openLink, until } from "../link/test/kernel";
import type { Link } from "../link/signature";
import { createBroker } from "./broker";
import { Hints, Typing } from "./hints";
import type { Broker, FrameHandle } from "./signature";

/** Page is what runs in one iframe: it holds the frame's end of every port that it was given. */
class Page {
  readonly ports: MessagePort[] = [];
  readonly heard: unknown[] = [];
  /** themes is what it was told of its surroundings; it answers like the SDK unless it is mute. */
  readonly themes: unknown[] = [];
  mute = false;
  probes = 0;
  readonly #waiting: ((message: never) => void)[] = [];

  constructor(readonly iframe: HTMLIFrameElement) {
    // jsdom's windows drop transferred ports, so the page listens where the shell posts.
    const target = iframe.contentWindow as Window;
    target.postMessage = ((message: { type: string }, _: string, transfer: MessagePort[] = []) => {
      if (message.type === PROBE) this.probes++;
      if (message.type !== CONNECT || transfer[0] === undefined) return;
      this.ports.push(transfer[0]);
      transfer[0].onmessage = (event: MessageEvent<unknown>) => {
        const told = event.data as { id: number; payload?: { action: string; payload: unknown } };
        if (told.payload?.action === "host.context") {
          this.themes.push(told.payload.payload);
          if (!this.mute) this.post({ type: "response", id: told.id, ok: {} });
          return;
        }
        const waiter = this.#waiting.shift();
        if (waiter === undefined) this.heard.push(event.data);
        else waiter(event.data as never);
      };
    }) as Window["postMessage"];
  }

  say(data: unknown, source: unknown = this.iframe.contentWindow): void {
    window.dispatchEvent(new MessageEvent("message", { data, source: source as Window }));
  }
  ready(): void {
    this.say({ type: READY, version: 1 });
  }
  post(message: unknown): void {
    this.ports.at(-1)?.postMessage(message);
  }
  exec(id: number, action: string, payload: unknown = {}): void {
    this.post({ type: "exec", id, payload: { action, payload } });
  }
  next(): Promise<never> {
    const first = this.heard.shift();
    return first === undefined ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve(first as never);
  }
}

let kernel: Kernel;
let link: Link;
let layer: HTMLElement;
let broker: Broker;
beforeEach(async () => {
  kernel = await Kernel.open();
  link = openLink(kernel, new Store());
  layer = document.body.appendChild(document.createElement("div"));
  broker = createBroker(link, layer);
  await kernel.welcome();
  await until(link, (status) => status.phase === "open");
});
afterEach(() => {
  vi.restoreAllMocks();
  broker.dispose();
  link.close();
  kernel.close();
  layer.remove();
});

let opened = 0;
async function openTile(appId = "daybook"): Promise<{ handle: FrameHandle; page: Page; frameId: string }> {
  const frameId = String(++opened).padStart(32, "0");
  const asked = broker.openTile(appId, "main");
  const { id } = await kernel.hear("request");
  const row = { frameId, endpointId: `app:${appId}:tile:main:instance:i`, role: Role.TILE, appId, tileId: "main", instance: "i", url: "about:blank#frame" };
  kernel.say({ frame: { case: "reply", value: { id, what: { case: "frame", value: row } } } });
  const handle = await asked;
  expect(await kernel.hear("mark")).toMatchObject({ frameId, settled: false });
  return { handle, page: new Page(layer.lastElementChild as HTMLIFrameElement), frameId };
}
async function connected(appId?: string): Promise<{ handle: FrameHandle; page: Page; frameId: string }> {
  const tile = await openTile(appId);
  tile.page.ready();
  expect(await kernel.hear("mark")).toMatchObject({ frameId: tile.frameId, settled: true });
  expect(await kernel.hear("frameConnected")).toMatchObject({ frameId: tile.frameId, connection: 1n });
  return tile;
}
const utf8 = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
const text = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);

describe("frames", () => {
  test("are opaque, denied every feature, hidden until placed, and moved by style alone", async () => {
    const { handle, page } = await openTile();
    const { iframe } = page;
    expect([iframe.getAttribute("sandbox"), iframe.getAttribute("referrerpolicy"), iframe.style.display]).toEqual(["allow-scripts", "no-referrer", "none"]);
    expect(iframe.getAttribute("allow")).toMatch(/^accelerometer 'none'; .*clipboard-read 'none'.*geolocation 'none'.*xr-spatial-tracking 'none'$/);
    handle.place({ x: 1, y: 2, width: 300, height: -1 });
    expect([iframe.style.left, iframe.style.top, iframe.style.width, iframe.style.height, iframe.style.display]).toEqual(["1px", "2px", "300px", "0px", ""]);
    const parent = iframe.parentElement;
    handle.place(null);
    expect([iframe.style.display, iframe.parentElement === parent]).toEqual(["none", true]);
  });

  test("closing tells the kernel once, removes the iframe and settles the handle", async () => {
    const { handle, page, frameId } = await connected();
    expect(broker.focusState().connected).toEqual([frameId]);
    handle.close();
    handle.close();
    expect(await kernel.hear("frameEnded")).toMatchObject({ frameId, connection: 0n, code: "CLOSED" });
    expect(await handle.ended).toEqual({ code: "CLOSED", reason: "" });
    expect([page.iframe.isConnected, broker.focusState().connected]).toEqual([false, []]);
    link.send({ case: "pong", value: { seq: 1n } });
    await kernel.hear("pong"); // nothing was told twice
  });

  test("the kernel's close ends a frame without an answer", async () => {
    const { handle, page, frameId } = await connected();
    kernel.say({ frame: { case: "frameClose", value: { frameId, code: "SUPERSEDED", reason: "A newer one." } } });
    expect(await handle.ended).toEqual({ code: "SUPERSEDED", reason: "A newer one." });
    expect(page.iframe.isConnected).toBe(false);
  });

  test("a lost link takes all frames with it", async () => {
    const { handle } = await connected();
    kernel.socket.close(1011);
    expect((await handle.ended).code).toBe("NO_SHELL");
    expect(layer.children.length).toBe(0);
  });

  test("a refused tile rejects with the kernel's code and leaves nothing behind", async () => {
    const asked = broker.openTile("daybook", "main").catch((error: unknown) => error);
    const { id } = await kernel.hear("request");
    kernel.say({ frame: { case: "reply", value: { id, what: { case: "error", value: { code: "APP_UNKNOWN", message: "No such app." } } } } });
    expect(await asked).toMatchObject({ code: "APP_UNKNOWN" });
    expect(layer.children.length).toBe(0);
  });

  test("a background is mounted for the kernel, hidden from everybody", async () => {
    const row = { frameId: "b".repeat(32), endpointId: "app:notes:background", role: Role.BACKGROUND, appId: "notes", url: "about:blank" };
    kernel.say({ frame: { case: "frameMount", value: { frame: row } } });
    kernel.say({ frame: { case: "frameMount", value: { frame: row } } });
    await kernel.hear("mark");
    const iframe = layer.firstElementChild as HTMLIFrameElement;
    expect([layer.children.length, iframe.style.display, iframe.tabIndex, iframe.getAttribute("aria-hidden")]).toEqual([1, "none", -1, "true"]);
  });

  test("the bridge probe is asked over its port and reported, then removed", async () => {
    const row = { frameId: "c".repeat(32), role: Role.PROBE, url: "about:blank" };
    kernel.say({ frame: { case: "frameMount", value: { frame: row, nonce: "n1" } } });
    await kernel.hear("mark");
    const page = new Page(layer.firstElementChild as HTMLIFrameElement);
    page.ready();
    const asked: { id: number; payload: unknown } = await page.next();
    expect(asked.payload).toEqual({ action: "probe.run", payload: { nonce: "n1" } });
    page.post({ type: "response", id: asked.id, ok: { has: false, sent: 12, errors: [] } });
    await kernel.hear("mark");
    await kernel.hear("frameConnected");
    expect(await kernel.hear("probeReport")).toMatchObject({ frameId: row.frameId, nonce: "n1", hasHandler: false, sent: 12, error: "" });
    expect(layer.children.length).toBe(0);
  });

  test("a probe that says nothing sensible is reported as failed", async () => {
    const row = { frameId: "d".repeat(32), role: Role.PROBE, url: "about:blank" };
    kernel.say({ frame: { case: "frameMount", value: { frame: row, nonce: "n2" } } });
    await kernel.hear("mark");
    const page = new Page(layer.firstElementChild as HTMLIFrameElement);
    page.ready();
    const asked: { id: number } = await page.next();
    page.post({ type: "response", id: asked.id, ok: { has: "no" } });
    await kernel.hear("mark");
    await kernel.hear("frameConnected");
    expect((await kernel.hear("probeReport")).error).not.toBe("");
  });
});

describe("handshake", () => {
  test("H5 an unknown window gets no port and is counted", async () => {
    const { page } = await openTile();
    const stranger = document.body.appendChild(document.createElement("iframe"));
    page.say({ type: READY, version: 1 }, stranger.contentWindow);
    page.say({ type: READY, version: 1 }, stranger.contentWindow);
    page.say({ type: READY, version: 1 }, window); // the shell's own page may post to itself
    page.say({ type: READY, version: 1, more: 1 });
    expect(page.ports.length).toBe(0);
    expect(await kernel.hear("refused")).toMatchObject({ frameId: "", code: "INVALID_REQUEST", count: 2 });
    expect(await kernel.hear("refused")).toMatchObject({ count: 1 });
    stranger.remove();
  });

  test("H6 a second ready is a new connection: the old port is closed, its calls are settled", async () => {
    const { page, frameId } = await connected();
    const old = page.ports[0] as MessagePort;
    const closed = new Promise((resolve) => old.addEventListener("close", resolve));
    page.exec(1, "tools.list", { target: "kernel" });
    await kernel.hear("portExec");
    kernel.say({ frame: { case: "deliver", value: { frameId, connection: 1n, call: 7n, action: "tool.run", payload: utf8({}) } } });
    await kernel.hear("mark");
    await page.next();
    page.ready();
    await closed;
    // The delivery came back without an answer of the frame: the kernel fails it by the new connection itself.
    expect(await kernel.hear("mark")).toMatchObject({ frameId, settled: true });
    expect(await kernel.hear("frameConnected")).toMatchObject({ frameId, connection: 2n });
    kernel.say({ frame: { case: "respond", value: { frameId, connection: 1n, id: 1n, result: { case: "ok", value: utf8("stale") } } } });
    page.exec(1, "tools.list", { target: "kernel" });
    expect(await kernel.hear("portExec")).toMatchObject({ connection: 2n, id: 1n });
    kernel.say({ frame: { case: "respond", value: { frameId, connection: 2n, id: 1n, result: { case: "ok", value: utf8("fresh") } } } });
    expect(await page.next()).toEqual({ type: "response", id: 1, ok: "fresh" });
  });

  test("H8 a page that is silent after its load is probed", async () => {
    const { page } = await openTile();
    vi.useFakeTimers();
    page.iframe.dispatchEvent(new Event("load"));
    vi.advanceTimersByTime(999);
    expect(page.probes).toBe(0);
    vi.advanceTimersByTime(1);
    expect(page.probes).toBe(1);
    vi.useRealTimers();
  });

  test("B2 a repeated load pings the port, and silence ends the frame", async () => {
    const { page, handle, frameId } = await connected();
    page.iframe.dispatchEvent(new Event("load"));
    page.iframe.dispatchEvent(new Event("load"));
    const ping: { id: number; payload: unknown } = await page.next();
    expect(ping.payload).toEqual({ action: "ping", payload: {} });
    page.post({ type: "response", id: ping.id, ok: {} });
    page.exec(1, "ping"); // a ping of the page itself is answered by the shell
    expect(await page.next()).toEqual({ type: "response", id: 1, ok: {} });
    page.iframe.dispatchEvent(new Event("load"));
    await page.next();
    expect((await handle.ended).code).toBe("NAVIGATED");
    expect(await kernel.hear("frameEnded")).toMatchObject({ frameId, connection: 0n, code: "NAVIGATED" });
  });
});

describe("relay", () => {
  test("A3 the frame is named by its port, whatever the payload says", async () => {
    const [mine, other] = [await connected("daybook"), await connected("notes")];
    mine.page.exec(5, "tools.call", { target: "kernel", frameId: other.frameId, appId: "notes" });
    expect(await kernel.hear("portExec")).toMatchObject({ frameId: mine.frameId, connection: 1n, id: 5n, action: "tools.call" });
  });

  test("B5 the bytes that were judged go on, and the answer comes back", async () => {
    const { page, frameId } = await connected();
    const payload = { target: "kernel", name: "é😀", arguments: { n: [1.5, null, true] } };
    page.exec(2 ** 53 - 1, "tools.call", payload);
    const sent = await kernel.hear("portExec");
    expect(text(sent.payload)).toBe(JSON.stringify(payload));
    expect([sent.id, sent.context.length, sent.focused, sent.activated, sent.gesture]).toEqual([BigInt(2 ** 53 - 1), 0, false, false, GestureKind.UNSPECIFIED]);
    const address = { frameId, connection: 1n, id: sent.id };
    kernel.say({ frame: { case: "respondProgress", value: { ...address, value: utf8({ done: 1 }) } } });
    kernel.say({ frame: { case: "respond", value: { ...address, result: { case: "error", value: { code: "APP_PAUSED", message: "Later.", retryAfterMs: 9n } } } } });
    kernel.say({ frame: { case: "respond", value: { ...address, result: { case: "ok", value: utf8("twice") } } } });
    expect(await page.next()).toEqual({ type: "progress", id: 2 ** 53 - 1, value: { done: 1 } });
    expect(await page.next()).toEqual({ type: "response", id: 2 ** 53 - 1, error: { name: "NeutronError", message: "Later.", code: "APP_PAUSED", retryAfterMs: 9 } });
    page.exec(1, "ping");
    expect(await page.next()).toMatchObject({ id: 1 });
  });

  test("a call that the last time was let through at once does not wait for its stamp, until it is refused", async () => {
    const { page, frameId } = await connected();
    vi.spyOn(document, "hasFocus").mockReturnValue(true);
    page.iframe.tabIndex = 0;
    page.iframe.focus();
    const waits: boolean[] = [];
    let id = 0;
    const call = async (name: string, ok: boolean, answerAfter = 0): Promise<void> => {
      // Between two calls a wait in vain is forgotten, so that what does not wait was let through.
      const start = performance.now() + 10_000 * ++id;
      let ahead = 0;
      const clock = vi.spyOn(performance, "now").mockImplementation(() => start + ahead);
      const timers = vi.spyOn(globalThis, "setTimeout");
      page.exec(id, "tools.call", { target: "app:notes:background", name, arguments: {} });
      await vi.waitFor(() => expect(clock).toHaveBeenCalled());
      ahead = 1;
      await new Promise((done) => setImmediate(done));
      waits.push(timers.mock.calls.some(([, ms]) => ms === 10));
      ahead = 200;
      await kernel.hear("portExec");
      ahead += answerAfter;
      const result = ok ? ({ case: "ok", value: utf8(1) } as const) : ({ case: "error", value: { code: "DENIED", message: "no", retryAfterMs: 0n } } as const);
      kernel.say({ frame: { case: "respond", value: { frameId, connection: 1n, id: BigInt(id), result } } });
      await page.next();
      timers.mockRestore();
      clock.mockRestore();
    };
    await call("a", true);
    await call("a", true);
    await call("b", true, 300); // the owner was asked: once is not a grant
    await call("b", true, 300);
    await call("a", false);
    await call("a", true);
    expect(waits).toEqual([true, false, true, true, false, true]);
  });

  test("C1 a frame's cancel reaches the kernel after its exec", async () => {
    const { page, frameId } = await connected();
    page.exec(3, "tools.call", { target: "app:notes:background", name: "x", arguments: {} });
    page.post({ type: "cancel", id: 3 });
    expect(await kernel.hear("portExec")).toMatchObject({ id: 3n });
    expect(await kernel.hear("portCancel")).toMatchObject({ frameId, connection: 1n, id: 3n });
  });

  test("B4 a delivery is marked before the frame hears it and settled after its answer", async () => {
    const { page, frameId } = await connected();
    const context = { invocation: { id: "i".repeat(16), rootId: "r".repeat(16), capability: "c".repeat(32) } };
    const payload = { name: "t", arguments: {}, caller: { endpoint: "cli", appId: "", role: "cli" } };
    kernel.say({ frame: { case: "deliver", value: { frameId, connection: 1n, call: 9n, action: "tool.run", payload: utf8(payload), context: utf8(context) } } });
    expect(await kernel.hear("mark")).toMatchObject({ frameId, settled: false });
    expect(await page.next()).toEqual({ type: "exec", id: 9, payload: { action: "tool.run", payload, context } });
    page.post({ type: "progress", id: 9, value: [1] });
    page.post({ type: "response", id: 9, ok: { r: "é" } });
    const address = { frameId, connection: 1n, call: 9n };
    const progress = await kernel.hear("portProgress");
    expect([progress.call, text(progress.value)]).toEqual([9n, "[1]"]);
    const answer = await kernel.hear("portResponse");
    expect(answer).toMatchObject(address);
    expect(text(answer.result.value as Uint8Array)).toBe('{"r":"é"}');
    expect(await kernel.hear("mark")).toMatchObject({ frameId, settled: true });
    kernel.say({ frame: { case: "deliver", value: { frameId, connection: 1n, call: 10n, action: "tool.run", payload: utf8(payload) } } });
    await kernel.hear("mark");
    await page.next();
    page.post({ type: "response", id: 10, error: { name: "NeutronError", message: "no", code: "TOOL_UNKNOWN" } });
    expect((await kernel.hear("portResponse")).result).toMatchObject({ case: "error", value: { code: "TOOL_UNKNOWN", message: "no" } });
  });

  test("C3 a cancelled delivery reaches the frame, is settled, and its late answer goes nowhere", async () => {
    const { page, frameId } = await connected();
    const address = { frameId, connection: 1n, call: 4n };
    kernel.say({ frame: { case: "deliver", value: { ...address, action: "tool.run", payload: utf8({}) } } });
    await kernel.hear("mark");
    await page.next();
    kernel.say({ frame: { case: "deliverCancel", value: address } });
    expect(await page.next()).toEqual({ type: "cancel", id: 4 });
    expect(await kernel.hear("mark")).toMatchObject({ settled: true });
    page.post({ type: "response", id: 4, ok: "late" });
    page.exec(1, "tools.list", { target: "kernel" });
    await kernel.hear("portExec"); // not a portResponse
  });

  test("J9 what a frame sends is judged before the kernel sees it", async () => {
    const { page, frameId } = await connected();
    page.exec(1, "tools.call", { bad: undefined });
    page.exec(2, "tools.call", "x".repeat(1 << 20));
    expect(await page.next()).toMatchObject({ id: 1, error: { code: "INVALID_REQUEST" } });
    expect(await page.next()).toMatchObject({ id: 2, error: { code: "LIMIT" } });
    const counted = [await kernel.hear("refused"), await kernel.hear("refused")];
    expect(counted.map((one) => [one.frameId, one.code, one.count])).toEqual([[frameId, "INVALID_REQUEST", 1], [frameId, "LIMIT", 1]]);
  });

  test("B6 a window nested in a frame is not heard, and floods at that frame's cost", async () => {
    const [loud, quiet] = [await connected("daybook"), await connected("notes")];
    const nest = (outer: HTMLIFrameElement): HTMLIFrameElement => {
      const doc = (outer.contentWindow as Window).document;
      return (doc.documentElement ?? doc.appendChild(doc.createElement("html"))).appendChild(doc.createElement("iframe"));
    };
    const deep = nest(nest(loud.page.iframe));
    loud.page.say({ type: READY, version: 1 }, deep.contentWindow);
    expect(loud.page.ports).toHaveLength(1);
    for (let i = 0; i < 3_000; i++) loud.page.say(i, deep.contentWindow);
    expect((await loud.handle.ended).code).toBe("FLOOD");
    expect(broker.focusState().connected).toEqual([quiet.frameId]);
  });

  test("B7 a refused message that was slow to read is paid for, and none of a frame that ended is read", async () => {
    const { handle, page, frameId } = await connected();
    let clock = performance.now();
    vi.spyOn(performance, "now").mockImplementation(() => clock);
    let reads = 0;
    const slow = (ms: number) => ({
      get type(): string {
        reads++;
        clock += ms;
        return "nothing of ours";
      },
      version: 1,
    });
    for (let i = 0; i < 100; i++) page.say(slow(20));
    page.say(slow(60_000));
    expect(broker.focusState().connected).toEqual([frameId]);
    clock += 60_000;
    for (let i = 0; i < 2; i++) page.say(slow(1_000));
    expect((await handle.ended).code).toBe("FLOOD");
    expect(reads).toBe(103);
    page.say(slow(1));
    expect(reads).toBe(103);
  });

  test("B1 a port that floods is ended alone", async () => {
    const [loud, quiet] = [await connected("daybook"), await connected("notes")];
    for (let i = 0; i < 3_000; i++) loud.page.post(i);
    expect((await loud.handle.ended).code).toBe("FLOOD");
    expect(await kernel.hear("frameEnded")).toMatchObject({ frameId: loud.frameId, code: "FLOOD" });
    quiet.page.exec(1, "ping");
    expect(await quiet.page.next()).toMatchObject({ id: 1 });
    expect(broker.focusState().connected).toEqual([quiet.frameId]);
  });
});

describe("questions", () => {
  test("inert frames, the asking tile's outline, and held keys", async () => {
    const { page, frameId } = await connected();
    broker.inert(true);
    broker.outline(frameId);
    expect([layer.inert, layer.classList.contains("dimmed"), page.iframe.classList.contains("asking")]).toEqual([true, true, true]);
    const dialog = document.body.appendChild(document.createElement("div"));
    dialog.innerHTML = "<button>Deny</button>";
    const stop = broker.watchKeyboard(dialog, () => undefined);
    expect(await kernel.hear("keyHold")).toMatchObject({ on: true });
    expect(document.activeElement).toBe(dialog.firstElementChild);
    stop();
    stop();
    expect(await kernel.hear("keyHold")).toMatchObject({ on: false });
    broker.inert(false);
    broker.outline(null);
    expect([layer.inert, page.iframe.classList.contains("asking")]).toEqual([false, false]);
    dialog.remove();
  });

  test("a first theft is put back, a second one ends the frame, each disarms", async () => {
    const { page, handle, frameId } = await connected();
    vi.spyOn(document, "hasFocus").mockReturnValue(true);
    vi.spyOn(window, "focus").mockImplementation(() => undefined);
    const dialog = document.body.appendChild(document.createElement("div"));
    dialog.innerHTML = "<button>Deny</button>";
    const button = dialog.firstElementChild;
    const thefts: (string | null)[] = [];
    let heard = (): void => {};
    const stop = broker.watchKeyboard(dialog, (id) => {
      thefts.push(id);
      heard();
    });
    const steal = (): Promise<void> => {
      const seen = new Promise<void>((resolve) => {
        heard = resolve;
      });
      page.iframe.focus();
      return seen;
    };
    await steal();
    expect([thefts, document.activeElement === button, page.iframe.isConnected]).toEqual([[frameId], true, true]);
    await steal();
    expect((await handle.ended).code).toBe("THEFT");
    expect([thefts, document.activeElement === button]).toEqual([[frameId, frameId], true]);
    stop();
    dialog.remove();
  });
});

describe("surroundings", () => {
  test("T1 each new port hears the theme first, and again when it changes", async () => {
    broker.theme("dark");
    const { page } = await connected();
    page.exec(1, "ping");
    await page.next();
    expect(page.themes).toEqual([{ theme: "dark" }]);
    broker.theme("dark");
    broker.theme("light");
    page.exec(2, "ping");
    await page.next();
    expect(page.themes).toEqual([{ theme: "dark" }, { theme: "light" }]);
    page.ready();
    await kernel.hear("frameConnected");
    page.exec(3, "ping");
    await page.next();
    expect(page.themes.length).toBe(3);
  });

  test("T4 a frame is painted once its page has the theme", async () => {
    const { page } = await openTile();
    expect(page.iframe.style.visibility).toBe("hidden");
    page.ready();
    await vi.waitFor(() => expect(page.iframe.style.visibility).toBe(""));
    expect(page.themes.length).toBe(1);
  });

  test("T4 a page that does not answer is painted after 250 ms", async () => {
    const { page } = await openTile();
    page.mute = true;
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    page.ready();
    vi.advanceTimersByTime(249);
    expect(page.iframe.style.visibility).toBe("hidden");
    vi.advanceTimersByTime(1);
    expect(page.iframe.style.visibility).toBe("");
    vi.useRealTimers();
  });
});

describe("chords", () => {
  const said: string[] = [];
  beforeEach(() => {
    said.length = 0;
    vi.spyOn(document, "hasFocus").mockReturnValue(true);
    broker.onChord((chord) => said.push(chord));
  });
  async function hint(page: Page, id: number, payload: unknown): Promise<unknown> {
    page.exec(id, "host.chord", payload);
    const { ok, error } = (await page.next()) as { ok?: unknown; error?: { code: string } };
    return error?.code ?? ok;
  }

  test("K2 a name of the list from the frame with the keyboard is heard; another form is refused", async () => {
    const { page } = await connected();
    page.iframe.focus();
    expect([await hint(page, 1, { chord: "launcher" }), said]).toEqual([{}, ["launcher"]]);
    expect([await hint(page, 2, { chord: "answer" }), await hint(page, 3, { chord: "launcher", times: 9 })]).toEqual(["INVALID_REQUEST", "INVALID_REQUEST"]);
    expect(said).toEqual(["launcher"]);
  });

  test("K3 a frame that says it a thousand times is heard three times, and then not for 30 s", async () => {
    const { page } = await connected();
    page.iframe.focus();
    const answers = new Map<unknown, number>();
    for (let i = 1; i <= 1_000; i++) {
      const answer = JSON.stringify(await hint(page, i, { chord: "launcher" }));
      answers.set(answer, (answers.get(answer) ?? 0) + 1);
    }
    expect([...answers]).toEqual([["{}", 3], ['"LIMIT"', 997]]);
    const other = await connected("notes");
    other.page.iframe.focus();
    expect([await hint(other.page, 1, { chord: "region" }), said]).toEqual([{}, ["launcher", "launcher", "launcher", "region"]]);
  });

  test("K3 rest ends after 30 quiet seconds, and each excess begins it anew", () => {
    const hints = new Hints(0);
    expect([hints.take(0), hints.take(0), hints.take(0), hints.take(0)]).toEqual([true, true, true, false]);
    expect([hints.take(29_999), hints.take(59_998), hints.take(89_998)]).toEqual([false, false, true]);
  });

  test("K4 without the keyboard, during a question, while the owner types, and in the window a hint does nothing", async () => {
    const { page } = await connected();
    const other = await connected("notes");
    const shell = document.body.appendChild(document.createElement("div"));
    shell.innerHTML = "<input><button>Deny</button>";
    const field = shell.querySelector("input") as HTMLInputElement;
    field.focus();
    expect(await hint(page, 1, { chord: "launcher" })).toEqual({});
    page.iframe.focus();
    const stop = broker.watchKeyboard(shell, () => undefined);
    page.iframe.focus();
    expect(await hint(page, 2, { chord: "question" })).toEqual({});
    stop();
    other.page.iframe.focus();
    const typing = new Typing();
    typing.key({ isTrusted: false, target: field } as unknown as KeyboardEvent, 1_000);
    expect(typing.recent(1_001)).toBe(false);
    typing.key({ isTrusted: true, target: shell.querySelector("button") } as unknown as KeyboardEvent, 1_000);
    expect(typing.recent(1_001)).toBe(false);
    typing.key({ isTrusted: true, target: field } as unknown as KeyboardEvent, 1_000);
    expect([typing.recent(1_999), typing.recent(2_000)]).toEqual([true, false]);
    field.remove();
    expect(typing.recent(1_001)).toBe(false);
    const typed = vi.spyOn(Typing.prototype, "recent").mockReturnValue(true);
    expect(await hint(other.page, 1, { chord: "launcher" })).toEqual({});
    typed.mockRestore();
    const { status } = link;
    vi.spyOn(link, "status").mockReturnValue({ ...status(), welcome: { window: true } } as ReturnType<typeof status>);
    expect(await hint(other.page, 2, { chord: "launcher" })).toEqual({});
    vi.mocked(link.status).mockRestore();
    expect(said).toEqual([]);
    expect([await hint(other.page, 3, { chord: "launcher" }), said]).toEqual([{}, ["launcher"]]);
    shell.remove();
  });

  test("K6 the kernel hears of no hint", async () => {
    const { page } = await connected();
    await hint(page, 1, { chord: "launcher" });
    page.exec(2, "tools.list", { target: "kernel" });
    expect(await kernel.hear("portExec")).toMatchObject({ id: 2n });
  });
});
