import { Switch } from "@base-ui/react/switch";
import { ChevronDown, ChevronRight, ScrollText } from "lucide-react";
import { Fragment, useEffect, useId, useState, type ReactNode } from "react";
import { AppIcon } from "../design/appIcon";
import { Button } from "../design/button";
import { ChoiceMenu } from "../design/choiceMenu";
import { cx } from "../design/classes";
import { bytes, clock, minute, took } from "../design/format";
import { useNarrow } from "../design/narrow";
import { Failed, Place, Skeleton } from "../design/states";
import { useStore } from "../design/store";
import { t } from "../design/strings";
import type { AuditEntry, Party } from "../wire/neutron/link/v1/link_pb";
import { AuditDetail } from "./auditDetail";
import type { AuditFeed } from "./auditFeed";

/** AuditApp is an app that the filter may name. */
export interface AuditApp {
  readonly id: string;
  readonly name: string;
  readonly icon: Uint8Array;
}

interface AuditScreenProps {
  readonly feed: AuditFeed;
  readonly apps: readonly AuditApp[];
  readonly online: boolean;
}

/** outcomes are the codes an owner looks for; the log knows more, and shows them all. */
const outcomes = ["DENIED", "REQUEST_EXPIRED", "APP_PAUSED", "ENDPOINT_GONE", "TIMEOUT", "INPUT_INVALID", "HANDLER_FAILED"];
const followMs = 2000;

/** AuditScreen shows every routed call, newest first; one of them opened. */
export function AuditScreen({ feed, apps, online }: AuditScreenProps): ReactNode {
  const state = useStore(feed.store);
  const [follow, setFollow] = useState(true);
  const [open, setOpen] = useState<bigint | null>(null);
  const followId = useId();
  useEffect(() => {
    void feed.refresh();
    if (!follow || !online) return;
    const timer = setInterval(() => void feed.refresh(), followMs);
    return () => clearInterval(timer);
  }, [feed, follow, online]);
  const icons = new Map(apps.map((a) => [a.id, a.icon]));
  const filtered = state.filter.app !== "" || state.filter.status !== "";
  const clear = (): void => void feed.filter({ app: "", status: "" });
  return (
    <div className="page aud">
      <header>
        <h1 className="h-lg me-1.5">{t.audit.title}</h1>
        <span className="grow" />
        <Switch.Root className="switch" checked={follow} onCheckedChange={setFollow} aria-labelledby={followId} />
        <span id={followId} className="sm mut">
          {t.audit.follow}
        </span>
      </header>
      <div className="fl">
        <ChoiceMenu
          label={t.audit.app}
          value={state.filter.app}
          options={[{ value: "", label: t.audit.anyApp }, ...apps.map((a) => ({ value: a.id, label: a.name }))]}
          onValue={(app) => void feed.filter({ ...state.filter, app })}
        />
        <ChoiceMenu
          label={t.audit.outcome}
          value={state.filter.status}
          options={[{ value: "", label: t.audit.anyOutcome }, { value: "ok", label: "ok" }, { value: "!ok", label: t.audit.failed }, ...outcomes.map((c) => ({ value: c, label: c }))]}
          onValue={(status) => void feed.filter({ ...state.filter, status })}
        />
        {filtered && (
          <Button look="ghost" onClick={clear}>
            {t.audit.clear}
          </Button>
        )}
      </div>
      {state.is === "failed" && state.error !== null ? (
        <Failed message={state.error.message} code={state.error.code} retry={() => void feed.refresh()} />
      ) : state.is === "loading" ? (
        <Skeleton word={t.states.loading} lines={16} />
      ) : state.entries.length === 0 ? (
        <Place
          icon={ScrollText}
          title={filtered ? t.audit.noneFilter : t.audit.none}
          text={filtered ? "" : t.audit.noneText}
          actions={filtered ? <Button onClick={clear}>{t.audit.clear}</Button> : undefined}
        />
      ) : (
        <div className="tw" tabIndex={0} role="region" aria-label={t.audit.title}>
          <Table entries={state.entries} icons={icons} open={open} onOpen={setOpen} />
          {state.more && (
            <p className="p-3">
              <Button size="sm" onClick={() => void feed.older()}>
                {t.audit.older}
              </Button>
            </p>
          )}
        </div>
      )}
      <footer className="ft">
        <span>{online || state.readAt === 0 ? t.audit.durable : t.audit.offline(minute(state.readAt))}</span>
        <span className="grow" />
        <span className="num">{t.audit.shown(state.entries.length, state.more)}</span>
      </footer>
    </div>
  );
}

