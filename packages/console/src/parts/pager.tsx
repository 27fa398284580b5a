import type { ReactNode } from "react";
import { countOf, countText } from "../data/format.ts";
import { IconButton } from "./button.tsx";
import css from "./pager.module.css";

/** Rows of a page. */
export const pageRows = 50;

interface PagerProps {
  /** Such as "domain". */
  readonly noun: string;
  readonly total: number;
  /** From 0. */
  readonly page: number;
  readonly onPage: (page: number) => void;
  /** What else the list's foot says. */
  readonly children?: ReactNode;
}

/** Which rows of a list are shown, and the way to the others. */
export function Pager({ noun, total, page, onPage, children }: PagerProps) {
  const first = page * pageRows;
  const last = Math.min(total, first + pageRows);
  return (
    <div className={css["pager"]}>
      <span className={css["text"]}>{children}</span>
      <span role="status">
        {total <= pageRows
          ? countOf(total, noun)
          : `${countText(first + 1)}–${countText(last)} of ${countOf(total, noun)}`}
      </span>
      {total <= pageRows ? null : (
        <span className={css["buttons"]}>
          <IconButton
            label="Previous page"
            icon="left"
            disabled={page === 0}
            onClick={() => onPage(page - 1)}
          />
          <IconButton
            label="Next page"
            icon="right"
            disabled={last >= total}
            onClick={() => onPage(page + 1)}
          />
        </span>
      )}
    </div>
  );
}

/** The page that an address says, inside a list: its first where the address is of none. */
export function pageOf(text: string | undefined, total: number): number {
  const page = Number(text ?? "1") - 1;
  if (!Number.isInteger(page) || page < 0) return 0;
  return Math.min(page, Math.max(0, Math.ceil(total / pageRows) - 1));
}
