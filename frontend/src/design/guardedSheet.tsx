import { ArrowDown } from "lucide-react";
import { useLayoutEffect, useRef, useState, type MouseEvent, type ReactNode } from "react";
import { Arming } from "./arming";
import { Kbd } from "./button";
import { cx } from "./classes";
import { OwnerMark } from "./mark";
import { sheetAct, type SheetKey } from "./sheetKeys";
import { t } from "./strings";

/** SheetGuard is what keeps frames out while a sheet is open. The shell makes it from the broker and the link. */
export interface SheetGuard {
  /** hold makes frames inert, watches the keyboard for thieves and hears the keys that the window held back. */
  hold(dialog: HTMLElement, refuse: HTMLElement, onTheft: (who: string | null) => void, onKey: (key: SheetKey) => void): () => void;
}

/** SheetMark is the owner's mark. */
export interface SheetMark {
  readonly words: string;
  readonly seed: Uint8Array;
}

/** SheetChoice is one button. Refusal comes first; the others are allowed by Alt 1, Alt 2 … in their order. */
export interface SheetChoice {
  readonly id: string;
  readonly label: string;
  readonly note: string;
}

/** Box is a rectangle of the page. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface GuardedSheetProps {
  readonly guard: SheetGuard;
  readonly mark: SheetMark;
  readonly labelId: string;
  readonly kind: string;
  readonly chrome?: ReactNode;
  readonly wide?: boolean;
  /** asker is the tile that asks; it is outlined above the scrim. */
  readonly asker?: Box | null;
  readonly refuse: SheetChoice;
  readonly allow: readonly SheetChoice[];
  /** late replaces the note of what allows, until the end has been in view. */
  readonly late: string;
  readonly busy?: boolean;
  /** onPainted runs once, when the sheet has really been painted. */
  readonly onPainted?: () => void;
  readonly onChoose: (id: string) => void;
  /** after is the line under the choices. `acts` makes a button there that refuses under the same guard. */
  readonly after?: (state: SheetState) => ReactNode;
  readonly children: ReactNode;
}

/** SheetState is what the line under the choices may show. */
export interface SheetState {
  readonly armed: boolean;
  readonly seenEnd: boolean;
  readonly theft: { readonly who: string | null } | null;
  /** press answers a click of a button in that line as a refusal under the guard. */
  readonly press: (id: string) => (e: MouseEvent) => void;
}

const focusable = "button:not([disabled]), [tabindex='0']";

/**
 * GuardedSheet is the frame of every question and review. It hangs from the window's top edge in the top
 * layer, starts on refusal, and acts only on presses a person made while it stood still (design/arming).
 */
