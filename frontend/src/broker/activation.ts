// Who really used the page last. `userActivation` and `activeElement` describe the whole page, and a
// frame can make both true for itself after a click elsewhere. So the shell keeps evidence of its own
// (the rule and its measurements: reference window-sandbox, user activation):
//   - in the window, GTK's own events, which no frame can forge;
//   - in a browser, that the pointer was over the frame before the focus came to it.

import { GestureKind } from "../wire/neutron/link/v1/link_pb";
import type { Gesture } from "../wire/neutron/link/v1/link_pb";
import type { Focus } from "./focus";
import type { Frame } from "./frame";

/** Stamp is the shell's judgement about one exec. */
export interface Stamp {
  readonly focused: boolean;
  readonly activated: boolean;
  readonly gesture: GestureKind;
}

/** Page is what the judgement needs of the document; a test brings its own. */
export interface Page {
  hasFocus(): boolean;
  /** active is the focused element; for a focused frame, its iframe. */
  active(): Element | null;
  /** userActive is navigator.userActivation.isActive. */
  userActive(): boolean;
  /** hovered is the iframe under the pointer, as the engine sees it. */
  hovered(): Element | null;
  at(x: number, y: number): Element | null;
  now(): number;
}

/** realPage reads the document. */
export function realPage(layer: Element, focus: Focus): Page {
  return {
    hasFocus: () => document.hasFocus(),
    active: () => focus.owner(),
    userActive: () => navigator.userActivation?.isActive ?? false,
    hovered: () => layer.querySelector("iframe:hover"),
    at: (x, y) => document.elementFromPoint(x, y),
    now: () => performance.now(),
  };
}

// The engines' lag between a message and what the page knows about its gesture.
const LAG_MS = 150;
const STEP_MS = 10;
// GTK evidence older than this proves nothing about now.
const GESTURE_MS = 1_000;
// A Tab that the shell saw lets focus move into a frame within this time.
const TAB_MS = 150;
// After a fruitless wait the next one comes later, so that a page without gestures is not slowed.
const REST_MS = 250;
const REST_MAX_MS = 4_000;

const ENTER = [0xff0d, 0xff8d, 0x20];
const none: Pick<Stamp, "activated" | "gesture"> = { activated: false, gesture: GestureKind.UNSPECIFIED };

/** Activation keeps the evidence and stamps execs. */
export class Activation {
  readonly #page: Page;
  readonly #native: () => boolean;
  /** The focused element at the last look, and whether it came to focus by the person's or the shell's act. */
  #focus: { element: Element | null; fair: boolean } = { element: null, fair: false };
  #hover: Element | null = null;
  #user = false;
  #tabAt = -Infinity;
  /** The last native gesture: which iframe it was for, what it was, when. */
  #last: { element: Element | null; gesture: GestureKind; at: number } = { element: null, gesture: GestureKind.UNSPECIFIED, at: -Infinity };
  readonly #rests = new WeakMap<Frame, { until: number; length: number }>();

  /** native says whether this page is in the window, where gestures come from GTK. */
  constructor(page: Page, native: () => boolean) {
    this.#page = page;
    this.#native = native;
  }

