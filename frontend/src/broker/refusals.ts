import type { Link } from "../link/signature";

const FLUSH_MS = 1_000;

/** Refusals counts what the shell refused by itself and tells the kernel at most once a second. */
export class Refusals {
  readonly #link: Link;
  readonly #counts = new Map<string, { frameId: string; code: string; count: number }>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(link: Link) {
    this.#link = link;
  }

  /** add counts one refusal; frameId is "" for a window that is no frame of ours. */
  add(frameId: string, code: string): void {
    const key = `${frameId} ${code}`;
    const row = this.#counts.get(key) ?? { frameId, code, count: 0 };
    row.count++;
    this.#counts.set(key, row);
    this.#timer ??= setTimeout(() => this.flush(), FLUSH_MS);
  }

  /** flush reports now. What cannot be sent is dropped: it is a statistic. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const row of this.#counts.values()) this.#link.send({ case: "refused", value: row });
    this.#counts.clear();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#counts.clear();
  }
}
