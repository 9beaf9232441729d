import { Menu } from "@base-ui/react/menu";
import { Check, ChevronDown } from "lucide-react";
import type { ReactNode, RefObject } from "react";
import { cx } from "./classes";

/** Option is one row of a choice menu. */
export interface Option {
  readonly value: string;
  readonly label: string;
}

interface ChoiceMenuProps {
  /** label names the menu; it is shown while the first option, "anything", is chosen. */
  readonly label: string;
  readonly value: string;
  readonly options: readonly Option[];
  readonly onValue: (value: string) => void;
}

/** ChoiceMenu chooses one of a few; the button shows what is chosen. */
export function ChoiceMenu({ label, value, options, onValue }: ChoiceMenuProps): ReactNode {
  const chosen = options.find((o) => o.value === value) ?? options[0];
  const shown = chosen === undefined || chosen === options[0] ? label : chosen.label;
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className="select" aria-label={`${label}: ${chosen?.label ?? ""}`}>
        <span className="trunc">{shown}</span>
        <ChevronDown className="i i-14" aria-hidden />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className="pop-at" sideOffset={4} align="start">
          <Menu.Popup className="pop">
            <Menu.RadioGroup value={value} onValueChange={(v: string) => onValue(v)}>
              {options.map((o) => (
                <Menu.RadioItem key={o.value} value={o.value} className="it" closeOnClick>
                  <Check className={cx("i i-14", o.value !== value && "invisible")} aria-hidden />
                  <bdi className="trunc">{o.label}</bdi>
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

interface ActionMenuProps {
  readonly label: string;
  readonly className?: string;
  readonly actions: readonly Option[];
  /** onAction gets the browser's own event, so that the caller can ask whether a person made it. */
  readonly onAction: (value: string, event: Event) => void;
  /** inside is where the popup goes: a dialog in the top layer covers the page's own body. */
  readonly inside?: RefObject<HTMLElement | null>;
}

/** ActionMenu opens a few acts behind one button. */
export function ActionMenu({ label, className, actions, onAction, inside }: ActionMenuProps): ReactNode {
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className={cx("btn sm ghost", className)}>
        {label}
        <ChevronDown className="i i-14" aria-hidden />
      </Menu.Trigger>
      <Menu.Portal {...(inside ? { container: inside } : {})}>
        <Menu.Positioner className="pop-at" sideOffset={4} align="end" side="top">
          <Menu.Popup className="pop">
            {actions.map((a) => (
              <Menu.Item key={a.value} className="it" onClick={(e) => onAction(a.value, e.nativeEvent)}>
                <bdi>{a.label}</bdi>
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
