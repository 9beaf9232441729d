import { afterEach, describe, expect, test } from "vitest";
import { CONNECT, PROBE, READY, awaitPort, isProbe, isReady, sendConnect, sendProbe, sessionOf, type FrameWindow } from "./handshake";

// A window that can be listened to and posted to; what is posted arrives at `heard`. Ports are real.
class Pane extends EventTarget {
  readonly heard: { message: unknown; origin: string; ports: MessagePort[] }[] = [];
  parent: Pane = this;
  postMessage(message: unknown, origin: string, transfer: Transferable[] = []): void {
    this.heard.push({ message, origin, ports: transfer as MessagePort[] });
  }
  hear(data: unknown, source: unknown, ports: MessagePort[] = []): void {
    this.dispatchEvent(Object.assign(new Event("message"), { data, source, ports }));
  }
}

const open: MessagePort[] = [];
afterEach(() => {
  for (const port of open.splice(0)) port.close();
});
const channel = (): MessagePort => {
  const { port1, port2 } = new MessageChannel();
  open.push(port1, port2);
  return port2;
};

function frame(): { shell: Pane; self: Pane; ports: [MessagePort, string][]; stop: () => void } {
  const shell = new Pane();
  const self = new Pane();
  self.parent = shell;
  const ports: [MessagePort, string][] = [];
  const stop = awaitPort(self as unknown as FrameWindow, (port, session) => ports.push([port, session]));
  return { shell, self, ports, stop };
}
const session = "0123456789abcdef";
const connect = (more: object = {}): unknown => ({ type: CONNECT, version: 1, sessionId: session, ...more });

describe("handshake", () => {
  test("H1 a frame ignores every window message that is none of the three", async () => {
    const { shell, self, ports } = frame();
    await Promise.resolve();
    for (const data of [null, 1, "ready", { type: "exec", id: 1, payload: {} }, { type: READY, version: 1 }]) self.hear(data, shell, [channel()]);
    expect([ports.length, shell.heard.length]).toEqual([0, 1]);
  });

  test("H2 the messages are closed and of one version", () => {
    expect([isReady({ type: READY, version: 1 }), isProbe({ type: PROBE, version: 1 }), sessionOf(connect())]).toEqual([true, true, session]);
    for (const more of [{ more: 1 }, { version: 2 }, { version: "1" }, { version: undefined }, { type: "neutron:msgbus:other" }]) {
      expect(isReady({ type: READY, version: 1, ...more })).toBe(false);
      expect(isProbe({ type: PROBE, version: 1, ...more })).toBe(false);
      expect(sessionOf(connect(more))).toBe(null);
    }
    expect([isReady({ type: READY }), isReady([READY, 1]), isReady(null), sessionOf({ type: CONNECT, version: 1 })]).toEqual([false, false, false, null]);
  });

  test("H3 a frame takes no port from anybody but its parent", async () => {
    const { shell, self, ports } = frame();
    await Promise.resolve();
    const sibling = new Pane();
    for (const source of [sibling, null, self, undefined]) {
      self.hear(connect(), source, [channel()]);
      self.hear({ type: PROBE, version: 1 }, source);
    }
    expect([ports.length, shell.heard.length, sibling.heard.length]).toEqual([0, 1, 0]);
    self.hear(connect(), shell, [channel()]);
    expect(ports.length).toBe(1);
  });

  test("H4 a connect has one port and a session id, or its ports are closed", async () => {
    const { shell, self, ports } = frame();
    const closed: Promise<void>[] = [];
    const watched = (): MessagePort => {
      const { port1, port2 } = new MessageChannel();
      closed.push(new Promise((resolve) => port1.addEventListener("close", () => resolve())));
      port1.start();
      return port2;
    };
    for (const sessionId of ["short", "x".repeat(129), "0123456789abcde!", 1, null]) self.hear(connect({ sessionId }), shell, [watched()]);
    self.hear(connect(), shell, [watched(), watched()]);
    self.hear(connect(), shell);
    await Promise.all(closed);
    expect(ports.length).toBe(0);
    self.hear(connect({ sessionId: "x".repeat(128) }), shell, [channel()]);
    expect(ports.length).toBe(1);
  });

  test("H8 a page says ready by itself, and on a probe while it has no port", async () => {
    const { shell, self } = frame();
    expect(shell.heard.length).toBe(0);
    await Promise.resolve();
    const ready = { message: { type: READY, version: 1 }, origin: "*", ports: [] };
    expect(shell.heard).toEqual([ready]);
    self.hear({ type: PROBE, version: 1 }, shell);
    expect(shell.heard).toEqual([ready, ready]);
    self.hear(connect(), shell, [channel()]);
    self.hear({ type: PROBE, version: 1 }, shell);
    expect(shell.heard.length).toBe(2);
  });

  test("H10 a page that is nobody's frame posts nothing and takes nothing", async () => {
    const self = new Pane();
    let ports = 0;
    awaitPort(self as unknown as FrameWindow, () => ports++);
    await Promise.resolve();
    self.hear(connect(), self, [channel()]);
    expect([self.heard.length, ports]).toEqual([0, 0]);
  });

  test("H4 what the shell sends is what a frame takes", async () => {
    const { shell, self, ports } = frame();
    const mine = sendConnect({ postMessage: (message, _, transfer) => self.hear(message, shell, transfer as MessagePort[]) }, session);
    open.push(mine);
    const got = new Promise((resolve) => {
      mine.onmessage = (event) => resolve(event.data);
    });
    expect(ports[0]?.[1]).toBe(session);
    ports[0]?.[0].postMessage("hello");
    expect(await got).toBe("hello");
    const probed = new Pane();
    sendProbe(probed);
    expect(isProbe(probed.heard[0]?.message)).toBe(true);
  });
});
