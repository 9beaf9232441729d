import { Search, X } from "lucide-react";
import { useId, type InputHTMLAttributes, type ReactNode, type Ref } from "react";
import { IconButton } from "./button";
import { cx } from "./classes";
import { t } from "./strings";

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: string;
  readonly hint?: string;
  /** error replaces the hint and marks the field. */
  readonly error?: string;
}

/** Field is a labelled text field; its error stands where its hint stood, so nothing moves. */
export function Field({ label, hint, error, className, ...rest }: FieldProps): ReactNode {
  const id = useId();
  const wrong = error !== undefined && error !== "";
  return (
    <div className={cx("field", className)}>
      <label htmlFor={id}>{label}</label>
      <span className={cx("input", wrong && "invalid")}>
        <input id={id} aria-invalid={wrong} aria-describedby={`${id}-hint`} {...rest} />
      </span>
      <span id={`${id}-hint`} className={cx("hint", wrong && "t-danger")}>
        {wrong ? error : hint}
      </span>
    </div>
  );
}

interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly ref?: Ref<HTMLInputElement>;
}

/** SearchField is known by its icon and words, so it is filled and has no outline. */
export function SearchField({ label, value, onValue, ref }: SearchFieldProps): ReactNode {
  return (
    <span className="input quiet">
      <Search className="i i-14" aria-hidden />
      <input ref={ref} type="search" aria-label={label} placeholder={label} value={value} onChange={(e) => onValue(e.target.value)} spellCheck={false} />
      {value !== "" && <IconButton icon={X} small label={t.audit.clear} onClick={() => onValue("")} />}
    </span>
  );
}
