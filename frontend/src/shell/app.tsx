import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore, type ReactNode } from "react";
import { CSPProvider } from "@base-ui/react/csp-provider";
import { openOf, waitingOf } from "../consent/queue";
import { QuestionSheet } from "../consent/questionSheet";
import type { Box } from "../design/guardedSheet";
import { useStore } from "../design/store";
import { t } from "../design/strings";
import { toast, Toasts } from "../design/toast";
import { DropTarget, pickFile } from "../install/dropTarget";
import { InstallLayer } from "../install/installLayer";
import { KernelError } from "../link/kernelError";
import { LauncherPlace, type Typed } from "../launcher/launcherPlace";
import { RemoveApp } from "../settings/removeApp";
import { SettingsFrame } from "../settings/settingsFrame";
import type { App as InstalledApp } from "../wire/neutron/link/v1/link_pb";
import { Banners } from "./banners";
import { Bar } from "./bar";
import { commandsOf, installEntry } from "./commands";
import { Connecting, Locked, Mismatch, Refused } from "./gone";
import type { Model } from "./model";
import { go, nav } from "./nav";
import * as parts from "./parts";
import { nextRegion, shortcutOf, takeHint } from "./shortcuts";
import type { TileLife } from "./tiles";
import { Welcome } from "./welcome";
import { Workspace } from "./workspace";

/** App is the whole shell over one model. */
export function App({ model }: { readonly model: Model }): ReactNode {
  return (
    <CSPProvider disableStyleElements>
      <Shell model={model} />
      <Toasts />
    </CSPProvider>
  );
}

const nothingTyped: Typed = { text: "", enter: false };

