/** Bucket lets through so many per second, with a burst. Time is the caller's, in milliseconds. */
export class Bucket {
  #tokens: number;
  #at: number;
  readonly #perSecond: number;
  readonly #burst: number;

  constructor(perSecond: number, burst: number, now: number) {
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#tokens = burst;
    this.#at = now;
  }

  /** take takes n tokens, or none and says false. */
  take(n: number, now: number): boolean {
    this.#tokens = Math.min(this.#burst, this.#tokens + ((now - this.#at) / 1_000) * this.#perSecond);
    this.#at = now;
    if (this.#tokens < n) return false;
    this.#tokens -= n;
    return true;
  }
}
