import { measurementSentences } from "@sightline/contract/measurement-words";
import { faultText } from "../../data/fault-text.ts";
import { providerName } from "../../data/names.ts";
import { useSummary } from "../../data/queries.ts";
import type { ViewQuestion } from "../../data/use-question.ts";
import css from "./page.module.css";

/** By what answers the numbers of a page were measured, a sentence a line. */
export function Measured({ question }: { readonly question: ViewQuestion }) {
  const { filters, workspace } = question;
  const { data, error, isPlaceholderData } = useSummary({
    groupBy: "none",
    filters,
    entityIds: [workspace.brand.id],
    include: ["facts"],
  });
  if (error !== null) return <p role="alert">{faultText(error)}</p>;
  const facts = isPlaceholderData ? undefined : data?.facts;
  if (facts === undefined) return <p aria-busy="true">Counting the answers…</p>;
  return (
    <ul className={css["facts"]}>
      {measurementSentences(facts, providerName).map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}
