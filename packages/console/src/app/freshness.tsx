import { countOf, dateText } from "../data/format.ts";
import { useWorkspace } from "../data/queries.ts";

/** How new the numbers are, and that their days are UTC's. */
export function Freshness({ className }: { readonly className: string | undefined }) {
  const { data } = useWorkspace();
  const { answers, lastImport } = data ?? {};
  return (
    <footer className={className}>
      <span>All times and days are UTC.</span>
      {answers?.last == null ? null : (
        <span>
          {countOf(answers.count, "answer")}, the newest of {dateText(answers.last, "instant")}
        </span>
      )}
      {lastImport == null ? null : <span>Last import {dateText(lastImport, "instant")}</span>}
    </footer>
  );
}
