import type { Listed, PageDays, PlacesPlan } from "../../analytics/places-plan.ts";
import type { PlanPart } from "../../analytics/plan.ts";
import { dayCountShape, placeShape } from "../insight-shapes.ts";
import { anyEntityColumns, measureColumns } from "../question-columns.ts";
import { type CitedNumbers, ofSource } from "./cited-numbers.ts";
import { where } from "./conditions.ts";
import { type BoundValue, type Fragment, joined, type Statement } from "./statement.ts";
import { tables } from "./statements.ts";

/** How many answers of the list each day has, a row from each part. */
export function dayCountsStatement(
  { counted, listed }: PlacesPlan,
  cites: CitedNumbers | null,
): Statement<typeof dayCountShape> {
  const parts = counted.parts.map((part) => {
    const conditions = joined(" and ", [
      where(part, counted),
      counting(listed),
      ...citing(cites, where(part, counted)),
    ]);
    return {
      sql: `select day, cast(sum(${counts(listed)}) as double) from ${tables[part.table]}
        where ${conditions.sql} group by day`,
      values: conditions.values,
    };
  });
  return { ...joined(" union all ", parts), shape: dayCountShape };
}

/** The condition on what answers cite, of those that meet others; none without one. */
function citing(cites: CitedNumbers | null, within: Fragment): readonly Fragment[] {
  if (cites === null) return [];
  const { sql, values } = joined(" and ", [within, ofSource(cites)]);
  return [{ sql: `sequence in (select sequence from citations where ${sql})`, values }];
}

/** What rows of a table or of its rollup add to the number of answers; entity 0 counts them all. */
function counts(listed: Listed): string {
  switch (listed.kind) {
    case "entity":
      return measureColumns[listed.measure];
    case "any-entity": {
      const shows = anyEntityColumns[listed.measure];
      return listed.is ? shows : `cast(mentioned as integer) - cast(${shows} as integer)`;
    }
    case "without":
      return "if(entity = 0, cast(visible as integer), -cast(visible as integer))";
  }
}

function counting(listed: Listed): Fragment {
  switch (listed.kind) {
    case "entity":
      return { sql: "entity = ?", values: [entityValue(listed.entity)] };
    case "any-entity":
      return { sql: "entity = 0", values: [] };
    case "without":
      return { sql: "entity in (0, ?)", values: [entityValue(listed.entity)] };
  }
}

/** Where a page's answers lie, and what they cite. */
export interface Within {
  readonly days: PageDays;
  readonly cites: CitedNumbers | null;
}

/** The answers of a page, in order. */
export function placesStatement(plan: PlacesPlan, within: Within): Statement<typeof placeShape> {
  const listed = joined(
    " union all ",
    plan.rows.parts.map((part) => answersIn(part, plan, within)),
  );
  const after = afterPlace(plan);
  return {
    sql: `select cast(sequence as double), cast(answered_at as double)
      from (${listed.sql}) ${after.sql}
      order by answered_at desc, sequence desc limit ?`,
    values: [...listed.values, ...after.values, { type: "integer", value: plan.limit }],
    shape: placeShape,
  };
}

/** Rows of (sequence, answered_at) of a part's answers, each answer once. */
function answersIn(
  part: PlanPart,
  { rows, listed }: PlacesPlan,
  { days, cites }: Within,
): Fragment {
  const within = joined(" and ", [
    where(part, rows),
    {
      sql: "day >= ? and day < ?",
      values: [
        { type: "integer", value: days.first },
        { type: "integer", value: days.end },
      ],
    },
  ]);
  const from = (condition: Fragment) => {
    const conditions = joined(" and ", [within, condition, ...citing(cites, within)]);
    return { sql: `from appearances where ${conditions.sql}`, values: conditions.values };
  };
  if (listed.kind !== "without") {
    const { sql, values } = from(deciding(listed));
    return { sql: `select sequence, answered_at ${sql}`, values };
  }
  const all = from({ sql: "entity = 0", values: [] });
  const shown = from(ofEntity(listed.entity, measureColumns.visible));
  return {
    sql: `select sequence, answered_at from (select sequence, answered_at ${all.sql})
      anti join (select sequence ${shown.sql}) using (sequence)`,
    values: [...all.values, ...shown.values],
  };
}

/** The appearances that decide; entity 0 is the answer itself. */
function deciding(listed: Exclude<Listed, { readonly kind: "without" }>): Fragment {
  if (listed.kind === "any-entity") return anyEntity(listed);
  return ofEntity(listed.entity, measureColumns[listed.measure]);
}

function anyEntity({ measure, is }: Extract<Listed, { readonly kind: "any-entity" }>): Fragment {
  return { sql: `entity = 0 and ${anyEntityColumns[measure]} = ${Number(is)}`, values: [] };
}

function ofEntity(entity: number, column: string): Fragment {
  return { sql: `entity = ? and ${column} = 1`, values: [entityValue(entity)] };
}

function entityValue(value: number): BoundValue {
  return { type: "usmallint", value };
}

function afterPlace({ after }: PlacesPlan): Fragment {
  if (after === null) return { sql: "", values: [] };
  const instant: BoundValue = { type: "bigint", value: after.answeredAtMs };
  return {
    sql: "where answered_at <= ? and (answered_at < ? or sequence < ?)",
    values: [instant, instant, { type: "bigint", value: after.sequence }],
  };
}
