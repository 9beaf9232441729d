import { Link2 } from "lucide-react";
import { useState, type ReactNode } from "react";
import { AppIcon } from "../design/appIcon";
import { Button } from "../design/button";
import { stamp as timeOf } from "../design/format";
import { Failed, Place, Skeleton } from "../design/states";
import { t } from "../design/strings";
import { Tag } from "../design/tag";
import { toast } from "../design/toast";
import { KernelError } from "../link/kernelError";
import type { Link } from "../link/signature";
import type { Grant, Party } from "../wire/neutron/link/v1/link_pb";
import { useRead } from "./useRead";

interface GrantsPageProps {
  readonly link: Link;
  readonly icons: ReadonlyMap<string, Uint8Array>;
  /** stamp changes when grants may have changed: a question was answered, an app ended. */
  readonly stamp: string;
}

/** GrantsPage lists what the owner allowed beyond one call, and takes it back. */
export function GrantsPage({ link, icons, stamp }: GrantsPageProps): ReactNode {
  const [read, again] = useRead(() => link.request({ case: "listGrants", value: {} }), stamp);
  const [busy, setBusy] = useState("");
  const revoke = async (g: Grant): Promise<void> => {
    setBusy(g.id);
    try {
      await link.request({ case: "revokeGrant", value: { id: g.id } });
      toast(t.settings.revoked);
    } catch (err) {
      toast(err instanceof Error ? err.message : String(err), err instanceof KernelError ? { code: err.code } : {});
    } finally {
      setBusy("");
      again();
    }
  };
  return (
    <div className="page">
      <header>
        <h1 className="h-lg">{t.settings.grantsTitle}</h1>
        <span className="xs dim">{t.settings.grantsLead}</span>
      </header>
      {read.is === "loading" && <Skeleton word={t.states.loading} />}
      {read.is === "failed" && <Failed message={read.message} code={read.code} retry={again} />}
      {read.is === "ready" && read.value.grants.length === 0 && <Place icon={Link2} title={t.settings.noGrants} text={t.settings.noGrantsText} />}
      {read.is === "ready" && read.value.grants.length > 0 && (
        <div className="px-5 pb-6 overflow-auto" tabIndex={0} role="region" aria-label={t.settings.grantsTitle}>
          <div className="panel">
            <table className="ledger min-w-[640px]">
              <thead>
                <tr>
                  <th className="w-[20%]">{t.settings.caller}</th>
                  <th className="w-[20%]">{t.settings.target}</th>
                  <th className="w-[22%]">{t.settings.tool}</th>
                  <th>{t.settings.scope}</th>
                  <th className="w-[84px]">{t.settings.since_}</th>
                  <th className="w-[84px]">{t.settings.lastUsed}</th>
                  <th className="w-[88px]">
                    <span className="sr">{t.settings.revoke}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {read.value.grants.map((g) => (
                  <tr key={g.id}>
                    <td>
                      <Side party={g.caller} icons={icons} />
                    </td>
                    <td>
                      <Side party={g.target} icons={icons} />
                    </td>
                    <td>{g.tool === "" ? <span className="mut">{t.settings.allTools}</span> : <span className="mono">{g.tool}</span>}</td>
                    <td>
                      <Tag>{t.settings.scopes[g.scope] ?? ""}</Tag>
                    </td>
                    <td className="num mut">{timeOf(g.sinceMs)}</td>
                    <td className="num mut">{g.lastUsedMs === 0n ? t.settings.never : timeOf(g.lastUsedMs)}</td>
                    <td className="r">
                      <Button
                        size="sm"
                        look="ghost"
                        disabled={busy === g.id}
                        aria-label={t.settings.revokeOf(g.tool === "" ? t.settings.allTools : g.tool, g.caller?.name ?? "")}
                        onClick={() => void revoke(g)}
                      >
                        {t.settings.revoke}
                      </Button>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </div>
      )}
    </div>
  );
}

function Side({ party, icons }: { readonly party: Party | undefined; readonly icons: ReadonlyMap<string, Uint8Array> }): ReactNode {
  return (
    <span className="who" title={party?.endpointId}>
      <AppIcon id={party?.appId ?? ""} svg={icons.get(party?.appId ?? "")} size={16} />
      <bdi className="trunc">{party?.name || party?.appId || party?.endpointId}</bdi>
    </span>
  );
}
