import { NeutronError } from "../../src/port/fault";
import { closed, isRecord } from "../../src/port/json";
import { after, complain } from "../../src/port/primitives";

/** StateChange says that a topic has a new revision. It carries no state. */
export interface StateChange {
  readonly topic: string;
  /** revision is a decimal in a string; compare two with compareRevisions. */
  readonly revision: string;
}

/** Versioned is an answer and the revision that it is of. */
export interface Versioned<T> {
  readonly value: T;
  readonly revision: string | number | bigint;
}

/** StateWatch holds the newest answer to a fetch. */
export interface StateWatch<T> {
  /** current is the newest answer, undefined before the first. */
  readonly current: Versioned<T> | undefined;
  /** subscribe calls back with each newer answer, and at once if there is one, until the returned function is called. */
  subscribe(show: (value: T, revision: string) => void, failed?: (error: unknown) => void): () => void;
  /** refresh fetches again and resolves when that is shown, or is older than what is shown. It rejects as fetch does. */
  refresh(): Promise<void>;
  /** stop ends it. A fetch under way sees its signal abort. */
  stop(): void;
}

const TOPIC = /^[a-z][a-z0-9_.-]{0,63}$/;
const REVISION = /^(?:0|[1-9][0-9]{0,127})$/;
/** STORE_TOPIC is where Neutron tells each change of the store. */
export const STORE_TOPIC = "store";

// A failed fetch, and one whose answer is older than what was announced, are tried again after 1, 2, 4 … s.
const RETRY_MS = 1_000;
const RETRIES = 5;

/** compareRevisions is negative, zero or positive as a is older than, equal to or newer than b. */
export function compareRevisions(a: string | number | bigint, b: string | number | bigint): number {
  const [left, right] = [revisionOf(a), revisionOf(b)];
  if (left.length !== right.length) return left.length - right.length;
  return left < right ? -1 : left > right ? 1 : 0;
}

function revisionOf(revision: string | number | bigint): string {
  const text = `${revision}`;
  if (REVISION.test(text)) return text;
  throw new NeutronError("INVALID_REQUEST", "a revision is a whole number of at most 128 digits");
}

function topicOf(topic: string): string {
  if (typeof topic === "string" && TOPIC.test(topic)) return topic;
  throw new NeutronError("INVALID_REQUEST", "a topic is a lower-case word of at most 64 characters");
}

interface Watcher {
  announced(revision: string): void;
  connected(): void;
  stop(): void;
}

/** States are the listeners and watches of one page. */
export class States {
  readonly #ask: (action: string, payload: object) => Promise<unknown>;
  readonly #listeners = new Map<string, Set<(change: StateChange) => void>>();
  readonly #watchers = new Map<string, Set<Watcher>>();

  constructor(ask: (action: string, payload: object) => Promise<unknown>) {
    this.#ask = ask;
  }

  async publish(topic: string, revision: string | number | bigint): Promise<void> {
    const change = { topic: topicOf(topic), revision: revisionOf(revision) };
    if (topic === STORE_TOPIC) throw new NeutronError("INVALID_REQUEST", "Neutron itself tells the changes of the store");
    await this.#ask("app.state.publish", change);
    this.own(topic, change.revision);
  }

