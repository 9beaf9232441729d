import type { Chord } from "../../src/port/chord";
import { readContext } from "../../src/port/context";
import type { FrameWindow } from "../../src/port/handshake";
import type { Incoming, Peer } from "../../src/port/peer";
import { NeutronError } from "../../src/port/fault";
import { closed, isRecord, PAYLOAD_BYTES } from "../../src/port/json";
import { complain, isArray, isSafeInteger } from "../../src/port/primitives";
import { Connection } from "./connection";
import { describe, fits, type Described, type ToolDescriptor, type ToolOptions } from "./descriptor";
import { States } from "./state";
import { Host, type Root } from "./host";

/** TOOLS_MAX is how many tools one endpoint exposes (kernel/limit ToolsPerEndpoint, rule D8). */
export const TOOLS_MAX = 64;

// The kernel's clock decides, and it does not count the wait for the owner's answer. This is how
// much longer the page itself waits before it takes the kernel for dead.
const PATIENCE_MS = 400_000;
const DISCOVER_MS = 10_000;
const PRIVATE_MS = 60_000;

/** Caller is who called a tool. The kernel made it; an app cannot. */
export interface Caller {
  /** endpoint is the caller's endpoint id, e.g. "app:daybook:tile:main:instance:1". */
  readonly endpoint: string;
  /** appId is the caller's app, or "" where the caller is no app. */
  readonly appId: string;
  /** role is "tile", "background", "tray", "cli", … */
  readonly role: string;
}

/** ToolContext is what a handler knows beside its arguments. */
export interface ToolContext {
  readonly caller: Caller;
  /** signal aborts when the caller gave up or the connection ended. Stop work; the answer is no longer wanted. */
  readonly signal: AbortSignal;
  /** reportProgress sends a JSON value to the caller before the result: at most 64 KiB each, 2,000 in all; more is dropped. */
  reportProgress(value: unknown): void;
}

/** ToolHandler runs a tool. Its result must be JSON. Throw a NeutronError to answer with a code of your own. */
export type ToolHandler<A extends object = Record<string, unknown>> = (args: A, context: ToolContext) => unknown;

/** ToolCall names a tool of an endpoint and the arguments for it. */
export interface ToolCall {
  /** target is an endpoint id, e.g. "app:notes:background" or "kernel". */
  readonly target: string;
  readonly name: string;
  /** arguments is a JSON object; without it, `{}`. */
  readonly arguments?: object;
}

/** CallOptions bound one call. */
export interface CallOptions {
  /** timeout is the handler's time in seconds, 1 to 300; 60 without it. Waiting for the owner's answer does not count. */
  readonly timeout?: number;
  /** signal cancels the call: it fails with CANCELLED at once, and the handler's context.signal aborts. */
  readonly signal?: AbortSignal;
  /** onProgress hears what the handler reports, in order, before the result. */
  readonly onProgress?: (value: unknown) => void;
}

/** Bus is one page's exposed tools and calls, over whichever connection is live. */
export class Bus {
  readonly #tools = new Map<string, Described & { readonly handler: ToolHandler<never> }>();
  readonly #connection: Connection;
  /** states are the revisions that the endpoints of this app tell each other. */
  readonly states = new States((action, payload) => this.ask(action, payload));
  readonly host: Host;

