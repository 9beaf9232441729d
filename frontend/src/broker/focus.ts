// Which frame has the keyboard. Chromium answers with document.activeElement. WebKitGTK 2.50 does too,
// unless an element of the shell had the focus before: then a click in a frame, or a frame's own
// window.focus(), takes the keyboard away while activeElement goes on naming the shell's element. The
// window's blur event tells that it happened; taking the element out of the page and putting it back
// in its place makes the engine name the frame. Nothing else that was tried does so.

// Chromium names the frame a few milliseconds after the blur event.
const LAG_MS = 8;

/** Focus follows who has the keyboard. */
export class Focus {
  #blurredAt: number | null = null;
  readonly #dispose: () => void;

  constructor(changed: () => void) {
    const left = (): void => {
      this.#blurredAt = performance.now();
      changed();
    };
    const back = (): void => {
      this.#blurredAt = null;
      changed();
    };
    window.addEventListener("blur", left);
    window.addEventListener("focus", back);
    this.#dispose = () => {
      window.removeEventListener("blur", left);
      window.removeEventListener("focus", back);
    };
  }

  /** awaySince is when the keyboard left the window's own document, by performance.now(); null while it has it. */
  get awaySince(): number | null {
    return this.#blurredAt;
  }

  /** unsure says that the keyboard just left, and that the engine may not yet name its new owner. */
  get unsure(): boolean {
    return this.#blurredAt !== null && performance.now() - this.#blurredAt < LAG_MS && !(document.activeElement instanceof HTMLIFrameElement);
  }

  /** owner is the focused iframe, or the shell's focused element. */
  owner(): Element | null {
    const named = document.activeElement;
    if (this.#blurredAt === null || this.unsure || !document.hasFocus()) return named;
    if (named === null || named === document.body || named instanceof HTMLIFrameElement) return named;
    named.parentNode?.insertBefore(named, named.nextSibling);
    return document.activeElement;
  }

  dispose(): void {
    this.#dispose();
  }
}
