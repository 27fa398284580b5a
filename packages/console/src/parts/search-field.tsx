import { useEffect, useRef, useState } from "react";
import { Icon } from "./icon.tsx";
import css from "./search-field.module.css";

interface SearchFieldProps {
  /** What is searched, such as "domains". */
  readonly of: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** How long typing must rest: browsers count how often an address changes. */
const restMs = 150;

/** The page's own search, which / focuses. */
export function SearchField({ of, value, onChange }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const told = useRef(value);
  const change = useRef(onChange);
  change.current = onChange;
  // Back, forward and links change the value without typing.
  useEffect(() => {
    if (value !== told.current) setText(value);
    told.current = value;
  }, [value]);
  useEffect(() => {
    if (text === told.current) return undefined;
    const timer = setTimeout(() => {
      told.current = text;
      change.current(text);
    }, restMs);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <label className={css["field"]}>
      <Icon name="search" />
      <input
        type="search"
        placeholder={`Search ${of}`}
        aria-label={`Search ${of}`}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
    </label>
  );
}
