import type { InsightsPresenceResponse } from "@sightline/client";
import { faultText } from "../../data/fault-text.ts";
import { countOf, countText, intervalText, percentText } from "../../data/format.ts";
import { usePresence } from "../../data/queries.ts";
import type { ViewQuestion } from "../../data/use-question.ts";
import { ChangeMark } from "../changes/change.tsx";
import { verdictLine } from "../changes/change-text.ts";
import { openEvidence } from "../open-evidence.ts";
import css from "./page.module.css";

const ways = [
  ["both", "Named and cited"],
  ["mentionedOnly", "Named only"],
  ["citedOnly", "Cited only"],
  ["neither", "Neither"],
] as const;

/** The answers of a way. */
const roles = {
  both: "both",
  mentionedOnly: "mentionedOnly",
  citedOnly: "citedOnly",
  neither: "notVisible",
} as const;

/** In how many answers the brand is named and cited, one of these alone, or neither. */
export function Presence({ question }: { readonly question: ViewQuestion }) {
  const { filters, comparedFilters, workspace } = question;
  const { brand } = workspace;
  const compare = comparedFilters === null ? {} : { compare: { filters: comparedFilters } };
  const { data, error, isPlaceholderData } = usePresence({
    entityId: brand.id,
    filters,
    ...compare,
  });
  if (error !== null) return <p role="alert">{faultText(error)}</p>;
  if (data === undefined || isPlaceholderData) return <p aria-busy="true">Counting the answers…</p>;
  return (
    <table className={css["ways"]}>
      <caption className="visually-hidden">{`How answers name and cite ${brand.name}`}</caption>
      <thead>
        <tr>
          <th scope="col">{`Of ${countOf(data.answers, "answer")}`}</th>
          <th scope="col">Answers</th>
          <th scope="col">Share</th>
          <th scope="col">Likely</th>
          {comparedFilters === null ? null : <th scope="col">Change</th>}
        </tr>
      </thead>
      <tbody>
        {ways.map(([way, title]) => (
          <Way key={way} {...{ way, title, data, brandId: brand.id }} />
        ))}
      </tbody>
    </table>
  );
}

interface WayProps {
  readonly way: (typeof ways)[number][0];
  readonly title: string;
  readonly data: InsightsPresenceResponse;
  readonly brandId: string;
}

function Way({ way, title, data, brandId }: WayProps) {
  const { value, numerator, interval, change } = data[way];
  const role = roles[way];
  return (
    <tr>
      <th scope="row">{title}</th>
      <td>
        <button
          type="button"
          className={css["opens"]}
          aria-label={`${title}: show ${countOf(numerator, "answer")}`}
          onClick={() => openEvidence({ role, entityId: brandId })}
        >
          {countText(numerator)}
        </button>
      </td>
      <td>{percentText(value)}</td>
      <td>{intervalText("mentions", interval) ?? "no interval"}</td>
      {change === undefined ? null : (
        <td title={verdictLine("mentions", change).join(" · ")}>
          {change.value === null ? (
            "–"
          ) : (
            <ChangeMark
              metric="mentions"
              change={change}
              isRiseGood={way === "neither" ? false : way === "both" ? true : null}
            />
          )}
        </td>
      )}
    </tr>
  );
}