  /** own tells this page's watches of a change that the page made. */
  own(topic: string, revision: string): void {
    for (const watcher of [...(this.#watchers.get(topic) ?? [])]) watcher.announced(revision);
  }

  on(topic: string, listener: (change: StateChange) => void): () => void {
    return join(this.#listeners, topicOf(topic), (change) => listener(change));
  }

  watch<T>(topic: string, fetch: (signal: AbortSignal) => Promise<Versioned<T>>): StateWatch<T> {
    const watch = new Watch(fetch, () => leave());
    const leave = join<Watcher>(this.#watchers, topicOf(topic), watch);
    watch.connected();
    return watch;
  }

  /** hear takes an app.state of the shell. It throws for one that is not of the form. */
  hear(payload: unknown): void {
    if (!isRecord(payload) || !closed(payload, ["topic", "revision"])) throw new NeutronError("INVALID_REQUEST", "app.state has a topic and a revision");
    const { topic, revision } = payload;
    if (typeof topic !== "string" || typeof revision !== "string") throw new NeutronError("INVALID_REQUEST", "app.state has two strings");
    const change = Object.freeze({ topic: topicOf(topic), revision: revisionOf(revision) });
    for (const listener of [...(this.#listeners.get(topic) ?? [])]) {
      try {
        listener(change);
      } catch (error) {
        complain(error);
      }
    }
    this.own(topic, revision);
  }

  /** connected has every watch fetch again: what happened in between was told to nobody. */
  connected(): void {
    for (const watchers of this.#watchers.values()) for (const watcher of [...watchers]) watcher.connected();
  }

  dispose(): void {
    for (const watchers of [...this.#watchers.values()]) for (const watcher of [...watchers]) watcher.stop();
  }
}

function join<T>(map: Map<string, Set<T>>, topic: string, one: T): () => void {
  const set = map.get(topic) ?? new Set<T>();
  map.set(topic, set.add(one));
  return () => {
    set.delete(one);
    if (set.size === 0 && map.get(topic) === set) map.delete(topic);
  };
}

/** Watch runs one fetch at a time, so that answers come in the order of the questions, and keeps the newest revision. */
class Watch<T> implements StateWatch<T>, Watcher {
  readonly #fetch: (signal: AbortSignal) => Promise<Versioned<T>>;
  readonly #leave: () => void;
  readonly #subscribers = new Set<{ show: (value: T, revision: string) => void; failed: ((error: unknown) => void) | undefined }>();
  readonly #control = new AbortController();
  #current: Versioned<T> | undefined;
  #wanted = "0";
  #running: Promise<void> | null = null;
  #again: Promise<void> | null = null;
  #tries = 0;
  #cancelRetry = (): void => {};

  constructor(fetch: (signal: AbortSignal) => Promise<Versioned<T>>, leave: () => void) {
    this.#fetch = fetch;
    this.#leave = leave;
  }

  get current(): Versioned<T> | undefined {
    return this.#current;
  }

  subscribe(show: (value: T, revision: string) => void, failed?: (error: unknown) => void): () => void {
    const one = { show, failed };
    this.#subscribers.add(one);
    if (this.#current !== undefined) guarded(() => show(this.#current?.value as T, revisionOf(this.#current?.revision ?? 0)));
    return () => {
      this.#subscribers.delete(one);
    };
  }

  refresh(): Promise<void> {
    if (this.#control.signal.aborted) return Promise.reject(new NeutronError("CANCELLED", "the watch was stopped"));
    this.#cancelRetry();
    if (this.#running === null) return this.#run();
    // A fetch under way may have been answered before the change: all who ask meanwhile share one more.
    this.#again ??= this.#running.then(
      () => this.#next(),
      () => this.#next(),
    );
    return this.#again;
  }

  stop(): void {
    if (this.#control.signal.aborted) return;
    this.#leave();
    this.#cancelRetry();
    this.#control.abort();
    this.#subscribers.clear();
  }

  announced(revision: string): void {
    if (compareRevisions(revision, this.#wanted) > 0) this.#wanted = revision;
    if (this.#current !== undefined && compareRevisions(this.#current.revision, revision) >= 0) return;
    this.#tries = 0;
    this.connected();
  }

  connected(): void {
    this.refresh().catch(() => {}); // subscribers hear of it
  }

  #next(): Promise<void> {
    this.#again = null;
    return this.#control.signal.aborted ? Promise.resolve() : this.#run();
  }

  #run(): Promise<void> {
    const run = this.#once().finally(() => {
      this.#running = null;
    });
    this.#running = run;
    return run;
  }

  async #once(): Promise<void> {
    try {
      const answer = await this.#fetch(this.#control.signal);
      const revision = revisionOf(answer.revision);
      if (this.#control.signal.aborted) return;
      if (this.#current === undefined || compareRevisions(revision, this.#current.revision) > 0) {
        this.#current = Object.freeze({ value: answer.value, revision });
        for (const one of [...this.#subscribers]) guarded(() => one.show(answer.value, revision));
      }
      if (compareRevisions(revision, this.#wanted) >= 0) this.#tries = 0;
      else this.#retry();
    } catch (error) {
      if (this.#control.signal.aborted) return;
      for (const one of [...this.#subscribers]) guarded(() => one.failed?.(error));
      this.#retry();
      throw error;
    }
  }

  #retry(): void {
    if (this.#tries >= RETRIES || this.#again !== null) return;
    this.#cancelRetry();
    this.#cancelRetry = after(RETRY_MS * 2 ** this.#tries++, () => this.connected());
  }
}

function guarded(fn: () => void): void {
  try {
    fn();
  } catch (error) {
    complain(error);
  }
}
