// What goes through the shell between a frame's port and the kernel. The shell adds what only it
// knows (which frame, which connection, what the person did) and judges nothing else.

import type { Deliver, DeliverCancel, Respond, RespondProgress } from "../wire/neutron/link/v1/link_pb";
import type { Link } from "../link/signature";
import { NeutronError, type WireError } from "../port/fault";
import type { Incoming, Outgoing } from "../port/peer";
import type { Context } from "../port/envelope";
import type { Activation, Stamp } from "./activation";
import type { Frame } from "./frame";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

// One message costs a token; a payload costs one more for each 32 KiB (rule B1).
const TOKEN_SHIFT = 15;

// Nobody answers a question this fast: its buttons are dead for longer. So an ok within this time was let through without one.
const UNASKED_MS = 250;
// How many granted tools are remembered; a frame that calls more waits once more for each.
const GRANTED_MAX = 256;

/** Relay carries the traffic of one connection of one frame. A new connection has a new relay. */
export class Relay {
  readonly #link: Link;
  readonly #frame: Frame;
  readonly #connection: bigint;
  readonly #activation: Activation;
  readonly #flood: () => void;
  readonly #execs = new Map<number, Sent>();
  readonly #granted = new Set<string>();
  readonly #deliveries = new Map<bigint, Outgoing>();

  constructor(link: Link, frame: Frame, activation: Activation, flood: () => void) {
    this.#link = link;
    this.#frame = frame;
    this.#connection = BigInt(frame.connection);
    this.#activation = activation;
    this.#flood = flood;
  }

