import { type ReactNode, useId, useRef, useState } from "react";
import css from "./fields.module.css";
import { Icon } from "./icon.tsx";

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  /** What is wrong with the value; null: nothing is known to be. */
  readonly fault?: string | null;
  readonly children: (props: {
    readonly id: string;
    readonly "aria-describedby": string;
    readonly "aria-invalid": boolean | undefined;
  }) => ReactNode;
}

/** A field of a form: its label, the field, and what helps to fill it in. */
export function Field({ label, hint, fault = null, children }: FieldProps) {
  const id = useId();
  const about = `${id}-about`;
  return (
    <div className={css["field"]}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        "aria-describedby": about,
        "aria-invalid": fault === null ? undefined : true,
      })}
      <div id={about} className={css["about"]}>
        {fault === null ? null : <p className={css["fault"]}>{fault}</p>}
        {hint === undefined ? null : <p>{hint}</p>}
      </div>
    </div>
  );
}

/** The class of inputs, selects and text areas. */
export const inputClass = css["input"];

interface CheckFieldProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly children: ReactNode;
  readonly disabled?: boolean;
}

/** A box to tick, and what that means. */
export function CheckField({ checked, onChange, children, disabled = false }: CheckFieldProps) {
  return (
    <label className={css["check"]}>
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span>{children}</span>
    </label>
  );
}

interface CheckGroupProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** Boxes to tick, or other fields, that belong together, and what they are of. */
export function CheckGroup({ title, children }: CheckGroupProps) {
  return (
    <fieldset className={css["fieldset"]}>
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}

/** A text of a `TagField`. */
export interface TagValue {
  readonly name: string;
  readonly caseSensitive: boolean;
}

interface TagFieldProps {
  readonly label: string;
  readonly hint: ReactNode;
  readonly values: readonly TagValue[];
  readonly onChange: (values: readonly TagValue[]) => void;
  /** Each value says whether it counts only in the case in which it is written. */
  readonly cases?: boolean;
  readonly placeholder: string;
}

/** A list of texts. Enter or a comma adds one, Backspace in the empty field takes one. */
export function TagField(props: TagFieldProps) {
  const { label, hint, values, onChange, cases = false, placeholder } = props;
  const [text, setText] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const add = (given: string) => {
    const names = given.split(/[,\n]/).map((each) => each.trim());
    const fresh = names.filter((name) => name !== "" && values.every((each) => each.name !== name));
    if (fresh.length > 0) {
      onChange([...values, ...fresh.map((name) => ({ name, caseSensitive: false }))]);
    }
    setText("");
  };
  const replace = (at: number, ...by: readonly TagValue[]) => {
    onChange(values.toSpliced(at, 1, ...by));
    input.current?.focus();
  };
  return (
    <Field label={label} hint={hint}>
      {(field) => (
        <div className={css["tags"]}>
          {values.map((value, at) => (
            <TagItem
              key={value.name}
              value={value}
              onCase={cases ? (changed) => onChange(values.with(at, changed)) : null}
              onTake={() => replace(at)}
            />
          ))}
          <input
            {...field}
            ref={input}
            value={text}
            placeholder={values.length === 0 ? placeholder : ""}
            onChange={({ target }) => {
              if (target.value.includes(",")) add(target.value);
              else setText(target.value);
            }}
            onBlur={() => add(text)}
            onPaste={(event) => {
              const pasted = event.clipboardData.getData("text");
              if (!/[,\n]/.test(pasted)) return;
              event.preventDefault();
              add(`${text}${pasted}`);
            }}
            onKeyDown={(event) => {
              // Enter takes what an input method proposes; the word goes on.
              if (event.nativeEvent.isComposing) return;
              if (event.key === "Enter" && text.trim() !== "") {
                event.preventDefault();
                add(text);
              } else if (event.key === "Backspace" && text === "" && values.length > 0) {
                replace(values.length - 1);
              }
            }}
          />
        </div>
      )}
    </Field>
  );
}

interface TagItemProps {
  readonly value: TagValue;
  readonly onCase: ((value: TagValue) => void) | null;
  readonly onTake: () => void;
}

function TagItem({ value: { name, caseSensitive }, onCase, onTake }: TagItemProps) {
  return (
    <span className={css["tag"]}>
      <span className={css["tagText"]}>{name}</span>
      {onCase === null ? null : (
        <button
          type="button"
          className={css["case"]}
          aria-pressed={caseSensitive}
          aria-label={`${name}: match case`}
          title="Match case: capital letters must be the same"
          onClick={() => onCase({ name, caseSensitive: !caseSensitive })}
        >
          Aa
        </button>
      )}
      <button type="button" className={css["take"]} aria-label={`Remove ${name}`} onClick={onTake}>
        <Icon name="close" />
      </button>
    </span>
  );
}