  constructor(self: FrameWindow | undefined, root?: Root) {
    this.host = new Host(root);
    this.#connection = new Connection(
      self,
      (incoming) => this.#exec(incoming),
      (peer) => {
        this.#push(peer);
        this.states.connected();
      },
    );
  }

  expose(name: string, options: ToolOptions, handler: ToolHandler<never>): void {
    if (typeof handler !== "function") throw new NeutronError("INVALID_REQUEST", `${name}: the handler is no function`);
    const described = describe(name, options);
    const list = [...this.#descriptors().filter((one) => one.name !== name), described.descriptor];
    if (list.length > TOOLS_MAX) throw new NeutronError("LIMIT", `an endpoint exposes at most ${TOOLS_MAX} tools`);
    if (!fits(list, PAYLOAD_BYTES)) throw new NeutronError("LIMIT", "the descriptors of all tools are too large together");
    this.#tools.set(name, { ...described, handler });
    this.#changed();
  }

  remove(name: string): boolean {
    const existed = this.#tools.delete(name);
    if (existed) this.#changed();
    return existed;
  }

  async call(call: ToolCall, options: CallOptions = {}): Promise<unknown> {
    if (!isRecord(call) || !closed(call, ["target", "name"], ["arguments"])) {
      throw new NeutronError("INVALID_REQUEST", "a call has a target, a name and arguments, and nothing else");
    }
    const { timeout } = options;
    const timeoutMs = timeout === undefined ? undefined : Math.round(timeout * 1_000);
    if (timeoutMs !== undefined && !(isSafeInteger(timeoutMs) && timeoutMs >= 1_000 && timeoutMs <= 300_000)) {
      throw new NeutronError("INVALID_REQUEST", "a timeout is 1 to 300 seconds");
    }
    const peer = await this.#connection.connected(options.signal);
    return peer.call(
      "tools.call",
      { target: call.target, name: call.name, arguments: call.arguments ?? {}, ...(timeoutMs === undefined ? {} : { timeoutMs }) },
      { timeoutMs: (timeoutMs ?? 60_000) + PATIENCE_MS, signal: options.signal, onProgress: options.onProgress },
    );
  }

  async list(target: string, options: CallOptions = {}): Promise<ToolDescriptor[]> {
    const peer = await this.#connection.connected(options.signal);
    const answer = await peer.call("tools.list", { target }, { timeoutMs: DISCOVER_MS + PATIENCE_MS, signal: options.signal });
    return listOf(answer, "tools") as ToolDescriptor[];
  }

  /** ask sends a private action: one that is no tool, and that only Neutron itself answers. */
  async ask(action: string, payload: object, signal?: AbortSignal): Promise<Record<string, unknown>> {
    const peer = await this.#connection.connected(signal);
    const answer = await peer.call(action, payload, { timeoutMs: PRIVATE_MS, signal });
    if (isRecord(answer)) return answer;
    throw new NeutronError("OUTPUT_INVALID", `the answer to ${action} is no object`);
  }

  /** kernelList asks the kernel for one of its lists. */
  async kernelList(name: string, key: string, options: CallOptions = {}): Promise<unknown[]> {
    return listOf(await this.call({ target: "kernel", name }, options), key);
  }

  /** chord hands one of the shell's chords on, and says whether there is a shell. What becomes of it is the shell's matter. */
  chord(chord: Chord): boolean {
    const { peer } = this.#connection;
    if (peer === null) return false;
    peer.call("host.chord", { chord }, { timeoutMs: DISCOVER_MS }).catch(() => undefined);
    return true;
  }

  dispose(): void {
    this.states.dispose();
    this.#connection.dispose();
  }

  #descriptors(): ToolDescriptor[] {
    return [...this.#tools.values()].map((tool) => tool.descriptor);
  }

  #changed(): void {
    if (this.#connection.peer !== null) this.#push(this.#connection.peer);
  }

  // Posting is synchronous, so a push is always ahead of any reply that follows the change (D2).
  #push(peer: Peer): void {
    const refused = (error: unknown): void => {
      // A connection that ended took its tools with it; anything else its author must see.
      if (!(error instanceof NeutronError && error.code === "ENDPOINT_GONE")) complain(error);
    };
    peer.call("tools.push", { tools: this.#descriptors() }, { timeoutMs: DISCOVER_MS }).catch(refused);
  }

  #exec(incoming: Incoming): void {
    switch (incoming.action) {
      case "ping":
        return incoming.respond({});
      case "app.state":
        this.states.hear(incoming.payload);
        return incoming.respond({});
      case "host.context": {
        const context = readContext(incoming.payload);
        if (context === null) throw new NeutronError("INVALID_REQUEST", "a context has a theme, light or dark, and nothing else");
        this.host.take(context);
        return incoming.respond({});
      }
      case "tool.run":
        void this.#run(incoming).then(
          (result) => incoming.respond(result),
          (error: unknown) => incoming.fail(error),
        );
        return;
      default:
        throw new NeutronError("NOT_SUPPORTED", `this page has no action ${incoming.action}`);
    }
  }

  async #run(incoming: Incoming): Promise<unknown> {
    const { name, args, caller } = readRun(incoming.payload);
    const tool = this.#tools.get(name);
    if (tool === undefined) throw new NeutronError("TOOL_UNKNOWN", `no tool ${name} is exposed here`);
    const wrong = tool.input(args);
    if (wrong !== null) throw new NeutronError("INPUT_INVALID", wrong);
    const context: ToolContext = Object.freeze({
      caller,
      signal: incoming.signal,
      reportProgress: (value: unknown) => incoming.progress(value),
    });
    const result = (await tool.handler(args as never, context)) ?? null;
    const bad = tool.output(result);
    if (bad !== null) throw new NeutronError("OUTPUT_INVALID", bad);
    return result;
  }
}

function listOf(answer: unknown, key: string): unknown[] {
  if (isRecord(answer) && isArray(answer[key])) return answer[key];
  throw new NeutronError("OUTPUT_INVALID", `the kernel's answer has no list of ${key}`);
}

function readRun(payload: unknown): { name: string; args: object; caller: Caller } {
  if (isRecord(payload) && typeof payload.name === "string" && isRecord(payload.arguments) && isRecord(payload.caller)) {
    const { endpoint, appId, role } = payload.caller;
    if (typeof endpoint === "string" && typeof appId === "string" && typeof role === "string") {
      return { name: payload.name, args: payload.arguments, caller: Object.freeze({ endpoint, appId, role }) };
    }
  }
  throw new NeutronError("INVALID_REQUEST", "tool.run has a name, arguments and a caller");
}
