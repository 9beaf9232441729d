import { useEffect, useId, useRef, type ReactNode } from "react";
import { Button } from "../design/button";
import { keyWords } from "../design/format";
import { TopDialog } from "../design/modal";
import { t } from "../design/strings";
import type { App, FrameState } from "../wire/neutron/link/v1/link_pb";

interface RemoveAppProps {
  readonly app: App;
  /** frames are the kernel's frames of all apps. */
  readonly frames: readonly FrameState[];
  readonly busy?: boolean;
  readonly onAnswer: (yes: boolean) => void;
}

/** RemoveApp asks before an app goes, and says what goes with it. The focus starts on the way out. */
export function RemoveApp({ app, frames, busy = false, onAnswer }: RemoveAppProps): ReactNode {
  const id = useId();
  const no = useRef<HTMLButtonElement>(null);
  useEffect(() => no.current?.focus(), []);
  const running = frames.filter((f) => f.appId === app.id && f.frameId !== "").length;
  return (
    <TopDialog className="modal" labelledBy={id} onClose={() => onAnswer(false)}>
      <header>
        <h2 id={id} className="h-md">
          {t.settings.removeTitle(app.name)}
        </h2>
      </header>
      <div className="body">
        <h3 className="h-sm">{t.settings.removeLost}</h3>
        <ul className="list-disc ps-4">
          <li>{t.settings.removeData(app.name)}</li>
          <li>{t.settings.removeGrants}</li>
          <li>{t.settings.removeRunning(running)}</li>
        </ul>
        <h3 className="h-sm mt-3">{t.settings.removeKept}</h3>
        <ul className="list-disc ps-4">
          <li>{t.settings.removeAudit}</li>
          {app.signer !== "" && <li>{t.settings.keepsKey(keyWords(app.signer))}</li>}
        </ul>
      </div>
      <footer>
        <Button ref={no} onClick={() => onAnswer(false)}>
          {t.settings.cancel}
        </Button>
        <Button look="danger" disabled={busy} onClick={() => onAnswer(true)}>
          {t.settings.removeDo}
        </Button>
      </footer>
    </TopDialog>
  );
}
