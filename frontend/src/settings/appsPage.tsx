import { Copy, Package, Plus } from "lucide-react";
import { useState, type ReactNode } from "react";
import { AppIcon } from "../design/appIcon";
import { Button, IconButton } from "../design/button";
import { copyText } from "../design/copy";
import { SearchField } from "../design/field";
import { bytes, day, keyWords, shortHash } from "../design/format";
import { RiskRow } from "../design/riskRow";
import { Failed, Place, Skeleton } from "../design/states";
import { t } from "../design/strings";
import { Dot, Unverified, type Tone } from "../design/tag";
import { toast } from "../design/toast";
import { KernelError } from "../link/kernelError";
import type { Link } from "../link/signature";
import { FrameStatus, type App, type FrameState } from "../wire/neutron/link/v1/link_pb";
import { RemoveApp } from "./removeApp";
import { useRead } from "./useRead";

interface AppsPageProps {
  readonly link: Link;
  readonly apps: readonly App[];
  readonly chosen: string;
  /** stamp changes when the kernel's frames change, so that "running now" stays true. */
  readonly stamp: string;
  /** bundled are the apps that came with Neutron. */
  readonly bundled: readonly App[];
  readonly frames: readonly FrameState[];
  readonly onChoose: (appId: string) => void;
  readonly onInstall: () => void;
  readonly onOpen: (app: App) => void;
  readonly onRemoved: (app: App) => void;
}

/** AppsPage lists the installed apps and shows one of them. */
export function AppsPage(p: AppsPageProps): ReactNode {
  const [filter, setFilter] = useState("");
  const [removing, setRemoving] = useState<App | null>(null);
  const [busy, setBusy] = useState(false);
  const shown = p.apps.filter((a) => `${a.name} ${a.id}`.toLowerCase().includes(filter.trim().toLowerCase()));
  const app = p.apps.find((a) => a.id === p.chosen) ?? p.apps[0];
  if (p.apps.length === 0)
    return (
      <Place
        icon={Package}
        title={t.settings.noApps}
        text={t.settings.noAppsText}
        actions={
          <Button look="primary" onClick={p.onInstall}>
            {t.settings.install}
          </Button>
        }
      />
    );
  const remove = async (gone: App): Promise<void> => {
    setBusy(true);
    try {
      await p.link.request({ case: "removeApp", value: { appId: gone.id, uid: gone.uid } });
      p.onRemoved(gone);
      toast(t.settings.removed(gone.name));
    } catch (err) {
      toast(err instanceof Error ? err.message : String(err), err instanceof KernelError ? { code: err.code } : {});
    } finally {
      setBusy(false);
      setRemoving(null);
    }
  };
  return (
    <div className="two">
      <div className="lst">
        <div className="hd">
          <SearchField label={t.settings.filterApps} value={filter} onValue={setFilter} />
          <IconButton icon={Plus} label={t.settings.install} onClick={p.onInstall} />
        </div>
        <nav className="rows" aria-label={t.settings.installed}>
          {shown.map((a) => (
            <button key={a.id} type="button" className="ap" aria-current={a.id === app?.id ? "true" : undefined} onClick={() => p.onChoose(a.id)}>
              <AppIcon id={a.id} svg={a.iconSvg} size={24} />
              <span className="grow">
                <bdi className="med trunc block">{a.name}</bdi>
                <span className="xs mut num block">{a.version}</span>
              </span>
            </button>
          ))}
          {shown.length === 0 && <p className="sm mut p-5">{t.settings.noMatch}</p>}
        </nav>
        <p className="ft num">{t.settings.count(p.apps.length)}</p>
      </div>
      {app !== undefined && <AppView key={`${app.id}/${app.uid}`} link={p.link} app={app} bundled={p.bundled.some((b) => b.hash === app.hash)} stamp={p.stamp} onOpen={() => p.onOpen(app)} onRemove={() => setRemoving(app)} />}
      {removing !== null && (
        <RemoveApp app={removing} frames={p.frames} busy={busy} onAnswer={(yes) => (yes ? void remove(removing) : setRemoving(null))} />
      )}
    </div>
  );
}

interface AppViewProps {
  readonly link: Link;
  readonly app: App;
  /** bundled: these very bytes came with Neutron. */
  readonly bundled: boolean;
  readonly stamp: string;
  readonly onOpen: () => void;
  readonly onRemove: () => void;
}

const tones: Readonly<Record<number, Tone>> = {
  [FrameStatus.READY]: "success",
  [FrameStatus.BLOCKED]: "danger",
  [FrameStatus.QUARANTINED]: "danger",
  [FrameStatus.HELD]: "warning",
};

