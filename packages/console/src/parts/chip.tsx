import { type ReactNode, useEffect, useState } from "react";
import { Button } from "./button.tsx";
import css from "./chip.module.css";
import { Icon } from "./icon.tsx";
import { moveFocus, Popover } from "./popover.tsx";

interface ChipProps {
  readonly name: string;
  /** What is chosen, in words; null: nothing is. */
  readonly value: string | null;
  /** Said while nothing is chosen. */
  readonly plain?: string;
  /** What is chosen narrows nothing, as a period that every page has. */
  readonly quiet?: boolean;
  readonly children: (close: () => void) => ReactNode;
}

/** A filter: its name and what it is set to; a click opens what there is to choose from. */
export function Chip({ name, value, plain = "All", quiet = false, children }: ChipProps) {
  const state = value === null ? css["plain"] : quiet ? "" : css["set"];
  const className = `${css["chip"]} ${state}`;
  return (
    <Popover
      label={name}
      trigger={(props) => (
        <button type="button" className={className} {...props}>
          <span className={css["name"]}>{name}</span>
          <span className={css["value"]}>{value ?? plain}</span>
          <Icon name="down" />
        </button>
      )}
    >
      {children}
    </Popover>
  );
}

/** Something to choose. */
export interface Option {
  readonly value: string;
  readonly text: string;
  /** Before the text. */
  readonly sign?: ReactNode;
}

interface OptionListProps {
  readonly name: string;
  readonly options: readonly Option[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
  /** One alone may be chosen, and choosing it shuts the list. */
  readonly single?: boolean;
  readonly close: () => void;
  /** Above the list, such as a choice of what it means. */
  readonly head?: ReactNode;
  /** Called once it is drawn, where its options are loaded then. */
  readonly onOpen?: (() => void) | undefined;
  /** Said where there are no options. */
  readonly empty?: string | undefined;
  /** Below the list, such as two dates. */
  readonly children?: ReactNode;
}

/** Lists shorter than this need no search. */
const searchedFrom = 8;
/** Drawn at most; a search brings up the others. */
const shownMax = 200;

/** What a chip opens: a list with search, to choose one or several. */
export function OptionList(props: OptionListProps) {
  const { name, options, chosen, onChange, single = false, close, head, children } = props;
  const { onOpen, empty } = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each opening
  useEffect(() => onOpen?.(), []);
  const [search, setSearch] = useState("");
  const wanted = search.trim().toLowerCase();
  const found = options.filter(({ text }) => text.toLowerCase().includes(wanted));
  const choose = (value: string) => {
    if (single) {
      onChange([value]);
      close();
      return;
    }
    const without = chosen.filter((each) => each !== value);
    onChange(without.length < chosen.length ? without : [...chosen, value]);
  };
  return (
    <div className={css["list"]} onKeyDown={moveFocus} role="presentation">
      {head}
      {options.length < searchedFrom ? null : (
        <input
          className={css["find"]}
          // A search field would take the first Escape to clear itself.
          type="text"
          role="searchbox"
          data-item
          placeholder="Search"
          aria-label={`Search ${name.toLowerCase()}`}
          // biome-ignore lint/a11y/noAutofocus: the list was opened to be searched
          autoFocus
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
      )}
      <div className={css["options"]}>
        {found.slice(0, shownMax).map(({ value, text, sign }, index) => (
          <label key={value} className={css["option"]}>
            <input
              type={single ? "radio" : "checkbox"}
              name={name}
              data-item
              // biome-ignore lint/a11y/noAutofocus: the first of what was just opened
              autoFocus={options.length < searchedFrom && index === 0}
              checked={chosen.includes(value)}
              onChange={() => choose(value)}
            />
            {sign === undefined ? null : <span className={css["sign"]}>{sign}</span>}
            <span>{text}</span>
          </label>
        ))}
        {found.length === 0 ? (
          <p className="small quiet">{(options.length === 0 && empty) || "Nothing matches."}</p>
        ) : null}
      </div>
      {children}
      {single ? null : (
        <div className={css["foot"]}>
          <span>
            {found.length > shownMax ? `${shownMax} of ${found.length} shown` : ""}
            {chosen.length > 0 ? ` ${chosen.length} chosen` : ""}
          </span>
          <Button kind="plain" disabled={chosen.length === 0} onClick={() => onChange([])}>
            Clear
          </Button>
        </div>
      )}
    </div>
  );
}
