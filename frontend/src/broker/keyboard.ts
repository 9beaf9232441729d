// While a question is open, no frame may have the keyboard. A modal dialog and inert frames do not
// stop a frame from calling focus() again and again, so the shell watches, puts the focus back, and
// ends a frame that takes it a second time (reference window-sandbox, consent overlay).

import type { Focus } from "./focus";

/** KeyboardWatch is what the watch needs of its surroundings. */
export interface KeyboardWatch {
  readonly focus: Focus;
  readonly dialog: HTMLElement;
  /** refuse gets the focus back. */
  readonly refuse: HTMLElement;
  /** theft is told of each theft; the element is the iframe that did it, or null when the engine does not say. */
  theft(iframe: Element | null): void;
}

// The engines tell of focus that goes from frame to frame by no event at all.
const LOOK_MS = 30;
// WebKitGTK tells of a focus that came back up to 50 ms later. What was put back less long ago is not stolen again
// unless the keyboard left anew.
const RETURN_MS = 100;

/** watchKeyboard watches until the function that it returns is called. */
export function watchKeyboard(watch: KeyboardWatch): () => void {
  const { focus, dialog, refuse } = watch;
  let returnedAt = -Infinity;
  let due: ReturnType<typeof setTimeout> | undefined;
  const look = (): void => {
    due = undefined;
    // Another window of the desktop has the keyboard: that is the owner's doing.
    if (!document.hasFocus()) return;
    const away = focus.awaySince;
    if (away === null && dialog.contains(document.activeElement)) return;
    if (focus.unsure) return soon();
    const named = document.activeElement instanceof HTMLIFrameElement;
    if (!named && away !== null && away <= returnedAt && performance.now() - returnedAt < RETURN_MS) return;
    const owner = focus.owner();
    watch.theft(owner instanceof HTMLIFrameElement ? owner : null);
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    window.focus();
    refuse.focus();
    returnedAt = performance.now();
  };
  // Never inside the blur event: the engine completes the theft afterwards, and then activeElement
  // names the button while every key goes to the frame (seen in WebKitGTK 2.50 and Chromium 156).
  const soon = (): void => {
    due ??= setTimeout(look, 0);
  };
  window.addEventListener("blur", soon);
  document.addEventListener("focusin", soon);
  const timer = setInterval(soon, LOOK_MS);
  refuse.focus();
  return () => {
    clearTimeout(due);
    clearInterval(timer);
    window.removeEventListener("blur", soon);
    document.removeEventListener("focusin", soon);
  };
}
