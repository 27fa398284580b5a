import { Icon } from "./icon.tsx";
import css from "./popover.module.css";
import { Popover } from "./popover.tsx";

interface ExplainedProps {
  readonly title: string;
  readonly text: string;
}

/** A term, and what it means: opened by a tap, a click or a key, where a hint needs a pointer. */
export function Explained({ title, text }: ExplainedProps) {
  return (
    <Popover
      label={`What ${title} means`}
      trigger={(props) => (
        <button type="button" className={css["term"]} {...props}>
          {title}
          <Icon name="help" />
        </button>
      )}
    >
      {() => <p className={css["explanation"]}>{text}</p>}
    </Popover>
  );
}
