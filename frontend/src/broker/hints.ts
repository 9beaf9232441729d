// The shell's chords as a frame hands them on (port SPEC, rules K). An app can say them as often as it likes without any
// key: so each frame has few, and what passes is still only a hint.

import type { Chord } from "../port/chord";
import { isChord } from "../port/chord";
import { NeutronError } from "../port/fault";
import { closed, isRecord } from "../port/json";
import type { Incoming } from "../port/peer";
import { Bucket } from "./bucket";

const PER_SECOND = 0.5;
const BURST = 3;
// A frame that says more than a person presses is not listened to until it was quiet for this long.
const REST_MS = 30_000;
// A frame that takes the keyboard from a field of the shell must not have its hint taken for the owner's key.
const TYPING_MS = 1_000;

/** Hints is one frame's allowance. */
export class Hints {
  readonly #bucket: Bucket;
  #restUntil = -Infinity;

  constructor(now: number) {
    this.#bucket = new Bucket(PER_SECOND, BURST, now);
  }

  /** take says whether a hint may be heard now (rule K3). */
  take(now: number): boolean {
    if (now >= this.#restUntil && this.#bucket.take(1, now)) return true;
    this.#restUntil = now + REST_MS;
    return false;
  }
}

/** readHint answers a host.chord and gives its name; what it refuses it throws (rules K2, K3). */
export function readHint(incoming: Incoming, hints: Hints, now: number): Chord {
  const { payload } = incoming;
  const taken = hints.take(now);
  if (!isRecord(payload) || !closed(payload, ["chord"]) || !isChord(payload.chord)) {
    throw new NeutronError("INVALID_REQUEST", "a chord is one name of the list");
  }
  if (!taken) throw new NeutronError("LIMIT", "these are more chords than a person presses");
  incoming.respond({});
  return payload.chord;
}

/** Typing remembers when the owner last pressed a key in a field of the shell. */
export class Typing {
  #at = -Infinity;
  #field: Element | null = null;

  /** key notes a key event of the shell's own document. */
  key(event: KeyboardEvent, now: number): void {
    const { target } = event;
    if (!event.isTrusted || !(target instanceof HTMLElement)) return;
    if (!target.isContentEditable && !target.matches("input, textarea, select")) return;
    this.#at = now;
    this.#field = target;
  }

  /** recent says whether that was a moment ago, in a field that is still there: one that was closed is left for good. */
  recent(now: number): boolean {
    return now - this.#at < TYPING_MS && (this.#field?.isConnected ?? false);
  }
}