  /** look samples focus and pointer; call it every 50 ms and at every focus event. */
  look(): void {
    const active = this.#page.active();
    const hovered = this.#page.hovered();
    const user = this.#page.userActive();
    if (active !== this.#focus.element) {
      const byPointer = !this.#native() && active !== null && active === hovered && active === this.#hover;
      const byButton = this.#native() && this.#last.gesture === GestureKind.POINTER && this.#last.element === active && this.#fresh();
      const byTab = this.#page.now() - this.#tabAt <= TAB_MS;
      this.#focus = { element: active, fair: byPointer || byButton || byTab };
    }
    // A gesture that came while a frame had both pointer and keyboard was that frame's, however it got the keyboard.
    if (!this.#native() && user && !this.#user && active !== null && active === hovered && active === this.#hover) this.#focus.fair = true;
    this.#hover = hovered;
    this.#user = user;
  }

  /** over notes that the pointer came over an element: a click may follow before the next look. */
  over(element: Element): void {
    this.look();
    this.#hover = element;
  }

  /** given notes that the shell itself gave a frame the focus. */
  given(iframe: Element): void {
    this.#hover = this.#page.hovered();
    this.#focus = { element: iframe, fair: true };
  }

  /** tab notes a Tab key that the shell itself saw. */
  tab(): void {
    this.#tabAt = this.#page.now();
  }

  /** gesture takes what GTK saw. A button is for the frame under it; a key for the frame that holds the focus fairly. */
  gesture(seen: Gesture): void {
    const at = this.#page.now() - Number(seen.ageMs);
    if (!seen.key) {
      const element = this.#page.at(seen.x, seen.y);
      this.#last = { element, gesture: GestureKind.POINTER, at };
      // The focus follows the press. It may be there already, even by a theft: now it is earned.
      if (this.#page.active() === element) this.#focus = { element, fair: true };
      return;
    }
    this.look();
    const { element, fair } = this.#focus;
    this.#last = {
      element: fair && this.#page.active() === element ? element : null,
      gesture: ENTER.includes(seen.keyval) ? GestureKind.CONFIRM_KEY : GestureKind.TYPING,
      at,
    };
  }

  /** without is the stamp of an exec that nobody caused. */
  without(frame: Frame): Stamp {
    return { focused: this.#focused(frame), ...none };
  }

  /** now stamps an exec that needs no question, by what is known already. */
  now(frame: Frame): Stamp {
    return this.#stamp(frame);
  }

  /**
   * judge stamps one exec, at once where it can. It waits for the engines' lag, at most 150 ms, only
   * where a stamp may matter and the frame may have earned one.
   */
  judge(frame: Frame, action: string, payload: unknown, done: (stamp: Stamp) => void): void {
    const first = this.#stamp(frame);
    const rest = this.#rests.get(frame);
    const now = this.#page.now();
    if (first.activated) this.#rests.delete(frame);
    if (first.activated || !matters(frame, action, payload) || !this.#plausible(frame) || (rest !== undefined && now < rest.until)) {
      return done(first);
    }
    const end = now + LAG_MS;
    const again = (): void => {
      const stamp = this.#stamp(frame);
      if (stamp.activated) {
        this.#rests.delete(frame);
        return done(stamp);
      }
      const time = this.#page.now();
      if (time >= end || frame.over) {
        const length = Math.min(REST_MAX_MS, (rest?.length ?? REST_MS / 2) * 2);
        this.#rests.set(frame, { until: time + length, length });
        return done(stamp);
      }
      setTimeout(again, STEP_MS);
    };
    setTimeout(again, STEP_MS);
  }

  #fresh(): boolean {
    return this.#page.now() - this.#last.at <= GESTURE_MS;
  }

  #focused(frame: Frame): boolean {
    return this.#page.hasFocus() && this.#page.active() === frame.iframe;
  }

  #plausible(frame: Frame): boolean {
    return this.#page.hasFocus() && (this.#page.active() === frame.iframe || this.#page.hovered() === frame.iframe);
  }

  #stamp(frame: Frame): Stamp {
    this.look();
    if (!this.#focused(frame)) return { focused: false, ...none };
    if (!this.#page.userActive()) return { focused: true, ...none };
    if (this.#native()) {
      const { element, gesture } = this.#last;
      if (element !== frame.iframe || !this.#fresh()) return { focused: true, ...none };
      return { focused: true, activated: true, gesture };
    }
    const fair = this.#focus.element === frame.iframe && this.#focus.fair && this.#page.hovered() === frame.iframe;
    return fair ? { focused: true, activated: true, gesture: GestureKind.POINTER } : { focused: true, ...none };
  }
}

/** matters says whether an exec may end in a question to the owner: then it counts who caused it. */
function matters(frame: Frame, action: string, payload: unknown): boolean {
  if (action !== "tools.call" && action !== "tools.list") return false;
  const { target, name } = payload as { target?: unknown; name?: unknown };
  if (target === "kernel") return name === "permissions.request";
  return typeof target === "string" && !target.startsWith(`app:${frame.row.appId}:`);
}
