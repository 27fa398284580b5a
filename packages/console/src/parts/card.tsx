import type { ReactNode } from "react";
import css from "./card.module.css";

interface CardProps {
  readonly title: ReactNode;
  /** Below the title: what the part is for. */
  readonly text?: ReactNode;
  readonly tools?: ReactNode;
  readonly children: ReactNode;
  /** With space around the content; a table needs none. */
  readonly padded?: boolean;
}

/** A part of the page whose content needs no reply of its own. */
export function Card({ title, text, tools, children, padded = false }: CardProps) {
  return (
    <section className={css["card"]}>
      <header className={css["cardHead"]}>
        <div className={css["cardTitle"]}>
          <h2>{title}</h2>
          {text === undefined ? null : <p>{text}</p>}
        </div>
        {tools === undefined ? null : <div className={css["cardTools"]}>{tools}</div>}
      </header>
      <div className={padded ? css["padded"] : undefined}>{children}</div>
    </section>
  );
}
