import type { Incoming } from "../../src/port/peer";
import { NeutronError } from "../../src/port/fault";
import { awaitPort, type FrameWindow } from "../../src/port/handshake";
import { Peer } from "../../src/port/peer";
import { after } from "../../src/port/primitives";

/** PORT_WAIT_MS is how long a call waits for the port (kernel/limit PortWait, rule H9). */
export const PORT_WAIT_MS = 2_000;

/**
 * Connection is a page's side of the handshake over its whole life: it always has at most one
 * live peer, and knows who waits for one.
 */
export class Connection {
  #peer: Peer | null = null;
  readonly #waiting = new Set<(peer: Peer) => void>();
  readonly #onExec: (incoming: Incoming) => void;
  readonly #onPeer: (peer: Peer) => void;
  readonly #stop: () => void;

  /** onPeer runs for each new peer before anybody else can post on it. */
  constructor(self: FrameWindow | undefined, onExec: (incoming: Incoming) => void, onPeer: (peer: Peer) => void) {
    this.#onExec = onExec;
    this.#onPeer = onPeer;
    this.#stop = self === undefined ? () => {} : awaitPort(self, (port) => this.#connect(port));
  }

  /** peer is the live peer, or null. */
  get peer(): Peer | null {
    return this.#peer;
  }

  /** connected resolves with the live peer, or rejects after the wait, or when the signal aborts. */
  connected(signal?: AbortSignal): Promise<Peer> {
    if (this.#peer !== null) return Promise.resolve(this.#peer);
    return new Promise((resolve, reject) => {
      const done = (): void => {
        stop();
        this.#waiting.delete(take);
        signal?.removeEventListener("abort", abort);
      };
      const take = (peer: Peer): void => {
        done();
        resolve(peer);
      };
      const abort = (): void => {
        done();
        reject(new NeutronError("CANCELLED", "the call was cancelled before it began"));
      };
      const stop = after(PORT_WAIT_MS, () => {
        done();
        reject(new NeutronError("TIMEOUT", "Neutron gave this page no port: is it open in a tile?"));
      });
      this.#waiting.add(take);
      if (signal?.aborted) abort();
      else signal?.addEventListener("abort", abort);
    });
  }

  /** dispose ends the connection for good. */
  dispose(): void {
    this.#stop();
    this.#peer?.close();
    this.#peer = null;
  }

  #connect(port: MessagePort): void {
    this.#peer?.close({ name: "NeutronError", code: "ENDPOINT_GONE", message: "the connection was replaced" });
    const peer = new Peer(port, { exec: (incoming) => this.#onExec(incoming) });
    this.#peer = peer;
    this.#onPeer(peer);
    for (const take of [...this.#waiting]) take(peer);
  }
}
