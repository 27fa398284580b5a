import type { ListedCollection } from "@sightline/client";
import { countOf, countText, dateText, dollarsText } from "../data/format.ts";
import { byProviderName, providerName } from "../data/names.ts";
import { ProviderLabel } from "../parts/provider-label.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Tag } from "../parts/tag.tsx";
import css from "./collection.module.css";
import { failedCountOf } from "./sweep-state.ts";
import { surfaceText } from "./vendor-names.ts";

type Part = ListedCollection["parts"][number];

/** The parts of a sweep, each of which counts as a whole, and why questions failed. */
export function SweepParts({ sweep }: { readonly sweep: ListedCollection }) {
  const { endedAt, cancelledAt, createdAt, deadline } = sweep;
  const parts = sweep.parts.toSorted(byProviderName);
  const failed = parts.flatMap((part) =>
    part.failed.map((each) => ({ ...each, key: `${keyOf(part)} ${each.reason}`, part })),
  );
  const noted = parts.flatMap(notesOf);
  return (
    <div className={css["parts"]}>
      <Table caption="Parts of the sweep" rows={parts} keyOf={keyOf} columns={columns} />
      {failed.length === 0 ? null : (
        <ul className={css["reasons"]} aria-label="Why questions failed">
          {failed.map(({ key, part, jobs, reason }) => (
            <li key={key}>
              <strong>{providerName(part.provider)}</strong>, {countOf(jobs, "question")}: {reason}
            </li>
          ))}
        </ul>
      )}
      {noted.length === 0 ? null : (
        <ul className={css["reasons"]} aria-label="What could not be read">
          {noted.map(({ key, provider, text }) => (
            <li key={key}>
              <strong>{providerName(provider)}</strong>: {text}
            </li>
          ))}
        </ul>
      )}
      <p className="small quiet">
        Planned on {dateText(createdAt, "instant")}.
        {cancelledAt === null ? "" : ` Cancelled on ${dateText(cancelledAt, "instant")}.`}
        {endedAt === null
          ? ` What is not answered by ${dateText(deadline, "instant")} is given up.`
          : ` Ended on ${dateText(endedAt, "instant")}.`}
      </p>
    </div>
  );
}

/** What a part says of its answers: why it is held back, and what was dropped from them. */
function notesOf(part: Part) {
  const { provider, warnings, suspicious } = part;
  const held = suspicious.map((reason) => `held back: ${reason}`);
  const dropped = warnings.map(({ reason, answers }) => {
    return `sources were dropped from ${countOf(answers, "answer")}: ${reason}`;
  });
  return [...held, ...dropped].map((text) => ({ key: `${keyOf(part)} ${text}`, provider, text }));
}

const keyOf = ({ provider, surface, vendor }: Part): string => `${provider} ${surface} ${vendor}`;

const columns: readonly Column<Part>[] = [
  {
    key: "provider",
    title: "Provider",
    cell: ({ provider, surface, vendor }) => (
      <>
        <ProviderLabel provider={provider} />
        <div className="small quiet">{surfaceText(surface, vendor)}</div>
      </>
    ),
  },
  {
    key: "done",
    title: "Answered",
    figure: true,
    cell: ({ done, jobs, queued, underWay, heldUntil }) => (
      <>
        {countText(done)} of {countText(jobs)}
        {underWay === 0 ? null : <div className="small quiet">{countText(underWay)} under way</div>}
        {queued === 0 ? null : <div className="small quiet">{countText(queued)} queued</div>}
        {heldUntil === null ? null : (
          <div className="small quiet">
            waits until {dateText(heldUntil, "instant")}: a cap is reached
          </div>
        )}
      </>
    ),
  },
  figure("Failed", (part) => countText(failedCountOf(part))),
  { ...figure("Spent", ({ spentDollars }) => dollarsText(spentDollars)), drops: 1 },
  {
    key: "counts",
    title: "Counts since (UTC)",
    cell: ({ publishedAt, suspicious }) =>
      publishedAt === null ? (
        <Tag kind={suspicious.length > 0 ? "worse" : "plain"}>
          {suspicious.length > 0 ? "held back" : "not yet"}
        </Tag>
      ) : (
        <span className={css["since"]}>{dateText(publishedAt, "instant").replace(" UTC", "")}</span>
      ),
  },
];

function figure(title: string, cell: (part: Part) => string): Column<Part> {
  return { key: title, title, figure: true, cell };
}
