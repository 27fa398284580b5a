import { type ComponentProps, useId } from "react";
import css from "./button.module.css";
import { Icon, type IconName } from "./icon.tsx";

/** How much a button asks for: primary once on a page, plain where many stand together. */
type ButtonKind = "primary" | "normal" | "plain" | "danger";

/** The class of a button, for links that look like one. */
export function buttonClass(kind: ButtonKind = "normal", iconOnly = false): string {
  return [css["button"], css[kind], iconOnly ? css["icon"] : ""].filter(Boolean).join(" ");
}

interface ButtonProps extends ComponentProps<"button"> {
  readonly kind?: ButtonKind;
  readonly icon?: IconName;
}

/** A button with words, and a sign before them if given. */
export function Button({ kind = "normal", icon, children, className, ...rest }: ButtonProps) {
  return (
    <button type="button" className={`${buttonClass(kind)} ${className ?? ""}`} {...rest}>
      {icon === undefined ? null : <Icon name={icon} />}
      {children}
    </button>
  );
}

interface IconButtonProps extends Omit<ComponentProps<"button">, "children"> {
  /** What it does, for screen readers and as a hint. */
  readonly label: string;
  readonly icon: IconName;
}

/** A button of a sign alone. */
export function IconButton({ label, icon, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      className={buttonClass("plain", true)}
      aria-label={label}
      title={label}
      {...rest}
    >
      <Icon name={icon} />
    </button>
  );
}

interface SegmentsProps<T extends string> {
  /** What is chosen here. */
  readonly label: string;
  readonly options: readonly (readonly [value: T, text: string])[];
  readonly value: T;
  readonly onChange: (value: T) => void;
}

/** One of a few, side by side: radio buttons, so that the arrow keys move among them. */
export function Segments<T extends string>({ label, options, value, onChange }: SegmentsProps<T>) {
  const name = useId();
  return (
    <div className={css["segments"]} role="radiogroup" aria-label={label}>
      {options.map(([each, text]) => (
        <label key={each} className={css["segment"]}>
          <input
            type="radio"
            name={name}
            checked={each === value}
            onChange={() => onChange(each)}
          />
          {text}
        </label>
      ))}
    </div>
  );
}
