const TICK_MS = 1_000;
const PING_MS = 5_000;
const SILENT_MS = 10_000;
// A longer gap between two ticks means that the shell itself was stopped: then nobody is to blame.
const GAP_MS = 2_500;

/** Beating is one port to watch. */
export interface Beating {
  /** ping asks the port and resolves on its answer. It never rejects for lateness. */
  ping(): Promise<unknown>;
  /** silent is called once when no answer came while the shell ran. */
  silent(): void;
}

interface Beat {
  /** waited is how long a ping has been out, in time during which the shell ran; null while none is. */
  waited: number | null;
  rested: number;
}

/**
 * Heartbeat finds frames that hang while the shell runs, which is what happens in Chromium, where
 * frames have processes of their own (rule B3). Its clock is the shell's own running time, so a
 * suspended or throttled page accuses nobody.
 */
export class Heartbeat {
  readonly #beats = new Map<Beating, Beat>();
  readonly #timer: ReturnType<typeof setInterval>;
  #last = performance.now();

  constructor() {
    this.#timer = setInterval(() => {
      const now = performance.now();
      this.tick(now - this.#last);
      this.#last = now;
    }, TICK_MS);
  }

  watch(port: Beating): void {
    this.#beats.set(port, { waited: null, rested: 0 });
  }

  unwatch(port: Beating): void {
    this.#beats.delete(port);
  }

  /** tick lets time pass: gap milliseconds since the last one. */
  tick(gap: number): void {
    const stopped = gap > GAP_MS;
    for (const [port, beat] of [...this.#beats]) {
      if (beat.waited === null) {
        beat.rested += gap;
        if (beat.rested >= PING_MS) this.#ping(port, beat);
      } else {
        beat.waited = stopped ? 0 : beat.waited + gap;
        if (beat.waited >= SILENT_MS) {
          this.#beats.delete(port);
          port.silent();
        }
      }
    }
  }

  dispose(): void {
    clearInterval(this.#timer);
    this.#beats.clear();
  }

  #ping(port: Beating, beat: Beat): void {
    beat.waited = 0;
    const answered = (): void => {
      beat.waited = null;
      beat.rested = 0;
    };
    // An error is an answer too: the port spoke, or it was closed and is not watched any more.
    port.ping().then(answered, answered);
  }
}
