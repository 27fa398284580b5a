import type { Listed, PageDays, PlacesPlan } from "../../analytics/places-plan.ts";
import type { PlanPart } from "../../analytics/plan.ts";
import {
  constant,
  type Fragment,
  joined,
  type Statement,
  sql,
} from "../../platform/clickhouse/statement.ts";
import { dayCountShape, placeShape } from "../insight-shapes.ts";
import { anyEntityColumns, measureColumns } from "../question-columns.ts";
import { type Counted, ofSource, where } from "./conditions.ts";
import { tableOf } from "./statements.ts";

/** How many answers of the list each day has, a row from each part. */
export function dayCountsStatement(
  plan: PlacesPlan,
  counted: Counted,
): Statement<typeof dayCountShape> {
  const { counted: rows, listed } = plan;
  const parts = rows.parts.map((part) => {
    const within = where(part, rows, counted);
    return sql`select day, sum(${counts(listed)}) from ${tableOf(part, rows)}
      where ${within} and ${counting(listed)} ${citing(part, plan, within)} group by day`;
  });
  return { query: joined(sql` union all `, parts), shape: dayCountShape };
}

/** The condition on what answers cite, of those that meet others; nothing without one. */
function citing(part: PlanPart, { cites, rows }: PlacesPlan, within: Fragment): Fragment {
  if (cites === null) return sql``;
  return sql`and sequence in (
    select sequence from ${tableOf({ ...part, table: "citations" }, rows)}
    where ${within} and ${ofSource(cites)}
  )`;
}

/** What rows of a table or of its rollup add to the number of answers; entity 0 counts them all. */
function counts(listed: Listed): Fragment {
  switch (listed.kind) {
    case "entity":
      return constant(`toInt64(${measureColumns[listed.measure]})`);
    case "any-entity": {
      const shows = `toInt64(${anyEntityColumns[listed.measure]})`;
      return constant(listed.is ? shows : `toInt64(mentioned) - ${shows}`);
    }
    case "without":
      return sql`if(entity = 0, toInt64(visible), -toInt64(visible))`;
  }
}

function counting(listed: Listed): Fragment {
  switch (listed.kind) {
    case "entity":
      return sql`entity = ${entityValue(listed.entity)}`;
    case "any-entity":
      return sql`entity = 0`;
    case "without":
      return sql`(entity = 0 or entity = ${entityValue(listed.entity)})`;
  }
}

/** The answers of a page, in order. */
export function placesStatement(
  plan: PlacesPlan,
  days: PageDays,
  counted: Counted,
): Statement<typeof placeShape> {
  const parts = plan.rows.parts.map((part) => answersIn(part, plan, { days, counted }));
  return {
    // By day first, which changes nothing: so the server reads rows in the order in which they lie.
    query: sql`select sequence, answered_at from (${joined(sql` union all `, parts)})
      ${afterPlace(plan)}
      order by day desc, answered_at desc, sequence desc
      limit ${{ type: "UInt64", value: plan.limit }}`,
    shape: placeShape,
  };
}

/** Rows of (sequence, answered_at, day) of a part's answers, each answer once. */
function answersIn(
  part: PlanPart,
  plan: PlacesPlan,
  { days, counted }: { readonly days: PageDays; readonly counted: Counted },
): Fragment {
  const { rows, listed } = plan;
  const within = sql`${where(part, rows, counted)}
    and day >= ${{ type: "Int32", value: days.first }}
    and day < ${{ type: "Int32", value: days.end }}`;
  const from = sql`from ${tableOf(part, rows)} where ${within} ${citing(part, plan, within)}`;
  if (listed.kind !== "without") {
    return sql`select sequence, answered_at, day ${from} and ${deciding(listed)}`;
  }
  return sql`select sequence, answered_at, day ${from} and entity = 0 and sequence not in (
    select sequence ${from} and ${ofEntity(listed.entity, constant(measureColumns.visible))}
  )`;
}

/** The appearances that decide; entity 0 is the answer itself. */
function deciding(listed: Exclude<Listed, { readonly kind: "without" }>): Fragment {
  if (listed.kind === "any-entity") return anyEntity(listed);
  return ofEntity(listed.entity, constant(measureColumns[listed.measure]));
}

function anyEntity({ measure, is }: Extract<Listed, { readonly kind: "any-entity" }>): Fragment {
  return constant(`entity = 0 and ${anyEntityColumns[measure]} = ${Number(is)}`);
}

function ofEntity(entity: number, column: Fragment): Fragment {
  return sql`entity = ${entityValue(entity)} and ${column} = 1`;
}

function entityValue(value: number) {
  return { type: "UInt16", value } as const;
}

function afterPlace({ after }: PlacesPlan): Fragment {
  if (after === null) return sql``;
  const { answeredAtMs, sequence } = after;
  const instant = { type: "Int64", value: answeredAtMs } as const;
  return sql`where answered_at <= ${instant}
    and (answered_at < ${instant} or sequence < ${{ type: "UInt64", value: sequence }})`;
}
