import { Field, inputClass } from "./fields.tsx";

/** A choice: its label, its value and what there is to choose from. */
export interface ChoiceFieldProps<Value extends string> {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly value: Value;
  /** Each value, and what it is called. */
  readonly options: readonly (readonly [value: Value, text: string])[];
  readonly onChange: (value: Value) => void;
}

/** One of several, in a field with a label. */
export function ChoiceField<Value extends string>(props: ChoiceFieldProps<Value>) {
  const { label, hint, value, options, onChange } = props;
  return (
    <Field label={label} hint={hint}>
      {(field) => (
        <select
          {...field}
          className={inputClass}
          value={value}
          onChange={({ target }) => onChange(target.value as Value)}
        >
          {options.map(([each, text]) => (
            <option key={each} value={each}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
