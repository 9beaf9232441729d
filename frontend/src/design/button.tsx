import type { LucideIcon } from "lucide-react";
import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";
import { cx } from "./classes";

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: "plain" | "primary" | "ghost" | "danger" | "danger-solid";
  readonly size?: "sm" | "md" | "lg";
  readonly icon?: LucideIcon;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** Button is the one button of the shell. A screen has at most one with look "primary". */
export function Button({ look = "plain", size = "md", icon: Icon, className, children, type = "button", ...rest }: ButtonProps): ReactNode {
  return (
    <button type={type} className={cx("btn", look !== "plain" && look, size !== "md" && size, className)} {...rest}>
      {Icon && <Icon className={cx("i", size === "sm" && "i-14")} aria-hidden />}
      {children}
    </button>
  );
}

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly icon: LucideIcon;
  /** label is what it does, in words: the button shows none. */
  readonly label: string;
  readonly small?: boolean;
  readonly on?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** IconButton shows an icon; its label is read out and shown as the title. */
export function IconButton({ icon: Icon, label, small = false, on = false, className, type = "button", ...rest }: IconButtonProps): ReactNode {
  return (
    <button type={type} className={cx("icon-btn", small && "sm", on && "on", className)} aria-label={label} title={label} {...rest}>
      <Icon className={cx("i", small && "i-14")} aria-hidden />
    </button>
  );
}

/** Kbd is a key cap. */
export function Kbd({ children }: { readonly children: ReactNode }): ReactNode {
  return <kbd className="kbd">{children}</kbd>;
}
