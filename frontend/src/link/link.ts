import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { protocolHash } from "../wire/hash";
import {
  RequestSchema,
  ToKernelSchema,
  ToShellSchema,
  type Reply,
  type Request,
  type Welcome,
} from "../wire/neutron/link/v1/link_pb";
import { takeBoot } from "./boot";
import { KernelError } from "./kernelError";
import { Outbox } from "./outbox";
import type { Answers, Link, LinkStatus, Phase, RequestCase, RequestWhat, ShellCase, ShellValue, ToKernelFrame } from "./signature";
import { ulid } from "./ulid";

const RESUME = "neutron.resume";
const CLIENT = "neutron.client";

// Close codes of kernel/link. After these the page does not try again by itself.
const final: Readonly<Record<number, Phase>> = { 4400: "mismatch", 4401: "refused", 4403: "locked", 4409: "refused" };

const HELLO_WAIT_MS = 5_000;
const BACKOFF_MS = 250;
const BACKOFF_MAX_MS = 5_000;

// Commands that change something durable: they wait in the outbox until their reply came.
const durable: ReadonlySet<RequestCase> = new Set<RequestCase>(["approveInstall", "removeApp", "revokeGrant", "putDoc"]);

/** LinkParts are what a link is made of; a test puts its own in. */
export interface LinkParts {
  readonly url: string;
  readonly boot: string | null;
  readonly storage: Storage | null;
  readonly window: boolean;
  open(url: string): WebSocket;
}

/** connectLink starts the link of this page. Call it once. Listeners added before the next task miss nothing. */
export function connectLink(parts: LinkParts = pageParts()): Link {
  return new ShellLink(parts);
}

function pageParts(): LinkParts {
  return {
    url: `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/link`,
    boot: takeBoot(),
    storage: sessionStorage,
    window: navigator.userAgent.includes("wails.io"),
    open: (url) => new WebSocket(url),
  };
}

interface Waiting {
  readonly request: Request;
  readonly durable: boolean;
  /** sent says that the request left on the present socket. */
  sent: boolean;
  readonly done: (reply: Reply["what"]) => void;
  readonly fail: (error: KernelError) => void;
}

class ShellLink implements Link {
  readonly #parts: LinkParts;
  readonly #outbox: Outbox;
  readonly #waiting = new Map<bigint, Waiting>();
  readonly #listeners = new Map<ShellCase, Set<(value: never) => void>>();
  readonly #watchers = new Set<() => void>();
  readonly #limits = new Map<string, number>();
  readonly #texts = new Map<string, string>();
  #status: LinkStatus;
  #socket: WebSocket | null = null;
  #boot: string | null;
  #lastId = 0n;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(parts: LinkParts) {
    this.#parts = parts;
    this.#boot = parts.boot;
    this.#outbox = new Outbox(parts.storage);
    // useSyncExternalStore calls these two without their object.
    this.status = this.status.bind(this);
    this.subscribe = this.subscribe.bind(this);
    this.#status = { phase: "connecting", attempt: 0, welcome: null, pending: this.#outbox.size };
    // What a page before the reload submitted is sent again; nobody waits for those replies any more.
    for (const { request } of this.#outbox.all()) this.#enqueue(request, true, () => {}, () => {});
    queueMicrotask(() => this.#connect());
  }

  request<C extends RequestCase>(what: RequestWhat<C>): Promise<Answers[C]> {
    return new Promise((resolve, reject) => {
      const isDurable = durable.has(what.case);
      const request = create(RequestSchema, { what, submission: isDurable ? ulid() : "" } as Parameters<typeof create<typeof RequestSchema>>[1]);
      const { phase } = this.#status;
      if (this.#closed || phase === "refused" || phase === "mismatch" || phase === "locked") {
        return reject(new KernelError(phase === "locked" ? "LOCKED" : "CANCELLED", "This page is not connected to Neutron."));
      }
      if (isDurable && !this.#outbox.put(this.#client(), request)) {
        return reject(new KernelError("BUSY", "Too many changes wait for Neutron."));
      }
      this.#enqueue(request, isDurable, (reply) => resolve(reply.value as Answers[C]), reject);
      this.#patch({ pending: this.#outbox.size });
    });
  }

  send(frame: ToKernelFrame): boolean {
    return this.#status.phase === "open" && this.#post(frame);
  }

  on<C extends ShellCase>(kind: C, fn: (value: ShellValue<C>) => void): () => void {
    const set = this.#listeners.get(kind) ?? new Set();
    this.#listeners.set(kind, set);
    set.add(fn as (value: never) => void);
    return () => set.delete(fn as (value: never) => void);
  }

  status(): LinkStatus {
    return this.#status;
  }

  subscribe(fn: () => void): () => void {
    this.#watchers.add(fn);
    return () => this.#watchers.delete(fn);
  }

  limit(name: string, fallback: number): number {
    return this.#limits.get(name) ?? fallback;
  }

  text(code: string): string {
    return this.#texts.get(code) ?? code;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#socket?.close(1000);
    this.#drop(() => true, new KernelError("CANCELLED", "The page was closed."));
  }

  #client(): string {
    return this.#parts.storage?.getItem(CLIENT) ?? "";
  }

