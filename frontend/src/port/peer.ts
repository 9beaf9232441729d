import { ID_MAX, isId, readEnvelope, type Context, type Exec } from "./envelope";
import { NeutronError, fromWire, toWire, type WireError } from "./fault";
import { PAYLOAD_BYTES, PROGRESS_BYTES, checkJSON, judgeJSON } from "./json";
import { after, complain, openPort, postTo } from "./primitives";

/** PROGRESS_EVENTS is how many progress values one exec may have (kernel/limit ProgressEvents). */
export const PROGRESS_EVENTS = 2_000;

/** Incoming is one exec of the other side. Exactly one of respond and fail has an effect, once. */
export interface Incoming {
  readonly id: number;
  readonly action: string;
  readonly payload: unknown;
  /** text is the payload's JSON text on the vouched side: the bytes that were judged are the bytes that go on. Else it is "". */
  readonly text: string;
  readonly context: Context | undefined;
  /** signal aborts when the other side cancels, or the port closes. */
  readonly signal: AbortSignal;
  /** respond settles with a value; a value that is not JSON settles as OUTPUT_INVALID instead. */
  respond(ok: unknown): void;
  /** fail settles with an error; its code stays if it is a NeutronError, else it is HANDLER_FAILED. */
  fail(error: unknown): void;
  /** progress reports a value; too many, too large, or after the response: dropped. */
  progress(value: unknown): void;
}

/** Sink hears what becomes of one exec that this side sent. One of ok and error is called, once. Texts are as Incoming.text. */
export interface Sink {
  ok(value: unknown, text: string): void;
  error(error: WireError): void;
  progress?(value: unknown, text: string): void;
}

/** Outgoing is an exec under way. */
export interface Outgoing {
  readonly id: number;
  /** cancel tells the other side. With an error, this side's sink is settled by it at once. */
  cancel(error?: WireError): void;
}

/** Why a message was not taken: for counting. */
export type Refusal = "INVALID_REQUEST" | "LIMIT" | "LATE";

/** PeerOptions says what a peer does with what it hears. */
export interface PeerOptions {
  /**
   * vouched: what this side sends was judged elsewhere (the kernel's JSON), so J9 holds without a second look, and
   * what it hears goes there as text. The other side needs no texts, and writes none.
   */
  readonly vouched?: boolean;
  /** exec runs what the other side asks. What it throws is the answer. */
  exec(incoming: Incoming): void;
  /** admit is asked before each message is read; false drops it. For the shell's token bucket. */
  admit?(): boolean;
  /** refused hears of each message that was dropped. */
  refused?(why: Refusal): void;
}

/** CallOptions bound one call. */
export interface CallOptions {
  /** timeoutMs is when the call fails with TIMEOUT. */
  readonly timeoutMs: number;
  readonly context?: Context | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((value: unknown) => void) | undefined;
  /** id numbers the exec; without it the peer picks the next free one. */
  readonly id?: number | undefined;
}

interface Pending {
  readonly sink: Sink;
  progress: number;
}

/**
 * Peer is one end of a connected port: it judges every message, pairs responses with execs,
 * and settles everything exactly once. It holds no policy: who may call what is not its matter.
 */
export class Peer {
  readonly #options: PeerOptions;
  readonly #port: MessagePort;
  readonly #stop: () => void;
  readonly #sent = new Map<number, Pending>();
  readonly #running = new Map<number, AbortController>();
  #last = 0;
  #closed = false;

  constructor(port: MessagePort, options: PeerOptions) {
    this.#port = port;
    this.#options = options;
    this.#stop = openPort(port, (read) => this.#hear(read));
  }

  /** closed says whether close was called. */
  get closed(): boolean {
    return this.#closed;
  }