export function GuardedSheet(p: GuardedSheetProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const refuse = useRef<HTMLButtonElement>(null);
  const [arming] = useState(() => new Arming());
  const [view, setView] = useState({ phase: "hidden" as "hidden" | "arming" | "armed", turn: 0, seenEnd: false, scrolls: false, theft: null as SheetState["theft"] });
  const latest = useRef(p);
  useLayoutEffect(() => {
    latest.current = p;
  });

  const choose = (id: string): void => {
    const { busy, onChoose, allow } = latest.current;
    const allows = allow.some((c) => c.id === id);
    if (busy === true || !(allows ? arming.mayAllow : arming.mayRefuse)) return;
    arming.spent();
    onChoose(id);
  };

  // A layout effect: its end runs while the dialog is still in the page, so that closing gives the focus back.
  useLayoutEffect(() => {
    const box = dialog.current;
    const no = refuse.current;
    const text = body.current;
    if (!box || !no || !text) return;
    // The end is the last line, not the empty space under it.
    const pad = Number.parseFloat(getComputedStyle(text).paddingBottom) || 2;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let frame = 0;
    let said = false;

    const restart = (theft?: SheetState["theft"]): void => {
      clearTimeout(timer);
      const left = arming.remaining(performance.now());
      setView((v) => ({ ...v, phase: left === null ? "hidden" : "arming", turn: v.turn + 1, theft: theft === undefined ? v.theft : theft }));
      if (left !== null) timer = setTimeout(() => setView((v) => ({ ...v, phase: "armed", theft: null })), left + 1);
    };
    const look = (): void => {
      const scrolls = text.scrollHeight > text.clientHeight + 1;
      if (arming.remaining(0) !== null && text.scrollTop + text.clientHeight >= text.scrollHeight - pad) arming.sawEnd();
      setView((v) => (v.seenEnd === arming.seenEnd && v.scrolls === scrolls ? v : { ...v, seenEnd: arming.seenEnd, scrolls }));
    };
    // Two frames: the first runs before the paint that shows the sheet, the second after it.
    const paint = (): void => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(() => {
          if (document.visibilityState !== "visible") return;
          arming.painted(performance.now());
          look();
          restart();
          if (!said) latest.current.onPainted?.();
          said = true;
        });
      });
    };
    const seen = (): void => {
      if (document.visibilityState === "visible") return paint();
      arming.concealed();
      restart();
    };
    const act = (k: SheetKey, native: boolean): boolean => {
      const what = sheetAct(k);
      if (what.act === "none") return false;
      const now = performance.now();
      if (k.repeat) arming.disturbed(now);
      else arming.pressed(now);
      restart(null);
      switch (what.act) {
        case "refuse":
          choose(latest.current.refuse.id);
          return true;
        case "allow": {
          const choice = latest.current.allow[what.n - 1];
          if (choice) choose(choice.id);
          return true;
        }
        case "move":
          // By hand in both cases: the browser's own order leaves the dialog for its address bar.
          moveFocus(box, what.back);
          return true;
        case "press":
          if (native) pressFocused(box, choose);
          return native;
        case "scroll":
          scroll(text, what.by, what.back);
          return true;
        default:
          return k.alt || k.ctrl || k.meta || k.repeat;
      }
    };
    const onKey = (e: KeyboardEvent): void => {
      // What a script made is no press of the owner. It ends here, before any button can hear it.
      if (!e.isTrusted) return kill(e);
      const taken = act({ key: e.key, alt: e.altKey, ctrl: e.ctrlKey, shift: e.shiftKey, meta: e.metaKey, repeat: e.repeat }, false);
      if (taken) kill(e);
    };
    const onDown = (e: PointerEvent): void => {
      if (!e.isTrusted) return kill(e);
      arming.pressed(performance.now());
      restart(null);
    };
    const onClick = (e: Event): void => {
      if (!e.isTrusted) kill(e);
    };
    const reopen = (): void => {
      if (box.isConnected && !box.open) box.showModal();
    };
    const stay = (e: Event): void => e.preventDefault();

    box.showModal();
    no.focus();
    const release = latest.current.guard.hold(
      box,
      no,
      (who) => {
        arming.disturbed(performance.now());
        restart({ who });
      },
      (k) => act(k, true),
    );
    addEventListener("keydown", onKey, true);
    addEventListener("pointerdown", onDown, true);
    box.addEventListener("click", onClick, true);
    box.addEventListener("cancel", stay);
    box.addEventListener("close", reopen);
    text.addEventListener("scroll", look, { passive: true });
    document.addEventListener("visibilitychange", seen);
    const size = new ResizeObserver(look);
    size.observe(text);
    for (const child of text.children) size.observe(child);
    paint();
    return () => {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
      size.disconnect();
      removeEventListener("keydown", onKey, true);
      removeEventListener("pointerdown", onDown, true);
      document.removeEventListener("visibilitychange", seen);
      box.removeEventListener("close", reopen);
      release();
      box.close();
    };
    // The sheet lives as long as one question: its caller gives it the question's id as key.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  const armed = view.phase === "armed" && p.busy !== true;
  const press = (id: string) => (e: MouseEvent) => {
    if (e.nativeEvent.isTrusted) choose(id);
  };
  const usable = (allows: boolean): boolean => armed && (!allows || view.seenEnd);
  return (
    <dialog ref={dialog} className="question" role="alertdialog" aria-labelledby={p.labelId} {...{ closedby: "none" }}>
      <div className="scrim" />
      {p.asker && <div className="asker" style={{ left: p.asker.x, top: p.asker.y, width: p.asker.width, height: p.asker.height }} />}
      <section className={cx("sheet", p.wide === true && "review")}>
        <header className="chrome">
          <span className="trust">
            <OwnerMark words={p.mark.words} seed={p.mark.seed} />
            {p.mark.words}
          </span>
          <span className="dim">{p.kind}</span>
          <span className="grow" />
          {p.chrome}
        </header>
        <div ref={body} className="body" tabIndex={view.scrolls ? 0 : -1} role="group" aria-labelledby={p.labelId}>
          {p.children}
        </div>
        <footer className="foot">
          {view.phase !== "armed" && <span key={view.turn} className={cx("arm", view.phase === "hidden" && "wait")} aria-hidden />}
          {view.scrolls && !view.seenEnd && (
            <span className="morebelow">
              <ArrowDown className="i i-12" aria-hidden />
              {t.question.more_below}
            </span>
          )}
          <div className="choices">
            <button ref={refuse} type="button" className="choice" data-choice={p.refuse.id} aria-disabled={!usable(false)} onClick={press(p.refuse.id)}>
              <b>
                <span>{p.refuse.label}</span>
                <Kbd>Esc</Kbd>
              </b>
              <small>{p.refuse.note}</small>
            </button>
            {p.allow.map((c, i) => (
              <button key={c.id} type="button" className="choice" data-choice={c.id} aria-disabled={!usable(true)} onClick={press(c.id)}>
                <b>
                  <span>{c.label}</span>
                  <Kbd>{`Alt ${i + 1}`}</Kbd>
                </b>
                <small>{view.scrolls && !view.seenEnd ? p.late : c.note}</small>
              </button>
            ))}
          </div>
          {p.after?.({ armed, seenEnd: view.seenEnd || !view.scrolls, theft: view.theft, press })}
        </footer>
      </section>
    </dialog>
  );
}

function kill(e: Event): void {
  e.preventDefault();
  e.stopImmediatePropagation();
}

function moveFocus(box: HTMLElement, back: boolean): void {
  const all = [...box.querySelectorAll<HTMLElement>(focusable)].filter((el) => el.offsetParent !== null && el.tabIndex >= 0);
  const at = all.indexOf(document.activeElement as HTMLElement);
  all[(at + (back ? -1 : 1) + all.length) % all.length]?.focus();
}

/** pressFocused acts for a key that the native window held: only the choices count as the owner's answer. */
function pressFocused(box: HTMLElement, choose: (id: string) => void): void {
  const el = document.activeElement;
  if (!(el instanceof HTMLElement) || !box.contains(el)) return;
  const id = el.dataset["choice"];
  if (id !== undefined) choose(id);
  else if (el.dataset["toggle"] !== undefined) el.dispatchEvent(new CustomEvent("sheet:toggle"));
}

function scroll(text: HTMLElement, by: "line" | "page" | "all", back: boolean): void {
  const size = by === "line" ? 40 : by === "page" ? text.clientHeight * 0.9 : text.scrollHeight;
  text.scrollBy({ top: back ? -size : size });
}
