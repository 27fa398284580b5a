import { useState } from "react";
import { Button } from "./button.tsx";
import css from "./turned-pages.module.css";

/** A list that is read page by page, the newest first. */
export interface TurnedPages {
  /** The cursors of the pages up to this one; none: the first page. */
  readonly cursors: readonly string[];
  /** This page's; undefined: the first page. */
  readonly cursor: string | undefined;
  readonly turnTo: (cursors: readonly string[]) => void;
}

/** The page of a list that is shown; from the first on. */
export function useTurnedPages(): TurnedPages {
  const [cursors, turnTo] = useState<readonly string[]>([]);
  return { cursors, cursor: cursors.at(-1), turnTo };
}

interface PageButtonsProps {
  readonly pages: TurnedPages;
  /** Of the page after this one; null: this is the last. */
  readonly next: string | null;
}

/** Turns to newer and older pages; nothing where there is one page alone. */
export function PageButtons({ pages: { cursors, turnTo }, next }: PageButtonsProps) {
  if (next === null && cursors.length === 0) return null;
  return (
    <div className={css["pages"]}>
      <Button disabled={cursors.length === 0} onClick={() => turnTo(cursors.slice(0, -1))}>
        Newer
      </Button>
      <Button
        disabled={next === null}
        onClick={() => (next === null ? undefined : turnTo([...cursors, next]))}
      >
        Older
      </Button>
    </div>
  );
}