  /** close closes the port. Calls under way fail with the error, by default ENDPOINT_GONE; handlers see their signal abort. */
  close(error: WireError = { name: "NeutronError", message: "the connection is closed", code: "ENDPOINT_GONE" }): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#stop();
    const pending = [...this.#sent.values()];
    const running = [...this.#running.values()];
    this.#sent.clear();
    this.#running.clear();
    for (const one of running) one.abort(fromWire(error));
    for (const one of pending) isolated(() => one.sink.error(error));
  }

  /** open sends an exec as it is; the sink hears the rest. The caller vouches that the payload is JSON. */
  open(action: string, payload: unknown, sink: Sink, context?: Context, id: number = this.#next()): Outgoing {
    if (this.#closed) throw new NeutronError("ENDPOINT_GONE", "the connection is closed");
    if (!isId(id) || this.#sent.has(id)) throw new NeutronError("INVALID_REQUEST", "the id is in use or no id");
    this.#sent.set(id, { sink, progress: 0 });
    try {
      this.#post({ type: "exec", id, payload: { action, payload, ...(context === undefined ? {} : { context }) } });
    } catch (error) {
      this.#sent.delete(id);
      throw error;
    }
    return {
      id,
      cancel: (error) => {
        const pending = this.#sent.get(id);
        if (pending?.sink !== sink || this.#closed) return;
        this.#post({ type: "cancel", id });
        if (error === undefined) return;
        this.#sent.delete(id);
        isolated(() => sink.error(error));
      },
    };
  }

  /** call sends an exec and resolves with its ok value. It rejects with a NeutronError and nothing else. */
  call(action: string, payload: unknown, options: CallOptions): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const { signal, onProgress } = options;
      if (signal?.aborted) throw new NeutronError("CANCELLED", "the call was cancelled before it began");
      judgeJSON(payload, PAYLOAD_BYTES);
      const give = (code: string, message: string): void => outgoing.cancel({ name: "NeutronError", code, message });
      const abort = (): void => give("CANCELLED", "the call was cancelled");
      const clear = after(options.timeoutMs, () => give("TIMEOUT", `no answer in ${options.timeoutMs} ms`));
      const done = (): void => {
        clear();
        signal?.removeEventListener("abort", abort);
      };
      const sink: Sink = {
        ok: (value) => {
          done();
          resolve(value);
        },
        error: (error) => {
          done();
          reject(fromWire(error));
        },
        ...(onProgress === undefined ? {} : { progress: (value: unknown) => onProgress(value) }),
      };
      let outgoing: Outgoing;
      try {
        outgoing = this.open(action, payload, sink, options.context, options.id);
      } catch (error) {
        clear();
        throw error;
      }
      signal?.addEventListener("abort", abort, { once: true });
    });
  }

  #next(): number {
    do this.#last = this.#last >= ID_MAX ? 1 : this.#last + 1;
    while (this.#sent.has(this.#last));
    return this.#last;
  }

  #post(message: unknown): void {
    postTo(this.#port, message);
  }

  #hear(read: () => unknown): void {
    if (this.#options.admit?.() === false) return;
    const message = readEnvelope(read());
    switch (message.type) {
      case "malformed":
        this.#refuse("INVALID_REQUEST");
        // Answering an id that is already being served would settle the good exec.
        if (message.answer !== undefined && !this.#running.has(message.answer)) {
          this.#fail(message.answer, new NeutronError("INVALID_REQUEST", "the envelope is not of the form of an exec"));
        }
        return;
      case "exec":
        return this.#run(message);
      case "response":
        return this.#settle(message.id, message);
      case "progress":
        return this.#progress(message.id, message.value);
      case "cancel": {
        const running = this.#running.get(message.id);
        if (running === undefined) return this.#refuse("LATE");
        return running.abort(new NeutronError("CANCELLED", "the caller cancelled"));
      }
    }
  }

  /** judge judges what was heard, and gives its text where this side hands texts on. */
  #judge(value: unknown, maxBytes: number): string {
    if (this.#options.vouched) return checkJSON(value, maxBytes, true);
    judgeJSON(value, maxBytes, true);
    return "";
  }

  #refuse(why: Refusal): void {
    this.#options.refused?.(why);
  }

  #fail(id: number, error: unknown): void {
    this.#post({ type: "response", id, error: toWire(error, "HANDLER_FAILED") });
  }

  #run(exec: Exec): void {
    const { id } = exec;
    if (this.#running.has(id)) return this.#refuse("INVALID_REQUEST");
    const { action, payload, context } = exec.payload;
    let text: string;
    try {
      text = this.#judge(payload, PAYLOAD_BYTES);
    } catch (error) {
      this.#refuse(error instanceof NeutronError && error.code === "LIMIT" ? "LIMIT" : "INVALID_REQUEST");
      return this.#fail(id, error);
    }
    const control = new AbortController();
    this.#running.set(id, control);
    // One of respond and fail wins; after it, or after the port closed, the rest has no effect.
    const take = (): boolean => this.#running.get(id) === control && this.#running.delete(id);
    let reported = 0;
    const incoming: Incoming = {
      id,
      action,
      payload,
      text,
      context,
      signal: control.signal,
      respond: (ok) => {
        if (!take()) return;
        try {
          if (!this.#options.vouched) judgeJSON(ok, PAYLOAD_BYTES);
        } catch (error) {
          const code = error instanceof NeutronError && error.code === "LIMIT" ? "LIMIT" : "OUTPUT_INVALID";
          return this.#fail(id, new NeutronError(code, `the result cannot travel: ${(error as Error).message}`));
        }
        this.#post({ type: "response", id, ok });
      },
      fail: (error) => {
        if (take()) this.#fail(id, error);
      },
      progress: (value) => {
        if (this.#running.get(id) !== control || reported >= PROGRESS_EVENTS) return;
        try {
          if (!this.#options.vouched) judgeJSON(value, PROGRESS_BYTES);
        } catch {
          return;
        }
        reported++;
        this.#post({ type: "progress", id, value });
      },
    };
    try {
      this.#options.exec(incoming);
    } catch (error) {
      incoming.fail(error);
    }
  }

  #settle(id: number, message: { readonly ok: unknown } | { readonly error: WireError }): void {
    const pending = this.#sent.get(id);
    if (pending === undefined) return this.#refuse("LATE");
    this.#sent.delete(id);
    if ("error" in message) return isolated(() => pending.sink.error(message.error));
    let text: string;
    try {
      text = this.#judge(message.ok, PAYLOAD_BYTES);
    } catch (error) {
      const limit = error instanceof NeutronError && error.code === "LIMIT";
      this.#refuse(limit ? "LIMIT" : "INVALID_REQUEST");
      const code = limit ? "LIMIT" : "OUTPUT_INVALID";
      return isolated(() => pending.sink.error({ name: "NeutronError", code, message: (error as Error).message }));
    }
    isolated(() => pending.sink.ok(message.ok, text));
  }

  #progress(id: number, value: unknown): void {
    const pending = this.#sent.get(id);
    if (pending === undefined) return this.#refuse("LATE");
    if (++pending.progress > PROGRESS_EVENTS) return this.#refuse("LIMIT");
    let text: string;
    try {
      text = this.#judge(value, PROGRESS_BYTES);
    } catch {
      return this.#refuse("LIMIT");
    }
    isolated(() => pending.sink.progress?.(value, text));
  }
}

// A consumer that throws is its own problem: the pairing above must not notice.
function isolated(fn: () => void): void {
  try {
    fn();
  } catch (error) {
    complain(error);
  }
}
