import { CONNECT } from "../../src/port/handshake";
import type { FrameWindow } from "../../src/port/handshake";
import { Bus } from "../src/bus";

/** Message is anything that the shell's end of a port hears. */
export interface Message {
  readonly type: string;
  readonly id: number;
  readonly payload?: { readonly action: string; readonly payload: Record<string, unknown> };
  readonly ok?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
  readonly value?: unknown;
}

/** Line is the shell's raw end of one connection. */
export class Line {
  readonly #queue: Message[] = [];
  readonly #waiting: ((message: Message) => void)[] = [];
  readonly closed: Promise<void>;
  #id = 0;

  constructor(readonly port: MessagePort) {
    this.closed = new Promise((resolve) => port.addEventListener("close", () => resolve()));
    port.onmessage = (event: MessageEvent<Message>) => {
      const waiter = this.#waiting.shift();
      if (waiter === undefined) this.#queue.push(event.data);
      else waiter(event.data);
    };
  }

  next(): Promise<Message> {
    const first = this.#queue.shift();
    return first === undefined ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve(first);
  }

  /** action is the next exec, which must have this action. */
  async action(name: string): Promise<Message & { readonly payload: { readonly payload: Record<string, unknown> } }> {
    const message = await this.next();
    if (message.payload?.action !== name) throw new Error(`heard ${JSON.stringify(message)}, not ${name}`);
    return message as never;
  }

  /** push is the next message, a tools.push; it is answered, and its tool names are returned. */
  async push(): Promise<string[]> {
    const message = await this.action("tools.push");
    this.post({ type: "response", id: message.id, ok: {} });
    return (message.payload.payload.tools as { name: string }[]).map((tool) => tool.name);
  }

  post(message: unknown): void {
    this.port.postMessage(message);
  }

  /** exec asks the page; its answer is the next message, as long as nothing else comes. */
  exec(action: string, payload: unknown): number {
    const id = ++this.#id;
    this.post({ type: "exec", id, payload: { action, payload } });
    return id;
  }

  run(name: string, args: unknown, caller: unknown = { endpoint: "app:b:tile:main:instance:1", appId: "b", role: "tile" }): number {
    return this.exec("tool.run", { name, arguments: args, caller });
  }
}

/** Stage is a page with the SDK in it, and the shell around it. The windows are plain; the ports are real. */
export class Stage {
  readonly bus: Bus;
  /** root is what the page's document element would be. */
  readonly root = { style: { colorScheme: "" }, attributes: new Map<string, string>(), setAttribute: (name: string, value: string): void => void this.root.attributes.set(name, value) };
  readonly lines: Line[] = [];
  readonly #self: EventTarget & { parent: object };
  readonly #shell = { postMessage: (): void => {} };

  constructor() {
    this.#self = Object.assign(new EventTarget(), { parent: this.#shell });
    this.bus = new Bus(this.#self as unknown as FrameWindow, this.root);
  }

  /** connect gives the page a new port. */
  connect(): Line {
    const { port1, port2 } = new MessageChannel();
    const line = new Line(port1);
    this.lines.push(line);
    const data = { type: CONNECT, version: 1, sessionId: "0123456789abcdef" };
    this.#self.dispatchEvent(Object.assign(new Event("message"), { data, source: this.#shell, ports: [port2] }));
    return line;
  }

  dispose(): void {
    this.bus.dispose();
    for (const line of this.lines) line.port.close();
  }
}

/** codeOf is the code that a promise rejected with, or "ok". */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return "ok";
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

/** thrown is the code that a function threw, or "ok". */
export function thrown(fn: () => unknown): string {
  try {
    fn();
    return "ok";
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}
