import type { AppearanceMeasure, Listed, PlacesPlan } from "../../analytics/places-plan.ts";
import type { PlanPart } from "../../analytics/plan.ts";
import { type Fragment, joined, type Statement, sql } from "../../platform/clickhouse/statement.ts";
import { type Counted, where } from "./conditions.ts";
import { tableOf } from "./statements.ts";

const measureColumns: Readonly<Record<AppearanceMeasure, Fragment>> = {
  mentioned: sql`mentioned`,
  cited: sql`cited`,
  visible: sql`visible`,
};

const placeShape = {
  total: "number",
  sequence: "number or null",
  answeredAtMs: "number or null",
} as const;

/** A row with the number of all answers and without one, then the answers of a page, in order. */
export function placesStatement(plan: PlacesPlan, counted: Counted): Statement<typeof placeShape> {
  const parts = plan.rows.parts.map((part) => answersIn(part, plan, counted));
  const listed = joined(sql` union all `, parts);
  return {
    // By day first, which changes nothing: so the server reads rows in the order in which they lie.
    query: sql`select total, sequence, answered_at from (
        select count() as total, cast(null as Nullable(UInt64)) as sequence,
          cast(null as Nullable(Int64)) as answered_at
        from (${listed})
        union all
        select 0, sequence, answered_at from (
          select sequence, answered_at from (${listed}) ${afterPlace(plan)}
          order by day desc, answered_at desc, sequence desc
          limit ${{ type: "UInt64", value: plan.limit }}
        )
      )
      order by answered_at desc nulls first, sequence desc`,
    shape: placeShape,
  };
}

/** Rows of (sequence, answered_at, day) of a part's answers, each answer once. */
function answersIn(part: PlanPart, { rows, listed }: PlacesPlan, counted: Counted): Fragment {
  const table = tableOf(part, rows);
  const from = (condition: Fragment): Fragment =>
    sql`select sequence, answered_at, day from ${table}
      where ${where(part, rows, counted)} and ${condition}`;
  const rowsThat = matching(listed);
  if (!isJoined(listed)) return from(rowsThat);
  const within = listed.kind === "without" ? sql`not in` : sql`in`;
  return from(sql`entity = 0 and sequence ${within} (
    select sequence from ${table} where ${where(part, rows, counted)} and ${rowsThat}
  )`);
}

/** Whether an answer may have several rows that decide, or none. */
function isJoined(listed: Listed): boolean {
  if (listed.kind === "any-entity") return listed.measure !== "mentioned";
  return listed.kind === "without";
}

/** The appearances that decide; entity 0 is the answer itself. */
function matching(listed: Listed): Fragment {
  switch (listed.kind) {
    case "all":
      return sql`entity = 0`;
    case "entity":
      return ofEntity(listed.entity, measureColumns[listed.measure]);
    case "any-entity":
      // Of the entities that an answer mentions, one alone is the first.
      if (listed.measure === "mentioned") return sql`rank = 1`;
      return sql`entity > 0 and ${measureColumns[listed.measure]} = 1`;
    case "without":
      if (listed.entity === null) return sql`entity > 0`;
      return ofEntity(listed.entity, measureColumns.visible);
  }
}

function ofEntity(entity: number, column: Fragment): Fragment {
  return sql`entity = ${{ type: "UInt16", value: entity }} and ${column} = 1`;
}

function afterPlace({ after }: PlacesPlan): Fragment {
  if (after === null) return sql``;
  const { answeredAtMs, sequence } = after;
  const instant = { type: "Int64", value: answeredAtMs } as const;
  return sql`where answered_at <= ${instant}
    and (answered_at < ${instant} or sequence < ${{ type: "UInt64", value: sequence }})`;
}
