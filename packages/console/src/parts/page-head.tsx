import { Suspense } from "react";
import { useAccount } from "../data/account.ts";
import { later } from "../data/later.ts";
import type { ViewQuestion } from "../data/use-question.ts";
import css from "./page-head.module.css";

interface PageHeadProps {
  readonly title: string;
  /** The brand whose page it is, next to the title. */
  readonly of?: string | undefined;
  /** The view that can be shared; null: none yet. Omitted: the page shows none. */
  readonly shared?: ViewQuestion | null;
}

/** To the right, and after what the page is for. */
const ShareButton = later(async () => (await import("../links/share-button.tsx")).ShareButton);

/** The title of a page and what can be done with all of it; on paper, also whose page it is. */
export function PageHead({ title, of, shared }: PageHeadProps) {
  const account = useAccount().session?.account.name;
  // The bar, or the line above on paper, says the account's name already.
  const isKnown = account === of;
  return (
    <div className={css["head"]}>
      <div className={css["printed"]}>
        {["Sightline", account].filter((each) => each != null).join(" · ")}
      </div>
      <h1>
        {title}
        {of === undefined ? null : (
          <span className={`${css["of"]} ${isKnown ? css["known"] : ""}`}>{of}</span>
        )}
      </h1>
      <Suspense>{shared && <ShareButton question={shared} />}</Suspense>
    </div>
  );
}
