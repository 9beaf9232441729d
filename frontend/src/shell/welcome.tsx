import { CircleAlert, CircleCheck, Download, WifiOff } from "lucide-react";
import type { ReactNode } from "react";
import { AppIcon } from "../design/appIcon";
import { Button, Kbd } from "../design/button";
import type { SheetMark } from "../design/guardedSheet";
import { OwnerMark } from "../design/mark";
import { t } from "../design/strings";
import { Spin } from "../design/tag";
import type { App, Apps, Health } from "../wire/neutron/link/v1/link_pb";

interface WelcomeProps {
  readonly apps: Apps;
  readonly mark: SheetMark;
  readonly health: Health | null;
  readonly onInstall: (app: App) => void;
  readonly onOpen: (app: App) => void;
  readonly onFile: () => void;
  readonly onDone: () => void;
}

/** Welcome is the first start: the apps that came along, the owner's mark, three things to try. */
export function Welcome({ apps, mark, health, onInstall, onOpen, onFile, onDone }: WelcomeProps): ReactNode {
  const installed = new Map(apps.installed.map((a) => [a.id, a]));
  const first = apps.bundled.find((a) => !installed.has(a.id));
  return (
    <main className="wel">
      <div>
        <div className="l">
          <h1 className="h-2xl">{t.welcome.title}</h1>
          <p className="lead">{t.welcome.lead(t.welcome.here(apps.bundled.length))}</p>
          <ul className="apps">
            {apps.bundled.map((app) => {
              const there = installed.get(app.id);
              return (
                <li key={app.id}>
                  <AppIcon id={app.id} svg={app.iconSvg} size={36} />
                  <div className="min-w-0">
                    <p className="semi">
                      <bdi>{app.name}</bdi>
                    </p>
                    <p className="sm mut">
                      <bdi>{app.description}</bdi>
                    </p>
                  </div>
                  <div className="row">
                    <span className="xs dim me-1.5">{app.background ? t.welcome.background : t.welcome.tileOnly}</span>
                    {there === undefined ? (
                      <Button size="sm" look={app === first ? "primary" : "plain"} aria-label={t.welcome.review(app.name)} onClick={() => onInstall(app)}>
                        {t.welcome.installNow}
                      </Button>
                    ) : (
                      <Button size="sm" aria-label={`${t.welcome.open} ${app.name}`} disabled={there.tiles.length === 0} onClick={() => onOpen(there)}>
                        {t.welcome.open}
                      </Button>
                    )}
                  </div>
                </li>
              );
            })}
            {apps.bundled.length === 0 && <li className="mut sm flex!">{t.welcome.none}</li>}
          </ul>
          <p className="xs dim row mt-4">
            <WifiOff className="i i-14" aria-hidden />
            {t.welcome.offline}
          </p>
          <div className="also">
            <Button look="ghost" icon={Download} onClick={onFile}>
              {t.welcome.installFile}
            </Button>
            <span className="grow" />
            <Button look="ghost" onClick={onDone}>
              {apps.installed.length === 0 ? t.welcome.skip : t.welcome.toWorkspace}
            </Button>
          </div>
        </div>
        <aside className="r" aria-label={t.welcome.yourMark}>
          <section>
            <h2 className="h-sm mb-3">{t.welcome.yourMark}</h2>
            <div className="tm">
              <OwnerMark words={mark.words} seed={mark.seed} size={56} />
              <div>
                <p className="h-md">{mark.words}</p>
                <p className="xs dim">{t.welcome.madeHere}</p>
              </div>
            </div>
            <p className="sm mut mt-3">{t.welcome.markText}</p>
          </section>
          <section>
            <h2 className="h-sm mb-1">{t.welcome.try}</h2>
            <ol className="try">
              <Step n={1} note={t.welcome.try1Note}>
                {t.welcome.try1[0]} <Kbd>Ctrl K</Kbd> {t.welcome.try1[1]}
              </Step>
              <Step n={2} note={t.welcome.try2Note}>
                {t.welcome.try2}
              </Step>
              <Step n={3} note={t.welcome.try3Note}>
                {t.welcome.try3}
              </Step>
            </ol>
          </section>
          <Seal health={health} />
        </aside>
      </div>
    </main>
  );
}

function Step({ n, note, children }: { readonly n: number; readonly note: string; readonly children: ReactNode }): ReactNode {
  return (
    <li>
      <span className="n num" aria-hidden>
        {n}
      </span>
      <span>
        {children}
        <br />
        <span className="xs dim">{note}</span>
      </span>
    </li>
  );
}

function Seal({ health }: { readonly health: Health | null }): ReactNode {
  const open = health?.gateOpen === true;
  const bad = health !== null && !open && health.gateReason !== "";
  return (
    <section className="sm mut row mt-auto" role="status">
      {open ? <CircleCheck className="i i-14 t-success" aria-hidden /> : bad ? <CircleAlert className="i i-14 t-danger" aria-hidden /> : <Spin />}
      <span>{open ? t.welcome.sealed : bad ? t.welcome.unsealed : t.welcome.sealing}</span>
    </section>
  );
}
