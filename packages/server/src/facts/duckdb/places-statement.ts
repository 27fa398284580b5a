import type { AppearanceMeasure, Listed, PlacesPlan } from "../../analytics/places-plan.ts";
import type { PlanPart } from "../../analytics/plan.ts";
import { where } from "./conditions.ts";
import { type BoundValue, type Fragment, joined, type Statement } from "./statement.ts";

const measureColumns: Readonly<Record<AppearanceMeasure, string>> = {
  mentioned: "mentioned",
  cited: "cited",
  visible: "visible",
};

const placeShape = {
  total: "number",
  sequence: "number or null",
  answeredAtMs: "number or null",
} as const;

/** The answers of a page, in order, each with the number of all; one row without one when empty. */
export function placesStatement(plan: PlacesPlan): Statement<typeof placeShape> {
  const listed = joined(
    " union all ",
    plan.rows.parts.map((part) => answersIn(part, plan)),
  );
  const after = afterPlace(plan);
  // To read rows twice takes half the time of keeping them, unless they are joined.
  const kept = isJoined(plan.listed) ? "materialized" : "not materialized";
  return {
    sql: `with listed as ${kept} (${listed.sql}), totals as (
        select cast(count(*) as double) as total from listed
      ), page as (
        select sequence, answered_at from listed ${after.sql}
        order by answered_at desc, sequence desc limit ?
      )
      select total, cast(sequence as double), cast(answered_at as double)
      from totals left join page on true order by answered_at desc, sequence desc`,
    values: [...listed.values, ...after.values, { type: "integer", value: plan.limit }],
    shape: placeShape,
  };
}

/** Rows of (sequence, answered_at) of a part's answers, each answer once. */
function answersIn(part: PlanPart, { rows, listed }: PlacesPlan): Fragment {
  const from = (which: Fragment, condition: Fragment): Fragment =>
    joined(" ", [
      { sql: "select sequence, answered_at from appearances", values: [] },
      which,
      { sql: "where", values: [] },
      joined(" and ", [where(part, rows), condition]),
    ]);
  const rowsThat = matching(listed);
  if (!isJoined(listed)) return from(nothing, rowsThat);
  const join = listed.kind === "without" ? "anti join" : "semi join";
  const inside = joined(" and ", [where(part, rows), rowsThat]);
  const others = {
    sql: `${join} (select sequence from appearances where ${inside.sql}) as others
      using (sequence)`,
    values: inside.values,
  };
  return from(others, matching({ kind: "all" }));
}

const nothing: Fragment = { sql: "", values: [] };

/** Whether an answer may have several rows that decide, or none. */
function isJoined(listed: Listed): boolean {
  if (listed.kind === "any-entity") return listed.measure !== "mentioned";
  return listed.kind === "without";
}

/** The appearances that decide; entity 0 is the answer itself. */
function matching(listed: Listed): Fragment {
  switch (listed.kind) {
    case "all":
      return { sql: "entity = 0", values: [] };
    case "entity":
      return ofEntity(listed.entity, measureColumns[listed.measure]);
    case "any-entity":
      // Of the entities that an answer mentions, one alone is the first.
      if (listed.measure === "mentioned") return { sql: "rank = 1", values: [] };
      return { sql: `entity > 0 and ${measureColumns[listed.measure]} = 1`, values: [] };
    case "without":
      if (listed.entity === null) return { sql: "entity > 0", values: [] };
      return ofEntity(listed.entity, measureColumns.visible);
  }
}

function ofEntity(entity: number, column: string): Fragment {
  const value: BoundValue = { type: "usmallint", value: entity };
  return { sql: `entity = ? and ${column} = 1`, values: [value] };
}

function afterPlace({ after }: PlacesPlan): Fragment {
  if (after === null) return nothing;
  const instant: BoundValue = { type: "bigint", value: after.answeredAtMs };
  return {
    sql: "where answered_at <= ? and (answered_at < ? or sequence < ?)",
    values: [instant, instant, { type: "bigint", value: after.sequence }],
  };
}
