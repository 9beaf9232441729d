import { ArrowRight, Ban, ChevronDown, Clock, Info } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { AppIcon } from "../design/appIcon";
import { Exact } from "../design/exact";
import { countdown, shortHash } from "../design/format";
import { GuardedSheet, type Box, type SheetGuard, type SheetMark, type SheetState } from "../design/guardedSheet";
import { t } from "../design/strings";
import { Unverified } from "../design/tag";
import type { Party, Question } from "../wire/neutron/link/v1/link_pb";
import { allowOf, answerOf, nameOf, sentenceOf, timeLeft, type Answer } from "./queue";

interface QuestionSheetProps {
  readonly question: Question;
  /** of is how many questions there are in all. */
  readonly of: number;
  readonly mark: SheetMark;
  readonly guard: SheetGuard;
  readonly icons: ReadonlyMap<string, Uint8Array>;
  readonly asker: Box | null;
  /** wholeMs is how long a question stands once it was shown. */
  readonly wholeMs: number;
  readonly onShown: (q: Question) => void;
  /** onAnswer resolves when the kernel took the answer, and rejects when it did not. */
  readonly onAnswer: (q: Question, answer: Answer) => Promise<void>;
  readonly nameOfFrame: (frameId: string) => string;
}

// The longest is the kernel's own limit, ten minutes.
const pauses = [
  { ms: 60_000, text: t.question.minutes(1) },
  { ms: 300_000, text: t.question.minutes(5) },
  { ms: 600_000, text: t.question.minutes(10) },
] as const;

/** QuestionSheet asks one question. Give it the question's id as key: another question is another sheet. */
export function QuestionSheet(p: QuestionSheetProps): ReactNode {
  const { question: q } = p;
  const [busy, setBusy] = useState(false);
  const caller = nameOf(q.caller);
  const labelId = `question-${q.id}`;
  const choose = (id: string): void => {
    setBusy(true);
    p.onAnswer(q, answerOf(id)).catch(() => setBusy(false));
  };
  return (
    <GuardedSheet
      guard={p.guard}
      mark={p.mark}
      labelId={labelId}
      kind={t.question.neutronAsks}
      asker={p.asker}
      busy={busy}
      refuse={{ id: "deny", label: t.question.deny, note: t.question.denyNote(caller) }}
      allow={allowOf(q)}
      late={t.question.late}
      onPainted={() => p.onShown(q)}
      onChoose={choose}
      chrome={<Chrome question={q} of={p.of} wholeMs={p.wholeMs} />}
      after={(state) => <After state={state} busy={busy} caller={caller} nameOfFrame={p.nameOfFrame} />}
    >
      <h2 id={labelId}>{sentenceOf(q)}</h2>
      <div className="route">
        <PartyCard party={q.caller} icons={p.icons} />
        <span className="arrow">
          <ArrowRight className="i" aria-hidden />
        </span>
        <PartyCard party={q.target} icons={p.icons} />
      </div>
      {q.arguments.length > 0 && <Exact title={t.question.sends(caller)} data={q.arguments} />}
      {(q.toolTitle !== "" || q.toolDescription !== "") && (
        <Unverified by={t.question.wrote(nameOf(q.target))}>
          {q.toolTitle !== "" && <b className="med">{q.toolTitle}. </b>}
          {q.toolDescription}
        </Unverified>
      )}
      <ul className="facts">
        {q.facts.map((fact) => (
          <li key={fact}>
            <Info className="i i-14" aria-hidden />
            <bdi>{fact}</bdi>
          </li>
        ))}
        {q.definitionHash !== "" && (
          <li>
            {t.question.definition} <span className="mono">{shortHash(q.definitionHash)}</span>
          </li>
        )}
      </ul>
    </GuardedSheet>
  );
}

function Chrome({ question: q, of, wholeMs }: { readonly question: Question; readonly of: number; readonly wholeMs: number }): ReactNode {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  const left = countdown(timeLeft(q, now, wholeMs));
  return (
    <>
      {of > 1 && (
        <span className="row dim num">
          <span className="qdots" aria-hidden>
            {Array.from({ length: Math.min(of, 8) }, (_, i) => (
              <i key={i} className={i === 0 ? "on" : undefined} />
            ))}
          </span>
          {t.question.place(1, of)}
        </span>
      )}
      <span className="row dim num ms-2" title={t.question.timeLeft(left)}>
        <Clock className="i i-14" aria-hidden />
        <span className="sr">{t.question.timeLeft("")}</span>
        <span className="inline-block min-w-7 text-end">{left}</span>
      </span>
    </>
  );
}

function PartyCard({ party, icons }: { readonly party: Party | undefined; readonly icons: ReadonlyMap<string, Uint8Array> }): ReactNode {
  if (party === undefined) return <div className="party" />;
  return (
    <div className="party">
      <AppIcon id={party.appId} svg={icons.get(party.appId)} size={28} />
      <div className="min-w-0">
        <p className="semi">
          <bdi>{nameOf(party)}</bdi> <span className="dim num font-normal">{party.version}</span>
        </p>
        <p className="sm mut">{party.place}</p>
        <p className="xs dim mono">
          {party.appId === "" ? party.endpointId : party.appId}
          {party.hash !== "" && ` · ${shortHash(party.hash)}`}
        </p>
      </div>
    </div>
  );
}

interface AfterProps {
  readonly state: SheetState;
  readonly busy: boolean;
  readonly caller: string;
  readonly nameOfFrame: (frameId: string) => string;
}

function After({ state, busy, caller, nameOfFrame }: AfterProps): ReactNode {
  const [open, setOpen] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The native window held the key: the sheet tells this button by an event of its own.
    const flip = (): void => setOpen((o) => !o);
    const button = toggle.current;
    button?.addEventListener("sheet:toggle", flip);
    return () => button?.removeEventListener("sheet:toggle", flip);
  }, []);
  const line = busy
    ? t.question.sending
    : state.theft !== null
      ? t.question.theft(state.theft.who === null ? t.question.aFrame : nameOfFrame(state.theft.who))
      : !state.armed
        ? t.question.arming
        : !state.seenEnd
          ? t.question.seeEnd
          : t.question.armed;
  return (
    <div className="after">
      <span role="status">{line}</span>
      <span className="grow" />
      <span className="relative -me-2">
        {open && (
          <span className="pop absolute end-0 bottom-full mb-1 flex flex-col whitespace-nowrap">
            {pauses.map((one) => (
              <button key={one.ms} type="button" className="it text-text-primary hover:bg-background-tertiary" data-choice={`pause:${one.ms}`} onClick={state.press(`pause:${one.ms}`)}>
                <Ban className="i i-14" aria-hidden />
                <bdi>{t.question.pauseFor(caller, one.text)}</bdi>
              </button>
            ))}
          </span>
        )}
        <button ref={toggle} type="button" className="btn sm ghost" aria-expanded={open} data-toggle="" onClick={() => setOpen(!open)}>
          <bdi>{t.question.pause(caller)}</bdi>
          <ChevronDown className="i i-14" aria-hidden />
        </button>
      </span>
    </div>
  );
}
