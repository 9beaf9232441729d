import type { ReactNode } from "react";
import { Segmented } from "../design/segmented";
import { t } from "../design/strings";
import { isTheme, type Theme } from "../design/theme";

interface AppearancePageProps {
  readonly theme: Theme;
  readonly onTheme: (theme: Theme) => void;
}

/** AppearancePage chooses the theme. */
export function AppearancePage({ theme, onTheme }: AppearancePageProps): ReactNode {
  return (
    <div className="page">
      <header>
        <h1 className="h-lg">{t.settings.appearance}</h1>
      </header>
      <div className="pad">
        <div className="panel">
          <div className="setting">
            <div className="grow">
              <p className="med">{t.settings.theme}</p>
              <p className="d">{t.settings.themeText}</p>
            </div>
            <Segmented
              label={t.settings.theme}
              value={theme}
              options={[
                { value: "light", label: t.settings.light },
                { value: "dark", label: t.settings.dark },
                { value: "system", label: t.settings.system },
              ]}
              onValue={(v) => {
                if (isTheme(v)) onTheme(v);
              }}
            />
          </div>
        </div>
      </div>
    </div>
  );
}
