import type { StartedCollection } from "@sightline/client";
import { countOf, countText, dateText, dollarsText } from "../data/format.ts";
import { providerName } from "../data/names.ts";
import { Icon } from "../parts/icon.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Tag } from "../parts/tag.tsx";
import { askableOf } from "./ask-choice.ts";
import css from "./collection.module.css";
import { GuideLink } from "./guide-link.tsx";
import { surfaceText, vendorName } from "./vendor-names.ts";

interface EstimateProps {
  /** Of at least one question. */
  readonly estimate: StartedCollection;
}

type Row = StartedCollection["estimates"][number];

/** What a sweep would ask and cost, by provider, and what would stay without an answer. */
export function Estimate({ estimate }: EstimateProps) {
  const { jobs, dollars, pricesDate, estimates } = estimate;
  const sum = (of: (row: Row) => number) => estimates.reduce((total, row) => total + of(row), 0);
  const tokens = countText(sum((row) => row.inputTokens + row.outputTokens));
  const unchecked = estimates.filter(({ verified }) => !verified).map(({ vendor }) => vendor);
  return (
    <div className={css["estimate"]}>
      <div className={css["sum"]} data-estimate>
        <p className={css["figure"]}>
          {countOf(jobs, "question")}, about {dollarsText(dollars)}
        </p>
        <p className="quiet">
          {countOf(
            sum(({ calls }) => calls),
            "paid request",
          )}
          , {tokens} tokens, by the prices of {dateText(pricesDate)}.
          {unchecked.length === 0
            ? null
            : ` Prices of ${namesOf(unchecked)} were not found on the vendor's own page.`}
        </p>
        <WithoutKey estimate={estimate} />
        {estimate.warnings?.map((warning) => (
          <p key={warning} className={css["doubt"]}>
            <Icon name="warn" />
            <span>{warning}</span>
          </p>
        ))}
      </div>
      <Table
        caption="Estimate by provider"
        rows={estimates}
        keyOf={({ provider, surface, vendor }) => `${provider} ${surface} ${vendor}`}
        columns={columns}
      />
      <Unanswered estimate={estimate} />
    </div>
  );
}

const namesOf = (vendors: readonly string[]): string =>
  [...new Set(vendors)].map(vendorName).join(", ");

/** Says what the keys that are set do of it. */
function WithoutKey({ estimate }: EstimateProps) {
  const without = estimate.estimates.filter(({ hasCredential }) => !hasCredential);
  if (without.length === 0) return null;
  const { jobs, dollars } = askableOf(estimate);
  const names = namesOf(without.map(({ vendor }) => vendor));
  return (
    <p className={css["doubt"]}>
      <Icon name="warn" />
      <span>
        {jobs === 0
          ? `None of it can be asked: the service has no key of ${names}. `
          : `${countOf(jobs, "question")} of these can be asked, for about ` +
            `${dollarsText(dollars)}: the service has no key of ${names}. `}
        Set one as below where the service runs, and start it again.{" "}
        <GuideLink text="How to set keys" />
      </span>
    </p>
  );
}

const columns: readonly Column<Row>[] = [
  {
    ...{ key: "provider", title: "Provider" },
    cell: ({ provider, surface, vendor, hasCredential }) => (
      <>
        <span className={css["name"]}>
          {providerName(provider)}
          {hasCredential ? null : <Tag kind="doubt">no key</Tag>}
        </span>
        <div className="small quiet">{surfaceText(surface, vendor)}</div>
      </>
    ),
  },
  figure("Questions", ({ jobs }) => countText(jobs)),
  { ...figure("Requests", ({ calls }) => countText(calls)), minor: true },
  {
    ...figure("Tokens", ({ inputTokens, outputTokens }) => countText(inputTokens + outputTokens)),
    minor: true,
  },
  { ...figure("Searches", ({ searches }) => countText(searches)), minor: true },
  figure("Cost", ({ dollars }) => dollarsText(dollars)),
];

function figure(title: string, cell: (row: Row) => string): Column<Row> {
  return { key: title, title, figure: true, cell };
}

function Unanswered({ estimate: { unanswered } }: EstimateProps) {
  if (unanswered.length === 0) return null;
  return (
    <div className={css["below"]}>
      <h3>Without an answer</h3>
      <ul className={css["reasons"]}>
        {unanswered.map(({ provider, surface, vendor, reason, jobs }) => (
          <li key={`${provider} ${surface} ${vendor} ${reason}`}>
            <strong>{providerName(provider)}</strong>, {countOf(jobs, "question")}: {reason}
          </li>
        ))}
      </ul>
    </div>
  );
}
