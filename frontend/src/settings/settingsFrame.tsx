import { Link2, Package, ScrollText, SunMoon, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { t } from "../design/strings";

/** SettingsPage names a page of the settings. */
export type SettingsPage = "apps" | "grants" | "audit" | "appearance";

interface SettingsFrameProps {
  readonly page: SettingsPage;
  readonly onPage: (page: SettingsPage) => void;
  readonly children: ReactNode;
}

const pages: readonly (readonly [SettingsPage, string, LucideIcon])[] = [
  ["apps", t.settings.apps, Package],
  ["grants", t.settings.grants, Link2],
  ["audit", t.settings.audit, ScrollText],
  ["appearance", t.settings.appearance, SunMoon],
];

/** SettingsFrame is the settings' sections beside the one that is shown. */
export function SettingsFrame({ page, onPage, children }: SettingsFrameProps): ReactNode {
  return (
    <main className="set" aria-label={t.settings.label}>
      <nav className="snav nav" aria-label={t.settings.sections}>
        {pages.map(([id, word, Icon], i) => (
          <span key={id} className="contents">
            {(i === 1 || i === 3) && <hr />}
            <button type="button" className="it" aria-current={id === page ? "page" : undefined} title={word} onClick={() => onPage(id)}>
              <Icon className="i" aria-hidden />
              <span className="w">{word}</span>
            </button>
          </span>
        ))}
      </nav>
      {children}
    </main>
  );
}
