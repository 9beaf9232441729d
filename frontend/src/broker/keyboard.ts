// While a question is open, no frame may have the keyboard. A modal dialog and inert frames do not
// stop a frame from calling focus() again and again, so the shell watches, puts the focus back, and
// ends a frame that takes it a second time (reference window-sandbox, consent overlay).

/** KeyboardWatch is what the watch needs of its surroundings. */
export interface KeyboardWatch {
  readonly dialog: HTMLElement;
  /** refuse gets the focus back. */
  readonly refuse: HTMLElement;
  /** theft is told of each theft; the element is the iframe that did it, or null when the engine does not say. */
  theft(iframe: Element | null): void;
}

// The engines tell of focus that goes from frame to frame by no event at all.
const LOOK_MS = 30;

/** watchKeyboard watches until the function that it returns is called. */
export function watchKeyboard(watch: KeyboardWatch): () => void {
  const { dialog, refuse } = watch;
  let out = false;
  let due: ReturnType<typeof setTimeout> | undefined;
  const look = (): void => {
    due = undefined;
    // Another window of the desktop has the keyboard: that is the owner's doing.
    if (!document.hasFocus()) return;
    const active = document.activeElement;
    if (!out && dialog.contains(active)) return;
    watch.theft(active instanceof HTMLIFrameElement ? active : null);
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    window.focus();
    refuse.focus();
    if (document.activeElement === refuse) out = false;
  };
  // Never inside the blur event: the engine completes the theft afterwards, and then activeElement
  // names the button while every key goes to the frame (seen in WebKitGTK 2.50 and Chromium 156).
  const soon = (): void => {
    due ??= setTimeout(look, 0);
  };
  const left = (): void => {
    out = true;
    soon();
  };
  const back = (): void => {
    out = false;
  };
  window.addEventListener("blur", left);
  window.addEventListener("focus", back);
  document.addEventListener("focusin", soon);
  const timer = setInterval(soon, LOOK_MS);
  refuse.focus();
  return () => {
    clearTimeout(due);
    clearInterval(timer);
    window.removeEventListener("blur", left);
    window.removeEventListener("focus", back);
    document.removeEventListener("focusin", soon);
  };
}