interface TableProps {
  readonly entries: readonly AuditEntry[];
  readonly icons: ReadonlyMap<string, Uint8Array>;
  readonly open: bigint | null;
  readonly onOpen: (seq: bigint | null) => void;
}

function Table({ entries, icons, open, onOpen }: TableProps): ReactNode {
  const narrow = useNarrow();
  return (
    <table className="ledger min-w-[660px]">
      <thead>
        <tr>
          <th className="w-[112px] ps-10!">{t.audit.time}</th>
          <th className="w-[14%]">{t.audit.caller}</th>
          <th className="w-[13%]">{t.audit.target}</th>
          <th className="w-[16%]">{t.audit.tool}</th>
          <th>{t.audit.decision}</th>
          <th className="w-[15%]">{t.audit.outcome}</th>
          {!narrow && <th className="r w-[72px]">{t.audit.took}</th>}
          {!narrow && <th className="r w-[84px] pe-5!">{t.audit.sent}</th>}
        </tr>
      </thead>
      <tbody>
        {entries.map((e) => {
          const on = open === e.seq;
          const Arrow = on ? ChevronDown : ChevronRight;
          return (
            <Fragment key={String(e.seq)}>
              <tr className={cx(on && "on")}>
                <td className="num">
                  <button type="button" className="tgl" aria-expanded={on} aria-label={`${t.audit.details(e.tool || t.audit.listing)}, ${clock(e.atMs)}`} onClick={() => onOpen(on ? null : e.seq)}>
                    <Arrow className="i i-14 dim rtl:-scale-x-100" aria-hidden />
                    {clock(e.atMs)}
                  </button>
                </td>
                <td>
                  <Who party={e.caller} icons={icons} />
                </td>
                <td>
                  <Who party={e.target} icons={icons} />
                </td>
                <td className={cx(e.tool !== "" && "mono")}>{e.tool === "" ? <span className="mut">{t.audit.listing}</span> : e.tool}</td>
                <td className={cx(e.decision === "denied" ? "t-danger" : e.decision !== "once" && "mut")}>{decisionOf(e)}</td>
                <td className={cx(e.status !== "ok" && "mono t-danger")} title={e.status}>
                  {e.status}
                </td>
                {!narrow && <td className="r num mut">{took(e.durationUs)}</td>}
                {!narrow && <td className="r num mut pe-5!">{bytes(e.argumentBytes)}</td>}
              </tr>
              {on && (
                <tr className="exp">
                  <td colSpan={narrow ? 6 : 8}>
                    <AuditDetail entry={e} icons={icons} />
                  </td>
                </tr>
              )}
            </Fragment>
          );
        })}
      </tbody>
    </table>
  );
}

/** decisionOf says why a call was let through or not; an unknown word of a newer kernel is shown as it is. */
export function decisionOf(e: Pick<AuditEntry, "decision">): string {
  return t.audit.decisions[e.decision] ?? e.decision;
}

/** Who is one side of a call. */
export function Who({ party, icons }: { readonly party: Party | undefined; readonly icons: ReadonlyMap<string, Uint8Array> }): ReactNode {
  const id = party?.appId ?? "";
  const name = party === undefined ? "" : party.name !== "" ? party.name : id !== "" ? id : party.endpointId;
  return (
    <span className="who" title={party?.endpointId}>
      <AppIcon id={id} svg={icons.get(id)} size={16} />
      <bdi className="trunc">{name}</bdi>
    </span>
  );
}
