import { Command } from "cmdk";
import { CircleHelp, Download, FolderOpen, Link2, Lock, Monitor, Moon, Package, ScrollText, Search, ShieldAlert, Sun, SunMoon, Terminal, X, type LucideIcon } from "lucide-react";
import { useEffect, useId, useMemo, useRef, useState, type ReactNode } from "react";
import { AppIcon } from "../design/appIcon";
import { Kbd } from "../design/button";
import { TopDialog } from "../design/modal";
import { t } from "../design/strings";
import type { Typed } from "./launcherPlace";
import { search, type Entry, type Match } from "./entries";
import { sourceOf, type Source } from "./source";

const glyphs: Readonly<Record<string, LucideIcon>> = {
  question: CircleHelp,
  audit: ScrollText,
  apps: Package,
  grants: Link2,
  appearance: SunMoon,
  light: Sun,
  dark: Moon,
  system: Monitor,
  "close-all": X,
  lock: Lock,
  "install-file": Download,
  "install-url": Download,
  "install-folder": FolderOpen,
};

interface LauncherProps {
  readonly entries: readonly Entry[];
  /** install is the row for an address or a folder that was typed. */
  readonly install: (source: Exclude<Source, { is: "insecure" }>) => Entry;
  readonly icons: ReadonlyMap<string, Uint8Array>;
  readonly onClose: () => void;
  /** typed is what was typed before the launcher had come; Enter then runs what it finds. */
  readonly typed: Typed;
}

/** Launcher finds and does everything by keyboard. */
export function Launcher({ entries, install, icons, onClose, typed }: LauncherProps): ReactNode {
  const [text, setText] = useState(typed.text);
  const [chosen, choose] = useState("");
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const source = useMemo(() => sourceOf(text), [text]);
  const found = useMemo(() => {
    const rows = search(entries, text);
    return source === null || source.is === "insecure" ? rows : [{ entry: install(source), inLabel: -1, inSub: -1 }, ...rows];
  }, [entries, text, source, install]);
  const groups = useMemo(() => [...new Set(found.map((m) => m.entry.group))], [found]);
  const value = found.some((m) => m.entry.id === chosen) ? chosen : (found[0]?.entry.id ?? "");
  const first = useRef(typed.enter ? found[0]?.entry : undefined);
  useEffect(() => {
    const entry = first.current;
    first.current = undefined;
    if (entry === undefined) return;
    onClose();
    entry.run();
  }, [onClose]);
  return (
    <TopDialog className="pal" label={t.launcher.label} onClose={onClose} light>
      <Command label={t.launcher.label} shouldFilter={false} loop value={value} onValueChange={choose}>
        <div className="q">
          {source?.is === "address" ? <Link2 className="i" aria-hidden /> : <Search className="i" aria-hidden />}
          <Command.Input ref={input} value={text} onValueChange={setText} placeholder={t.launcher.placeholder} />
          <Kbd>Esc</Kbd>
        </div>
        {found.length === 0 && (
          <p className="none" role="status">
            {source?.is === "insecure" ? t.launcher.onlyHttps : t.launcher.nothing(text)}
          </p>
        )}
        <Command.List hidden={found.length === 0}>
          {groups.map((group) => (
            <Command.Group key={group} heading={group}>
              {found
                .filter((m) => m.entry.group === group)
                .map((m) => (
                  <Row
                    key={m.entry.id}
                    match={m}
                    length={text.trim().length}
                    on={m.entry.id === value}
                    icons={icons}
                    onRun={() => {
                      onClose();
                      m.entry.run();
                    }}
                  />
                ))}
            </Command.Group>
          ))}
        </Command.List>
        <div className="ft" aria-hidden>
          <span>
            <Kbd>↑</Kbd>
            <Kbd>↓</Kbd>
            {t.launcher.move}
          </span>
          <span>
            <Kbd>Enter</Kbd>
            {source !== null && value.startsWith("install-") ? t.launcher.review : t.launcher.open}
          </span>
          <span>
            <Kbd>Esc</Kbd>
            {t.launcher.close}
          </span>
          {value === "install-url" && (
            <span className="ms-auto">
              <ShieldAlert className="i i-12" aria-hidden />
              {t.launcher.unsigned}
            </span>
          )}
        </div>
      </Command>
    </TopDialog>
  );
}

interface RowProps {
  readonly match: Match;
  readonly length: number;
  readonly on: boolean;
  readonly icons: ReadonlyMap<string, Uint8Array>;
  readonly onRun: () => void;
}

function Row({ match: { entry, inLabel, inSub }, length, on, icons, onRun }: RowProps): ReactNode {
  const Glyph: LucideIcon = glyphs[entry.id] ?? Terminal;
  const noteId = useId();
  const item = (
    <Command.Item value={entry.id} onSelect={onRun} {...(entry.note === undefined ? {} : { "aria-describedby": noteId })}>
      {entry.app !== "" ? (
        <AppIcon id={entry.app} svg={icons.get(entry.app)} />
      ) : (
        <span className="gi">
          <Glyph className="i" aria-hidden />
        </span>
      )}
      <span className="grow trunc">
        <bdi className="med">
          <Marked text={entry.label} at={inLabel} length={length} />
        </bdi>
        {entry.sub !== "" && (
          <bdi className="sub">
            <Marked text={entry.sub} at={inLabel >= 0 ? -1 : inSub} length={length} />
          </bdi>
        )}
      </span>
      <span className="rt">
        {entry.right}
        {entry.keys !== undefined && <Kbd>{entry.keys}</Kbd>}
        {on && entry.keys === undefined && <Kbd>Enter</Kbd>}
      </span>
    </Command.Item>
  );
  if (entry.note === undefined) return item;
  return (
    <>
      {item}
      <p id={noteId} className="note" aria-hidden>
        {entry.note}
      </p>
    </>
  );
}

function Marked({ text, at, length }: { readonly text: string; readonly at: number; readonly length: number }): ReactNode {
  if (at < 0 || length === 0) return text;
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + length)}</mark>
      {text.slice(at + length)}
    </>
  );
}
