import type { ReactNode } from "react";
import { useAccountName } from "../data/account.ts";
import css from "./page-head.module.css";

interface PageHeadProps {
  readonly title: string;
  /** The brand whose page it is, next to the title. */
  readonly of?: string | undefined;
  /** To the right. */
  readonly children?: ReactNode;
}

/** The title of a page and what can be done with all of it. */
export function PageHead({ title, of, children }: PageHeadProps) {
  // The bar says the account's name already, save on paper, which has no bar.
  const isKnown = useAccountName("") === of;
  return (
    <div className={css["head"]}>
      <h1>
        {title}
        {of === undefined ? null : (
          <span className={`${css["of"]} ${isKnown ? css["known"] : ""}`}>{of}</span>
        )}
      </h1>
      <div className={css["tools"]}>{children}</div>
    </div>
  );
}
