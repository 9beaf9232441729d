import { CircleAlert, TriangleAlert, type LucideIcon } from "lucide-react";
import { useId, type ReactNode } from "react";
import { cx } from "./classes";

interface BannerProps {
  readonly tone: "warning" | "danger";
  readonly icon?: LucideIcon;
  readonly title: string;
  readonly text: string;
  readonly code?: string;
  readonly actions?: ReactNode;
}

/** Banner speaks for the whole workspace, under the bar. */
export function Banner({ tone, icon: Icon = tone === "danger" ? CircleAlert : TriangleAlert, title, text, code, actions }: BannerProps): ReactNode {
  return (
    <div className={cx("banner", tone)} role={tone === "danger" ? "alert" : "status"}>
      <Icon className="i" aria-hidden />
      <p className="grow">
        <b className="semi">{title}</b> {text}
      </p>
      {code !== undefined && code !== "" && <span className="mono mut">{code}</span>}
      {actions}
    </div>
  );
}

interface NoticeProps {
  readonly tone: "warning" | "danger";
  readonly title: string;
  readonly children: ReactNode;
  readonly code?: string;
  readonly actions?: ReactNode;
}

/** Notice says in place what happened, what was kept, what to do; the code stands at the right edge. */
export function Notice({ tone, title, children, code, actions }: NoticeProps): ReactNode {
  const id = useId();
  const Icon = tone === "danger" ? CircleAlert : TriangleAlert;
  return (
    <section className={cx("notice", tone)} role="alert" aria-labelledby={id}>
      <header>
        <Icon className="i" aria-hidden />
        <span id={id} className="grow">
          {title}
        </span>
        {code !== undefined && code !== "" && <span className="mono dim font-normal">{code}</span>}
      </header>
      <div className="b">{children}</div>
      {actions !== undefined && <footer>{actions}</footer>}
    </section>
  );
}
