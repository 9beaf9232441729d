// The handshake. Requirements:
//   1. Only the frame that the shell made gets a port, and it gets one that nobody else holds.
//   2. Only the page's own parent can give it one; a sibling that posts the same message cannot.
//   3. Nothing but these three closed messages ever travels by window message.
//   4. A page that loads late, or a shell that listens late, still meets the other.
// Protocol:
//   frame -> shell   ready    when its script runs, and on each probe while it has no port
//   shell -> frame   probe    when a loaded page has said nothing for a while
//   shell -> frame   connect  on a ready of a registered window: a session id and one port
//   A second ready is a new connection: the shell drops the old port first (H6, H7).

import { closed, isRecord } from "./json";
import { PORT_VERSION } from "./version";

/** READY, PROBE and CONNECT are the only types of window messages. */
export const READY = "neutron:msgbus:ready";
export const PROBE = "neutron:msgbus:probe";
export const CONNECT = "neutron:msgbus:connect";

const sessionGrammar = /^[A-Za-z0-9_-]{16,128}$/;

/** isReady says whether a window message is a frame's ready of this version, closed (H2). */
export function isReady(data: unknown): boolean {
  return isRecord(data) && closed(data, ["type", "version"]) && data.type === READY && data.version === PORT_VERSION;
}

/** isProbe says whether a window message is the shell's probe of this version, closed (H2). */
export function isProbe(data: unknown): boolean {
  return isRecord(data) && closed(data, ["type", "version"]) && data.type === PROBE && data.version === PORT_VERSION;
}

/** sessionOf is the session id of a connect message of this version, closed (H2), or null. */
export function sessionOf(data: unknown): string | null {
  if (!isRecord(data) || !closed(data, ["type", "version", "sessionId"])) return null;
  if (data.type !== CONNECT || data.version !== PORT_VERSION) return null;
  return typeof data.sessionId === "string" && sessionGrammar.test(data.sessionId) ? data.sessionId : null;
}

/** Poster is the part of a Window that the handshake needs. */
export interface Poster {
  postMessage(message: unknown, targetOrigin: string, transfer?: Transferable[]): void;
}

/** sendProbe asks a frame to say ready. */
export function sendProbe(frame: Poster): void {
  frame.postMessage({ type: PROBE, version: PORT_VERSION }, "*");
}

/**
 * sendConnect gives a frame its port and returns the shell's end. The target origin is "*" since
 * an opaque frame has no origin to name; what binds the message is the window itself, whose
 * document can only be one that the sandbox served for this frame.
 */
export function sendConnect(frame: Poster, sessionId: string): MessagePort {
  const { port1, port2 } = new MessageChannel();
  frame.postMessage({ type: CONNECT, version: PORT_VERSION, sessionId }, "*", [port2]);
  return port1;
}

/** FrameWindow is the part of its own window that a frame needs for the handshake. */
export interface FrameWindow {
  readonly parent: Poster;
  addEventListener(type: "message", fn: (event: MessageEvent<unknown>) => void): void;
  removeEventListener(type: "message", fn: (event: MessageEvent<unknown>) => void): void;
}

/**
 * awaitPort is the frame's side: it says ready, answers probes, and hands over each port that its
 * parent connects. Any frame can post to any other, so what is not from the parent is not read
 * (H3). It returns what stops it.
 */
export function awaitPort(self: FrameWindow, onPort: (port: MessagePort, sessionId: string) => void): () => void {
  const parent = self.parent;
  if ((parent as unknown) === self) return () => {};
  let connected = false;
  const sayReady = (): void => parent.postMessage({ type: READY, version: PORT_VERSION }, "*");
  const hear = (event: MessageEvent<unknown>): void => {
    if ((event.source as unknown) !== parent) return;
    if (isProbe(event.data)) {
      if (!connected) sayReady();
      return;
    }
    const sessionId = sessionOf(event.data);
    const ports = event.ports;
    if (sessionId === null || ports.length !== 1) {
      // A port that nobody will use must not stay open at its other end.
      for (const port of ports) port.close();
      return;
    }
    connected = true;
    onPort(ports[0] as MessagePort, sessionId);
  };
  self.addEventListener("message", hear);
  queueMicrotask(sayReady);
  return () => self.removeEventListener("message", hear);
}