  #live(): boolean {
    return !this.#frame.over && BigInt(this.#frame.connection) === this.#connection;
  }

  /** exec takes an exec of the frame to the kernel. */
  exec(incoming: Incoming): void {
    if (incoming.action === "ping") return incoming.respond({});
    if (!this.#frame.bucket.take(incoming.text.length >> TOKEN_SHIFT, performance.now())) return this.#flood();
    const route = routeOf(incoming);
    const exec: Sent = { incoming, route, at: Infinity };
    this.#execs.set(incoming.id, exec);
    let sent = false;
    const send = (stamp: Stamp): void => {
      if (sent || !this.#live()) return;
      sent = true;
      exec.at = performance.now();
      const went = this.#link.send({
        case: "portExec",
        value: {
          ...this.#address(),
          id: BigInt(incoming.id),
          action: incoming.action,
          payload: encoder.encode(incoming.text),
          context: incoming.context === undefined ? new Uint8Array() : encoder.encode(JSON.stringify(incoming.context)),
          ...stamp,
        },
      });
      if (!went) this.#settle(incoming.id)?.fail(new NeutronError("NO_SHELL", "the workspace lost its kernel"));
    };
    incoming.signal.addEventListener("abort", () => {
      if (!this.#live()) return;
      // A cancel that overtakes the wait for the stamp must not overtake the exec itself.
      send(this.#activation.without(this.#frame));
      this.#link.send({ case: "portCancel", value: { ...this.#address(), id: BigInt(incoming.id) } });
    });
    // The stamp is for a question. Where the last call was let through without one, it is not worth a wait; should the
    // grant be gone by now, the question is only one that the owner did not cause.
    if (this.#granted.has(route)) return send(this.#activation.now(this.#frame));
    this.#activation.judge(this.#frame, incoming.action, incoming.payload, send);
  }

  /** respond settles an exec with the kernel's answer. */
  respond(message: Respond): void {
    if (message.connection !== this.#connection) return;
    const exec = this.#execs.get(Number(message.id));
    const incoming = this.#settle(Number(message.id));
    if (exec === undefined || incoming === undefined) return;
    this.#learn(exec, message.result.case === "ok");
    if (message.result.case === "ok") return incoming.respond(parse(message.result.value));
    if (message.result.case === "error") {
      const { code, message: text, retryAfterMs } = message.result.value;
      const delay = Number(retryAfterMs);
      return incoming.fail(new NeutronError(code, text, delay > 0 ? delay : undefined));
    }
    incoming.fail(new NeutronError("INTERNAL", "the kernel answered with nothing"));
  }

  /** progress passes a value on to the frame. */
  progress(message: RespondProgress): void {
    if (message.connection !== this.#connection) return;
    this.#execs.get(Number(message.id))?.incoming.progress(parse(message.value));
  }

  /** deliver posts the kernel's exec to the frame. The kernel hears of it first: if the page hangs, it knows in whom (B4). */
  deliver(message: Deliver): void {
    const { peer } = this.#frame;
    if (message.connection !== this.#connection || peer === null) return;
    const { call } = message;
    const settled = (): void => {
      this.#deliveries.delete(call);
      this.#link.send({ case: "mark", value: { frameId: this.#frame.id, settled: true } });
    };
    const answer = (result: { case: "ok"; value: Uint8Array } | { case: "error"; value: ReturnType<typeof fault> }): void => {
      // After a cancel nobody waits any more, and after the connection's end the kernel has answered for it.
      if (this.#deliveries.has(call) && this.#live()) this.#link.send({ case: "portResponse", value: { ...this.#address(), call, result } });
      settled();
    };
    this.#link.send({ case: "mark", value: { frameId: this.#frame.id, settled: false } });
    try {
      const context = message.context.length === 0 ? undefined : (parse(message.context) as Context);
      const outgoing = peer.open(
        message.action,
        parse(message.payload),
        {
          ok: (_, text) => answer({ case: "ok", value: encoder.encode(text) }),
          error: (error) => answer({ case: "error", value: fault(error) }),
          progress: (_, text) => {
            this.#link.send({ case: "portProgress", value: { ...this.#address(), call, value: encoder.encode(text) } });
          },
        },
        context,
        Number(call),
      );
      this.#deliveries.set(call, outgoing);
    } catch (error) {
      const code = error instanceof NeutronError ? error.code : "INTERNAL";
      this.#link.send({
        case: "portResponse",
        value: { ...this.#address(), call, result: { case: "error", value: { code, message: "", retryAfterMs: 0n } } },
      });
      settled();
    }
  }

  /** deliverCancel tells the frame that its caller gave up, and forgets the call. */
  deliverCancel(message: DeliverCancel): void {
    const outgoing = this.#deliveries.get(message.call);
    if (message.connection !== this.#connection || outgoing === undefined) return;
    this.#deliveries.delete(message.call);
    outgoing.cancel({ name: "NeutronError", code: "CANCELLED", message: "" });
  }

  #settle(id: number): Incoming | undefined {
    const exec = this.#execs.get(id);
    this.#execs.delete(id);
    return exec?.incoming;
  }

  #learn(exec: Sent, ok: boolean): void {
    if (!ok) this.#granted.delete(exec.route);
    else if (performance.now() - exec.at < UNASKED_MS) {
      if (this.#granted.size >= GRANTED_MAX) this.#granted.clear();
      this.#granted.add(exec.route);
    }
  }

  #address(): { frameId: string; connection: bigint } {
    return { frameId: this.#frame.id, connection: this.#connection };
  }
}

interface Sent {
  readonly incoming: Incoming;
  readonly route: string;
  /** at is when it left for the kernel. */
  at: number;
}

/** routeOf names what a grant is for, as far as the shell sees it. */
function routeOf(incoming: Incoming): string {
  const { target, name } = (incoming.payload ?? {}) as { target?: unknown; name?: unknown };
  return `${incoming.action} ${typeof target === "string" ? target.slice(0, 512) : ""} ${typeof name === "string" ? name.slice(0, 128) : ""}`;
}

function parse(bytes: Uint8Array): unknown {
  return JSON.parse(decoder.decode(bytes)) as unknown;
}

function fault(error: WireError): { code: string; message: string; retryAfterMs: bigint } {
  return { code: error.code, message: error.message, retryAfterMs: BigInt(error.retryAfterMs ?? 0) };
}
