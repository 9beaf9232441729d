import { Copy, User } from "lucide-react";
import type { ReactNode } from "react";
import { AppIcon } from "../design/appIcon";
import { Button } from "../design/button";
import { copyText } from "../design/copy";
import { ExactText } from "../design/exact";
import { bytes, clock, shortHash, took } from "../design/format";
import { t } from "../design/strings";
import type { AuditEntry, Party } from "../wire/neutron/link/v1/link_pb";
import { decisionOf } from "./auditScreen";

interface AuditDetailProps {
  readonly entry: AuditEntry;
  readonly icons: ReadonlyMap<string, Uint8Array>;
}

const maxDepth = 4;

/** AuditDetail is one call opened: who caused it down to the call, and the record's own facts. */
export function AuditDetail({ entry: e, icons }: AuditDetailProps): ReactNode {
  const causes = e.chain.filter((p) => p.endpointId !== "owner");
  const callerDepth = Math.min(causes.length + 1, maxDepth);
  return (
    <div className="ex">
      <div className="tre">
        <div role="list" aria-label={t.audit.chain}>
          <div role="listitem" className="nd d0">
            <span className="you" aria-hidden>
              <User className="i i-12" />
            </span>
            <b className="med">{t.audit.you}</b>
          </div>
          {causes.map((p, i) => (
            <div key={`${p.endpointId}-${i}`} role="listitem" className={`nd d${Math.min(i + 1, maxDepth)}`}>
              <Hop party={p} icons={icons} />
            </div>
          ))}
          <div role="listitem" className={`nd d${callerDepth}`}>
            <Hop party={e.caller} icons={icons} />
            <span className="dim xs">{e.caller?.place}</span>
          </div>
          <div role="listitem" className={`nd sel d${Math.min(callerDepth + 1, maxDepth)}`}>
            <Hop party={e.target} icons={icons} />
            <span className="mono mut">{e.tool === "" ? t.audit.listing : e.tool}</span>
            <span className="dim xs trunc">{decisionOf(e)}</span>
            <span className="num dim ms-auto">{clock(e.atMs)}</span>
            <span className="num dim w-14 text-end">{took(e.durationUs)}</span>
          </div>
        </div>
        <Data title={t.audit.args} text={e.arguments} size={e.argumentBytes} />
        <Data title={t.audit.result} text={e.result} size={e.resultBytes} />
      </div>
      <div className="fx">
        <dl>
          <dt>{t.audit.caller}</dt>
          <dd>{partyLine(e.caller)}</dd>
          <dt>{t.audit.target}</dt>
          <dd>{partyLine(e.target)}</dd>
          <dt>{t.audit.why}</dt>
          <dd>{decisionOf(e)}</dd>
          <dt>{t.audit.outcome}</dt>
          <dd className={e.status === "ok" ? undefined : "mono t-danger"}>{e.status}</dd>
          <dt>{t.audit.bytes}</dt>
          <dd className="num">
            {bytes(e.argumentBytes)} → {bytes(e.resultBytes)}
          </dd>
          <dt>{t.audit.number}</dt>
          <dd className="num">{String(e.seq)}</dd>
        </dl>
        <p className="mt-3">
          <Button size="sm" look="ghost" icon={Copy} className="-ms-2" onClick={() => copyText(record(e), t.audit.copied)}>
            {t.audit.copy}
          </Button>
        </p>
      </div>
    </div>
  );
}

function Hop({ party, icons }: { readonly party: Party | undefined; readonly icons: ReadonlyMap<string, Uint8Array> }): ReactNode {
  if (party === undefined) return null;
  return (
    <>
      <AppIcon id={party.appId} svg={icons.get(party.appId)} size={16} />
      <b className="med trunc">
        <bdi>{party.name || party.appId || party.endpointId}</bdi>
      </b>
    </>
  );
}

function Data({ title, text, size }: { readonly title: string; readonly text: string; readonly size: bigint }): ReactNode {
  if (text === "") return null;
  return (
    <div className="exact">
      <header>
        <span>{title}</span>
        <span className="dim num">{bytes(size)}</span>
      </header>
      <div className="max-h-56 overflow-y-auto" tabIndex={0} role="region" aria-label={title}>
        <ExactText json={text} />
      </div>
    </div>
  );
}

function partyLine(p: Party | undefined): ReactNode {
  if (p === undefined) return null;
  return (
    <>
      <bdi>{p.name || p.appId || p.endpointId}</bdi> {p.version}
      <br />
      <span className="mono dim">
        {p.endpointId}
        {p.hash !== "" && ` · ${shortHash(p.hash)}`}
      </span>
    </>
  );
}

/** record is the entry as JSON, for a note or a bug report. */
export function record(e: AuditEntry): string {
  return JSON.stringify(e, (key, value: unknown) => (key === "$typeName" ? undefined : typeof value === "bigint" ? Number(value) : value), 2);
}
