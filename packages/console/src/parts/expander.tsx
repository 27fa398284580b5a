import type { ReactNode } from "react";
import css from "./expander.module.css";
import { Icon } from "./icon.tsx";

interface ExpanderProps {
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly children: ReactNode;
  /** The whole text, where the cell cuts it. */
  readonly title?: string;
}

/** What a row is of; pressed, it opens what lies behind the row. */
export function Expander({ isOpen, onToggle, children, title }: ExpanderProps) {
  return (
    <button
      type="button"
      className={css["expander"]}
      aria-expanded={isOpen}
      title={title}
      onClick={onToggle}
    >
      <Icon name={isOpen ? "down" : "right"} />
      <span className={css["text"]}>{children}</span>
    </button>
  );
}