function Shell({ model }: { readonly model: Model }): ReactNode {
  const status = useSyncExternalStore(model.link.subscribe, model.link.status);
  const kernel = useStore(model.kernel);
  const at = useStore(nav);
  const theme = useStore(model.theme);
  const notices = useStore(model.notices);
  const { layout, lives } = useStore(model.tiles.store);
  const [typed, setTyped] = useState(nothingTyped);
  const [removing, setRemoving] = useState<InstalledApp | null>(null);

  const installed = useMemo(() => kernel.apps?.installed ?? [], [kernel.apps]);
  const icons = useMemo(() => new Map([...(kernel.apps?.bundled ?? []), ...installed].map((a) => [a.id, a.iconSvg])), [kernel.apps, installed]);
  const queue = kernel.questions?.questions ?? [];
  const question = status.phase === "open" ? openOf(queue) : null;
  const waiting = status.phase === "open" ? waitingOf(queue) : [];
  const firstWaiting = waiting[0]?.id;

  const openLauncher = useCallback(() => nav.set((n) => ({ ...n, launcher: true })), []);
  const closeLauncher = useCallback(() => nav.set((n) => ({ ...n, launcher: false })), []);
  const install = useCallback((file: File) => void model.install.fromFile(file), [model]);
  const chooseFile = useCallback(() => pickFile(install), [install]);
  const installTyped = useCallback(
    (source: Parameters<typeof installEntry>[0]) =>
      installEntry(source, model.link.limit("remoteBytes", 32 << 20), {
        address: (url) => void model.install.fromAddress(url),
        folder: (path) => void model.install.fromFolder(path),
      }),
    [model],
  );
  const asked = question !== null;
  const asker = useAsker(model, question?.callerFrameId ?? "", lives);

  useEffect(() => {
    const run = (chord: Parameters<typeof shortcutOf>[0]): boolean => {
      // A sheet hears its keys itself; nothing else may act under it.
      if (asked || document.querySelector("dialog.question") !== null) return false;
      switch (shortcutOf(chord)) {
        case "launcher":
          nav.set((n) => ({ ...n, launcher: !n.launcher }));
          return true;
        case "question":
          if (firstWaiting !== undefined) model.openQuestion(firstWaiting);
          return true;
        case "region":
        case "region-back":
          nextRegion(chord.shift);
          return true;
        default:
          if (chord.key !== "Escape" || document.querySelector("dialog[open], [role='menu']") !== null || nav.get().page === "workspace") return false;
          go("workspace");
          return true;
      }
    };
    const onKey = (e: KeyboardEvent): void => {
      if (run({ key: e.key, ctrl: e.ctrlKey, meta: e.metaKey, alt: e.altKey, shift: e.shiftKey })) e.preventDefault();
    };
    addEventListener("keydown", onKey);
    const unhear = model.link.on("nativeKey", (k) => {
      if (k.shortcut) run({ key: k.key, ctrl: k.ctrl, meta: k.meta, alt: k.alt, shift: k.shift });
    });
    const unhint = model.broker.onChord((chord) => {
      if (!asked) takeHint(chord, openLauncher);
    });
    return () => {
      unhint();
      removeEventListener("keydown", onKey);
      unhear();
    };
  }, [model, firstWaiting, asked, openLauncher]);

  useEffect(parts.fetchIdle, []);

  // What was typed belongs to one opening of the launcher.
  useEffect(() => () => setTyped(nothingTyped), [at.launcher]);

  // A question takes the place of the launcher; typing there must not go on under it.
  useEffect(() => {
    if (asked) nav.set((n) => (n.launcher ? { ...n, launcher: false } : n));
  }, [asked]);

  // The sheet gives the focus back by itself, unless it came from the chip, which is gone: then the asking tile gets it.
  const asking = useRef("");
  useEffect(() => {
    const before = asking.current;
    asking.current = question?.callerFrameId ?? "";
    if (asking.current !== "" || before === "" || document.activeElement !== document.body) return;
    for (const life of lives.values()) if (life.is === "open" && life.handle.frameId === before) life.handle.focus();
  }, [question?.id, question?.callerFrameId, lives]);

  if (status.phase === "locked" || kernel.lockedAt > 0) return <Locked at={kernel.lockedAt} inWindow={status.welcome?.window ?? false} />;
  if (status.phase === "refused") return <Refused />;
  if (status.phase === "mismatch") return <Mismatch onReload={() => location.reload()} />;
  if (status.welcome === null) return <Connecting attempt={status.attempt} />;

  const frames = kernel.frames?.frames ?? [];
  const stamp = frames.map((f) => `${f.endpointId}=${f.status}`).join(" ");
  const nameOfApp = (id: string): string => installed.find((a) => a.id === id)?.name ?? id;
  const nameOfFrame = (id: string): string => {
    const frame = frames.find((f) => f.frameId === id);
    return frame === undefined ? t.question.aFrame : nameOfApp(frame.appId);
  };
  const openFirst = (app: InstalledApp): void => {
    const tile = app.tiles[0];
    if (tile !== undefined) model.openApp(app.id, tile.id);
  };
  const remove = async (app: InstalledApp): Promise<void> => {
    setRemoving(null);
    try {
      await model.link.request({ case: "removeApp", value: { appId: app.id, uid: app.uid } });
      model.tiles.dropApp(app.id);
      toast(t.settings.removed(app.name));
    } catch (err) {
      toast(err instanceof Error ? err.message : String(err), err instanceof KernelError ? { code: err.code } : {});
    }
  };
  const welcome = at.page === "workspace" && layout.slots.length === 0 && at.welcome === true && kernel.apps !== null;
  const inWorkspace = at.page === "workspace" && !welcome;

  // The page's own frame, so that nothing moves when its part comes.
  const place = <div className="page" aria-busy />;

  return (
    <div className="shell">
      <Bar
        phase={status.phase}
        pending={status.pending}
        page={at.page}
        waiting={waiting}
        onLauncher={openLauncher}
        onQuestion={(q) => model.openQuestion(q.id)}
        onPage={go}
        onLock={() => model.lock()}
      />
      <Banners
        phase={status.phase}
        attempt={status.attempt}
        health={kernel.health}
        frames={frames}
        notices={notices}
        onDismiss={(n) => model.notices.set((all) => all.filter((one) => one !== n))}
        onRetry={(f) => void model.link.request({ case: "retryFrame", value: { appId: f.appId, tileId: f.tileId } }).catch((err: unknown) => toast(String(err)))}
        nameOf={nameOfApp}
        onShow={(id) => go("apps", id)}
      />
      {welcome && kernel.apps !== null && (
        <Welcome
          apps={kernel.apps}
          mark={model.mark()}
          health={kernel.health}
          onInstall={(app) => void model.install.fromBundle(app.id, app.name)}
          onOpen={openFirst}
          onFile={chooseFile}
          onDone={() => nav.set((n) => ({ ...n, welcome: false }))}
        />
      )}
      {!welcome && (
        <Workspace
          model={model}
          shown={inWorkspace}
          onLauncher={openLauncher}
          onInstall={chooseFile}
          onRemove={(id) => setRemoving(installed.find((a) => a.id === id) ?? null)}
        />
      )}
      {at.page !== "workspace" && (
        <SettingsFrame page={at.page} onPage={go}>
          {at.page === "audit" && (
            <parts.audit.View place={place} feed={model.audit} apps={installed.map((a) => ({ id: a.id, name: a.name, icon: a.iconSvg }))} online={status.phase === "open"} />
          )}
          {at.page === "grants" && <parts.grants.View place={place} link={model.link} icons={icons} stamp={`${stamp} ${queue.length}`} />}
          {at.page === "appearance" && <parts.appearance.View place={place} theme={theme} onTheme={(next) => model.setTheme(next)} />}
          {at.page === "apps" && (
            <parts.apps.View
              place={place}
              link={model.link}
              apps={installed}
              chosen={at.app}
              stamp={stamp}
              bundled={kernel.apps?.bundled ?? []}
              frames={frames}
              onChoose={(app) => nav.set((n) => ({ ...n, app }))}
              onInstall={chooseFile}
              onOpen={openFirst}
              onRemoved={(app) => model.tiles.dropApp(app.id)}
            />
          )}
        </SettingsFrame>
      )}
      {at.launcher && !asked && (
        <parts.launcher.View
          place={<LauncherPlace onTyped={setTyped} onClose={closeLauncher} />}
          typed={typed}
          icons={icons}
            onClose={closeLauncher}
            install={installTyped}
          entries={commandsOf(kernel.apps, layout, {
            front: (key) => {
              go("workspace");
              model.tiles.front(key);
              const life = lives.get(key);
              // After the dialog gave the focus back, or it would take it from the frame again.
              if (life?.is === "open") setTimeout(() => life.handle.focus(), 0);
            },
            open: (app, tile) => model.openApp(app, tile),
            page: go,
            theme: (next) => model.setTheme(next),
            lock: () => model.lock(),
            installFile: chooseFile,
            installBundled: (id, name) => void model.install.fromBundle(id, name),
            closeAll: () => model.tiles.closeAll(),
            question: firstWaiting === undefined ? null : () => model.openQuestion(firstWaiting),
          })}
        />
      )}
      {removing !== null && !asked && (
        <RemoveApp app={removing} frames={frames} onAnswer={(yes) => (yes ? void remove(removing) : setRemoving(null))} />
      )}
      <InstallLayer flow={model.install} mark={model.mark()} guard={model.guard} covered={asked} onApps={() => go("apps")} />
      {question !== null && (
        <QuestionSheet
          key={question.id}
          question={question}
          of={queue.length}
          mark={model.mark()}
          guard={model.guard}
          icons={icons}
          asker={asker}
          wholeMs={model.link.limit("questionShownMs", 60_000)}
          nameOfFrame={nameOfFrame}
          onShown={(q) => model.link.send({ case: "questionShown", value: { id: q.id } })}
          onAnswer={async (q, answer) => {
            try {
              await model.link.request({ case: "questionAnswer", value: { id: q.id, digest: q.digest, ...answer } });
            } catch (err) {
              toast(err instanceof Error ? err.message : String(err), err instanceof KernelError ? { code: err.code } : {});
              throw err;
            }
          }}
        />
      )}
      <DropTarget onFile={install} />
    </div>
  );
}

/** useAsker is where the asking tile stands, if it is in view. */
function useAsker(model: Model, frameId: string, lives: ReadonlyMap<string, TileLife>): Box | null {
  const [box, setBox] = useState<Box | null>(null);
  useLayoutEffect(() => {
    const look = (): void => {
      const key = [...lives].find(([, life]) => life.is === "open" && life.handle.frameId === frameId)?.[0];
      const rect = key === undefined ? undefined : document.querySelector(`[data-slot="${CSS.escape(key)}"]`)?.getBoundingClientRect();
      setBox(frameId === "" || rect === undefined || rect.width === 0 ? null : { x: rect.x, y: rect.y, width: rect.width, height: rect.height });
    };
    look();
    addEventListener("resize", look);
    return () => removeEventListener("resize", look);
  }, [model, frameId, lives]);
  return box;
}
