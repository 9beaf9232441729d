import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import type { EventEmitter } from "node:events";
import { WebSocket as Client, WebSocketServer } from "ws";
import { ToKernelSchema, ToShellSchema, type ToKernel, type ToShell } from "../../wire/neutron/link/v1/link_pb";
import { connectLink } from "../link";
import type { Link, LinkStatus } from "../signature";

/** Frame is what a message of a shell carries. */
export type Frame<C extends string> = Extract<ToKernel["frame"], { case: C }>["value"];

/** Kernel is a real WebSocket server that a test speaks for. */
export class Kernel {
  readonly server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  readonly #sockets: (WebSocket & EventEmitter)[] = [];
  readonly #queue: ToKernel["frame"][] = [];
  readonly #waiting: ((frame: ToKernel["frame"]) => void)[] = [];
  connections = 0;

  /** open makes one that listens. */
  static async open(): Promise<Kernel> {
    const kernel = new Kernel();
    await new Promise<void>((resolve) => kernel.server.on("listening", resolve));
    return kernel;
  }

  private constructor() {
    this.server.on("connection", (socket) => {
      this.connections++;
      this.#sockets.push(socket);
      socket.on("message", (data: Buffer) => {
        const { frame } = fromBinary(ToKernelSchema, new Uint8Array(data));
        const waiter = this.#waiting.shift();
        if (waiter === undefined) this.#queue.push(frame);
        else waiter(frame);
      });
    });
  }

  get url(): string {
    return `ws://127.0.0.1:${this.server.address().port}/link`;
  }
  get socket(): WebSocket & EventEmitter {
    const last = this.#sockets.at(-1);
    if (last === undefined) throw new Error("nobody is connected");
    return last;
  }

  /** hear is the next frame, which must be of this case. */
  async hear<C extends NonNullable<ToKernel["frame"]["case"]>>(kind: C): Promise<Frame<C>> {
    const first = this.#queue.shift();
    const frame = first ?? (await new Promise<ToKernel["frame"]>((resolve) => this.#waiting.push(resolve)));
    if (frame.case !== kind) throw new Error(`heard ${String(frame.case)}, not ${kind}`);
    return frame.value as Frame<C>;
  }

  say(frame: Parameters<typeof create<typeof ToShellSchema>>[1]): void {
    this.socket.send(toBinary(ToShellSchema, create(ToShellSchema, frame)) as Uint8Array<ArrayBuffer>);
  }

  /** welcome takes the hello and answers it. */
  async welcome(more: Partial<Extract<ToShell["frame"], { case: "welcome" }>["value"]> = {}): Promise<Frame<"hello">> {
    const hello = await this.hear("hello");
    this.say({ frame: { case: "welcome", value: { resume: `resume-${this.connections}`, client: "CLIENT", ...more } } } as never);
    return hello;
  }

  close(): void {
    for (const socket of this.#sockets) socket.close();
    this.server.close();
  }
}

/** Store is a session storage of its own. */
export class Store implements Storage {
  readonly map = new Map<string, string>();
  [name: string]: unknown;
  get length(): number {
    return this.map.size;
  }
  clear(): void {
    this.map.clear();
  }
  getItem(key: string): string | null {
    return this.map.get(key) ?? null;
  }
  key(): string | null {
    return null;
  }
  removeItem(key: string): void {
    this.map.delete(key);
  }
  setItem(key: string, value: string): void {
    this.map.set(key, value);
  }
}

/** BOOT is a secret of the right form. */
export const BOOT = "a".repeat(64);

/** openLink connects a real link to a kernel. */
export function openLink(kernel: Kernel, storage: Store, boot: string | null = BOOT): Link {
  return connectLink({ url: kernel.url, boot, storage, window: false, open: (url) => new Client(url) });
}

/** until waits for a status. */
export function until(link: Link, want: (status: LinkStatus) => boolean): Promise<LinkStatus> {
  return new Promise((resolve) => {
    let stop = (): void => {};
    const look = (): void => {
      if (!want(link.status())) return;
      stop();
      resolve(link.status());
    };
    stop = link.subscribe(look);
    look();
  });
}