  #connect(): void {
    if (this.#closed) return;
    const secret = this.#boot ?? this.#parts.storage?.getItem(RESUME) ?? null;
    if (secret === null) return this.#end("refused");
    const socket = this.#parts.open(this.#parts.url);
    this.#socket = socket;
    socket.binaryType = "arraybuffer";
    let welcomed = false;
    const late = setTimeout(() => socket.close(), HELLO_WAIT_MS);
    socket.onopen = () => {
      this.#post({ case: "hello", value: { protocolHash, secret, window: this.#parts.window, client: this.#client() } });
    };
    socket.onmessage = (event: MessageEvent<ArrayBuffer>) => {
      const frame = decode(event.data);
      if (frame === null) {
        socket.close(4400);
        return;
      }
      // The pong leaves from the message handler itself: it proves that this thread runs.
      if (frame.case === "ping") this.#post({ case: "pong", value: { seq: frame.value.seq } });
      if (frame.case === "welcome" && !welcomed) {
        welcomed = true;
        clearTimeout(late);
        this.#welcome(frame.value);
      }
      if (!welcomed || frame.case === undefined) return;
      if (frame.case === "reply") this.#reply(frame.value);
      this.#tell(frame.case, frame.value);
    };
    socket.onerror = () => {}; // a close follows, and a page is told nothing more
    socket.onclose = (event) => {
      clearTimeout(late);
      if (this.#socket !== socket) return;
      this.#socket = null;
      this.#lost(event.code);
    };
  }

  #welcome(welcome: Welcome): void {
    this.#boot = null;
    try {
      this.#parts.storage?.setItem(RESUME, welcome.resume);
      this.#parts.storage?.setItem(CLIENT, welcome.client);
    } catch {
      // Without storage a reload cannot resume; this page still works.
    }
    for (const row of welcome.limits) this.#limits.set(row.name, Number(row.value));
    for (const row of welcome.codes) this.#texts.set(row.code, row.text);
    this.#outbox.keepOf(welcome.client);
    const kept = new Set(this.#outbox.all().map((one) => one.request.submission));
    // A copied tab got another client: what it copied is the other tab's to send.
    this.#drop((one) => one.durable && !kept.has(one.request.submission), new KernelError("CANCELLED", "Another tab sends this."));
    this.#patch({ phase: "open", attempt: 0, welcome, pending: this.#outbox.size });
    for (const one of this.#waiting.values()) this.#dispatch(one);
  }

  #enqueue(request: Request, isDurable: boolean, done: Waiting["done"], fail: Waiting["fail"]): void {
    request.id = ++this.#lastId;
    const waiting: Waiting = { request, durable: isDurable, sent: false, done, fail };
    this.#waiting.set(request.id, waiting);
    if (this.#status.phase === "open") this.#dispatch(waiting);
  }

  #dispatch(waiting: Waiting): void {
    waiting.sent = this.#post({ case: "request", value: waiting.request });
  }

  #reply(reply: Reply): void {
    const waiting = this.#waiting.get(reply.id);
    if (waiting === undefined) return;
    this.#waiting.delete(reply.id);
    if (waiting.durable) {
      this.#outbox.drop(waiting.request.submission);
      this.#patch({ pending: this.#outbox.size });
    }
    const { what } = reply;
    if (what.case === "error") {
      const { code, message, retryAfterMs } = what.value;
      waiting.fail(new KernelError(code, message === "" ? this.text(code) : message, Number(retryAfterMs)));
    } else waiting.done(what);
  }

  #lost(code: number): void {
    const last = final[code];
    if (last !== undefined) return this.#end(last, code);
    // Submissions wait for the link; of all else that had left, nobody knows whether it arrived.
    this.#drop((one) => one.sent && !one.durable, new KernelError("CANCELLED", "The connection to Neutron was lost."));
    for (const one of this.#waiting.values()) one.sent = false;
    if (this.#closed) return;
    const { attempt, phase } = this.#status;
    const wait = Math.min(BACKOFF_MAX_MS, BACKOFF_MS * 2 ** attempt) * (0.75 + Math.random() / 2);
    this.#patch({ phase: phase === "open" ? "lost" : phase, attempt: attempt + 1 });
    this.#timer = setTimeout(() => this.#connect(), wait);
  }

  #end(phase: Phase, code = 4401): void {
    if (code !== 4400 && code !== 4409) {
      // The secret is spent or revoked: keeping it would only be refused again.
      this.#parts.storage?.removeItem(RESUME);
      this.#outbox.clear();
    }
    this.#boot = null;
    this.#patch({ phase, pending: this.#outbox.size });
    this.#drop(() => true, new KernelError(phase === "locked" ? "LOCKED" : "CANCELLED", "This page is not connected to Neutron."));
  }

  #drop(which: (one: Waiting) => boolean, error: KernelError): void {
    for (const [id, one] of [...this.#waiting]) {
      if (!which(one)) continue;
      this.#waiting.delete(id);
      one.fail(error);
    }
  }

  #post(frame: ToKernelFrame): boolean {
    const socket = this.#socket;
    if (socket === null || socket.readyState !== 1) return false;
    socket.send(toBinary(ToKernelSchema, create(ToKernelSchema, { frame })) as Uint8Array<ArrayBuffer>);
    return true;
  }

  #tell(kind: ShellCase, value: unknown): void {
    for (const fn of [...(this.#listeners.get(kind) ?? [])]) isolated(() => fn(value as never));
  }

  #patch(change: Partial<LinkStatus>): void {
    this.#status = { ...this.#status, ...change };
    for (const fn of [...this.#watchers]) isolated(fn);
  }
}

function decode(data: ArrayBuffer): ReturnType<typeof fromBinary<typeof ToShellSchema>>["frame"] | null {
  try {
    return fromBinary(ToShellSchema, new Uint8Array(data)).frame;
  } catch {
    return null;
  }
}

// One listener's mistake must not cost another its message, nor the kernel its pong.
function isolated(fn: () => void): void {
  try {
    fn();
  } catch (error) {
    reportError(error);
  }
}
