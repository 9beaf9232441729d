/** armMs is how long a question must stand still under the owner's eyes before a button works. */
export const armMs = 700;

/**
 * Arming decides when a button of a question may act: 700 ms after the sheet was painted and after the
 * last key, click or theft of the keyboard. Times are performance.now() values that the caller passes in.
 *
 * A click or key is judged by what held when it began: the press itself starts the wait anew, so a press
 * that came too early can never become a late answer.
 */
export class Arming {
  #since: number | null = null;
  #seenEnd = false;
  #gesture = false;

  /** painted starts the wait: from here the owner can see what is asked. */
  painted(now: number): void {
    this.#since = now;
    this.#gesture = false;
  }

  /** concealed stops it: the page is hidden, nothing can be read. */
  concealed(): void {
    this.#since = null;
    this.#gesture = false;
  }

  /** pressed takes a key or a pointer press, and says whether it came when the buttons were armed. */
  pressed(now: number): boolean {
    this.#gesture = this.armed(now);
    if (this.#since !== null) this.#since = now;
    return this.#gesture;
  }

  /** disturbed takes what is no press of the owner: a theft of the keyboard, a key held down. */
  disturbed(now: number): void {
    this.#gesture = false;
    if (this.#since !== null) this.#since = now;
  }

  /** sawEnd says that the last line of the content was in view. */
  sawEnd(): void {
    this.#seenEnd = true;
  }

  /** seenEnd is whether it ever was. */
  get seenEnd(): boolean {
    return this.#seenEnd;
  }

  /** armed is whether a press at this moment counts. */
  armed(now: number): boolean {
    return this.#since !== null && now - this.#since >= armMs;
  }

  /** remaining is how long until then; null while nothing is painted. */
  remaining(now: number): number | null {
    return this.#since === null ? null : Math.max(0, armMs - (now - this.#since));
  }

  /** mayRefuse is whether the press that is under way may refuse. */
  get mayRefuse(): boolean {
    return this.#gesture;
  }

  /** mayAllow is whether it may allow: the end must have been in view as well. */
  get mayAllow(): boolean {
    return this.#gesture && this.#seenEnd;
  }

  /** spent ends the press: one press gives at most one answer. */
  spent(): void {
    this.#gesture = false;
  }
}