function signerWords(app: App, bundled: boolean): string {
  if (app.signer !== "") return t.settings.signedBy(keyWords(app.signer));
  return bundled ? t.settings.bundled : t.settings.notSigned;
}

function AppView({ link, app, bundled, stamp, onOpen, onRemove }: AppViewProps): ReactNode {
  const [read, again] = useRead(() => link.request({ case: "describeApp", value: { appId: app.id } }), `${app.id}/${app.generation}/${stamp}`);
  const pages = [app.tiles.length > 0 && t.settings.tiles(app.tiles.length), app.background && t.settings.background].filter(Boolean).join(", ");
  return (
    <section className="det" aria-label={app.name}>
      <div className="dh">
        <AppIcon id={app.id} svg={app.iconSvg} size={44} />
        <div className="grow">
          <h1 className="h-lg">
            <bdi>{app.name}</bdi> <span className="dim num font-normal">{app.version}</span>
          </h1>
          <p className="xs dim">
            {signerWords(app, bundled)} · {t.settings.since(day(app.installedAtMs))}
          </p>
        </div>
        {app.tiles.length > 0 && <Button onClick={onOpen}>{t.settings.open}</Button>}
        <Button look="danger" onClick={onRemove}>
          {t.settings.remove}
        </Button>
      </div>
      <div className="section">
        <header>
          <h2 className="h-sm">{t.settings.facts}</h2>
        </header>
        <dl className="kv panel px-3 py-2">
          <dt>{t.settings.version}</dt>
          <dd className="num">{app.version}</dd>
          <dt>{t.settings.id}</dt>
          <dd className="mono">{app.id}</dd>
          <dt>{t.settings.digest}</dt>
          <dd className="mono" title={app.hash}>
            sha256 {shortHash(app.hash, true)}
            <IconButton icon={Copy} small label={t.install.copyDigest} onClick={() => copyText(app.hash)} />
          </dd>
          <dt>{t.settings.signer}</dt>
          <dd className={app.signer === "" ? "" : "mono"}>
            {app.signer === "" ? signerWords(app, bundled) : keyWords(app.signer, true)}
            {app.signer !== "" && <IconButton icon={Copy} small label={t.install.copyKey} onClick={() => copyText(app.signer)} />}
          </dd>
          <dt>{t.settings.origins}</dt>
          <dd>{app.connect.length === 0 ? <span className="mut">{t.settings.noOrigins}</span> : app.connect.map((o) => <span key={o} className="mono">{o}</span>)}</dd>
          <dt>{t.settings.generation}</dt>
          <dd className="num">{String(app.generation)}</dd>
          <dt>{t.settings.pages}</dt>
          <dd>{pages}</dd>
          {read.is === "ready" && (
            <>
              <dt>{t.settings.size}</dt>
              <dd className="num">{bytes(read.value.sizeBytes)}</dd>
            </>
          )}
        </dl>
      </div>
      {read.is === "failed" && <Failed message={read.message} code={read.code} retry={again} />}
      {read.is === "loading" && <Skeleton word={t.states.loading} lines={6} />}
      {read.is === "ready" && (
        <>
          <div className="section">
            <header>
              <h2 className="h-sm">{t.settings.running}</h2>
            </header>
            <ul className="panel">
              {read.value.frames.map((f) => (
                <li key={f.endpointId + f.frameId} className="setting">
                  <Dot tone={tones[f.status] ?? "plain"} />
                  <span className="w-24">{t.settings.states[f.status] ?? ""}</span>
                  <span className="mono sm grow [overflow-wrap:anywhere]">{f.endpointId}</span>
                  {f.code !== "" && <span className="mono dim xs">{f.code}</span>}
                </li>
              ))}
              {read.value.frames.length === 0 && <li className="setting mut sm">{t.settings.notRunning}</li>}
            </ul>
          </div>
          <div className="section">
            <header>
              <h2 className="h-sm">{t.settings.may}</h2>
              <span className="xs dim">{t.install.computed}</span>
            </header>
            <ul className="panel">
              {[...read.value.risks]
                .sort((a, b) => b.level - a.level)
                .map((r) => (
                  <RiskRow key={r.title + r.fact} level={r.level} title={r.title} consequence={r.consequence} fact={r.fact} />
                ))}
              {read.value.risks.length === 0 && <RiskRow level={1} title={t.install.mayNothing} consequence="" fact="" />}
            </ul>
          </div>
        </>
      )}
      {app.description !== "" && <Unverified by={t.settings.says}>{app.description}</Unverified>}
    </section>
  );
}
