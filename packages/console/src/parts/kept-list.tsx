import type { ReactNode } from "react";
import { faultText } from "../data/fault-text.ts";
import { IconButton } from "./button.tsx";
import css from "./kept-list.module.css";
import { moveFocus } from "./popover.tsx";

/** Something that the account keeps. */
interface KeptItem {
  readonly key: string;
  readonly text: string;
  /** Before the text, such as a date. */
  readonly about?: string;
  /** Undefined: there is nothing to open. */
  readonly onOpen?: () => void;
}

interface KeptListProps {
  readonly items: readonly KeptItem[];
  /** Said while there is none. */
  readonly nothing: string;
  /** Undefined: the session may not. */
  readonly onDelete: ((key: string) => void) | undefined;
  readonly failure: Error | null;
  /** The form that adds one; null: the session may not. */
  readonly children: ReactNode;
}

/** What the account keeps, with the way to more and to less of it. */
export function KeptList({ items, nothing, onDelete, failure, children }: KeptListProps) {
  return (
    <div className={css["kept"]} onKeyDown={moveFocus} role="presentation">
      {items.length === 0 ? <p className={css["nothing"]}>{nothing}</p> : null}
      <ul className={css["items"]}>
        {items.map(({ key, text, about, onOpen }) => (
          <li key={key} className={css["item"]}>
            {onOpen === undefined ? (
              <span className={css["text"]}>
                {about === undefined ? null : <span className={css["about"]}>{about}</span>}
                {text}
              </span>
            ) : (
              <button type="button" data-item className={css["text"]} onClick={onOpen}>
                {text}
              </button>
            )}
            {onDelete === undefined ? null : (
              <IconButton label={`Delete ${text}`} icon="close" onClick={() => onDelete(key)} />
            )}
          </li>
        ))}
      </ul>
      {failure === null ? null : (
        <p role="alert" className={css["nothing"]}>
          {faultText(failure)}
        </p>
      )}
      {children}
    </div>
  );
}

interface KeptFormProps {
  readonly label: string;
  readonly isRunning: boolean;
  /** `onKept` empties the form: what is refused stays to be sent again. */
  readonly onSave: (form: FormData, onKept: () => void) => void;
  readonly children: ReactNode;
}

/** The form below such a list. */
export function KeptForm({ label, isRunning, onSave, children }: KeptFormProps) {
  return (
    <form
      className={css["form"]}
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        onSave(new FormData(form), () => form.reset());
      }}
    >
      {children}
      <button type="submit" className={css["save"]} disabled={isRunning}>
        Save
      </button>
    </form>
  );
}
