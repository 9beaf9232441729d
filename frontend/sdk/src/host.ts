import { chordOf, type Chord } from "../../src/port/chord";
import type { HostContext } from "../../src/port/context";
import { complain } from "../../src/port/primitives";

/** Root is the part of the document element that the theme is written on. */
export interface Root {
  readonly style: { colorScheme: string };
  setAttribute(name: string, value: string): void;
}

/** Host is what a page knows of its surroundings, and who wants to hear of a change. */
export class Host {
  readonly #root: Root | undefined;
  readonly #listeners = new Set<(context: HostContext) => void>();
  #context: HostContext | null = null;

  constructor(root: Root | undefined) {
    this.#root = root;
  }

  /** context is the newest one, or null before the first. */
  get context(): HostContext | null {
    return this.#context;
  }

  /** take writes the theme on the page, then tells the listeners if it is another one. */
  take(context: HostContext): void {
    const same = this.#context?.theme === context.theme;
    this.#context = Object.freeze(context);
    if (same) return;
    if (this.#root !== undefined) {
      this.#root.style.colorScheme = context.theme;
      this.#root.setAttribute("data-theme", context.theme);
    }
    for (const fn of [...this.#listeners]) this.#tell(fn);
  }

  /** listen calls fn with the context that is known, and with each later one. It returns what stops it. */
  listen(fn: (context: HostContext) => void): () => void {
    const own = (context: HostContext): void => fn(context);
    this.#listeners.add(own);
    if (this.#context !== null) this.#tell(own);
    return () => void this.#listeners.delete(own);
  }

  #tell(fn: (context: HostContext) => void): void {
    try {
      if (this.#context !== null) fn(this.#context);
    } catch (error) {
      complain(error);
    }
  }
}

/**
 * watchChords hands on the shell's chords, which a page with the keyboard would swallow. It looks at nothing else, and
 * at what a person pressed only: send says whether there is a shell to take it, and then the page does not see the key.
 */
export function watchChords(target: Pick<EventTarget, "addEventListener">, send: (chord: Chord) => boolean): void {
  target.addEventListener(
    "keydown",
    (event) => {
      const key = event as KeyboardEvent;
      if (!key.isTrusted) return;
      const chord = chordOf(key);
      // A key that is held down is swallowed like the window swallows it, and said once.
      if (chord === null || !(key.repeat || send(chord))) return;
      key.preventDefault();
      key.stopImmediatePropagation();
    },
    true,
  );
}
