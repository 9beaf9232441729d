import { useEffect, useState, type ReactNode } from "react";
import { cx } from "./classes";
import { t } from "./strings";

/** Tone is the colour that helps a state word; the word itself carries the state. */
export type Tone = "plain" | "info" | "success" | "warning" | "danger";

/** Tag is a state word. */
export function Tag({ tone = "plain", children }: { readonly tone?: Tone; readonly children: ReactNode }): ReactNode {
  return <span className={cx("tag", tone !== "plain" && tone)}>{children}</span>;
}

/** Dot helps a word that stands beside it. */
export function Dot({ tone = "plain" }: { readonly tone?: Tone }): ReactNode {
  return <span className={cx("dot", tone !== "plain" && tone)} aria-hidden />;
}

/** Spin appears after 300 ms, so that quick work shows none. Its word stands beside it. */
export function Spin({ at = 300 }: { readonly at?: number }): ReactNode {
  const [shown, show] = useState(at === 0);
  useEffect(() => {
    const timer = setTimeout(() => show(true), at);
    return () => clearTimeout(timer);
  }, [at]);
  return <span className={shown ? "spin" : "spin invisible"} aria-hidden />;
}

/** Unverified frames text that an app wrote about itself, and says who wrote it. */
export function Unverified({ by, children }: { readonly by: string; readonly children: ReactNode }): ReactNode {
  return (
    <div className="unv">
      <div className="who">
        <span className="tag unverified">{t.question.unverified}</span>
        {by}
      </div>
      <bdi>{children}</bdi>
    </div>
  );
}
