import {
  type Bound,
  constant,
  type Fragment,
  joined,
  type RowShape,
  type Statement,
  sql,
} from "../../platform/sql.ts";
import type { GroupedBy, StabilityPlan } from "../plan/insight-plans.ts";
import type { MeasurementPlan } from "../plan/measurement-plan.ts";
import type { PlanPart, RowSelection, SourcesPlan, TimeSeriesPlan } from "../plan/plan.ts";

/**
 * What the statements of this folder leave to an engine. Where engines are quick in different ways,
 * the whole statement is the engine's.
 */
export interface Dialect {
  /** A part's table and the conditions on its rows; more conditions may follow. */
  readonly from: (part: PlanPart, rows: RowSelection) => Fragment;
  /** The same of the rollup of all appearances. */
  readonly fromDaily: Fragment;
  /** All that was asked and not answered. */
  readonly fromUnanswered: Fragment;
  /** One row of `first` and `last`: the instants of the account's first and last answer. */
  readonly instants: Fragment;
  /** Rows of (number, name): the domains that the account's answers cite. */
  readonly domainNames: Fragment;
  /** The same of pages, by their canonical URLs. */
  readonly urlNames: Fragment;
  /** Whether a text matches a regular expression of RE2's syntax. */
  readonly matches: (text: Fragment, pattern: Bound) => Fragment;
  /** A column that rows are grouped by in addition to their prompt. */
  readonly groupedWithPrompt: (column: Fragment) => Fragment;
  /** Whether a row's entity is one of a list. */
  readonly isEntityAmong: (entities: readonly number[]) => Fragment;
  /** Whether a value is one of a list. */
  readonly isAmong: (column: Fragment, sources: Bound) => Fragment;
  /** The place of a row's source in such a list, from 1. */
  readonly placeAmong: (sources: Bound, column: Fragment) => Fragment;
  /** The number at a place of a list, from 1; null or 0 beyond its end. */
  readonly numberAt: (list: Bound, place: Fragment) => Fragment;
  /** SHA-256 of a text and the digits of a number after it, in the order of its bytes. */
  readonly hashOf: (text: Bound, number: Fragment) => Fragment;
  /** A number of the row before in a window, or another where there is none. */
  readonly previousOf: (column: Fragment, window: NeighbourIn) => Fragment;
  /** The same of the row after. */
  readonly nextOf: (column: Fragment, window: NeighbourIn) => Fragment;
  /** The distinct values of a column of each group, as a list. */
  readonly distinctOf: (column: Fragment) => Fragment;
  /** A row for each value of a list. */
  readonly eachOf: (list: Fragment) => Fragment;
  /** Sums by bucket and entity, in no order, with those of squares and products over prompts. */
  readonly spread: (plan: TimeSeriesPlan) => Statement<typeof spreadShape>;
  /** Pairs of consecutive answers by how alike they are, those without any citation left out. */
  readonly stability: (plan: StabilityPlan) => Statement<typeof alikePairsShape>;
  /** Pairs of consecutive answers by how far apart they lie and how alike their mentions are. */
  readonly retests: (plan: MeasurementPlan) => Statement<typeof retestPairsShape>;
  /** The sources of a page, in order; one row without a source when the page is empty. */
  readonly sources: (plan: SourcesPlan) => Statement<typeof pageShape>;
}

/** The rows among which a neighbour is found. */
interface NeighbourIn {
  readonly partition: Fragment;
  readonly order: Fragment;
  /** What a row without one has. */
  readonly unless: number;
}

/** Sums of one entity in one bucket, and how they vary over prompts. */
export const spreadShape = {
  bucket: "number",
  entity: "number",
  prompts: "number",
  /** Of the plan's first measure. */
  sum: "number",
  /** Of its second, or 0. */
  mentions: "number",
  numeratorSquares: "number",
  denominatorSquares: "number",
  products: "number",
} as const satisfies RowShape;

/** See AlikePairs. */
export const alikePairsShape = {
  group: "number",
  shared: "number",
  either: "number",
  pairs: "number",
} as const satisfies RowShape;

/** See RetestPairs. */
export const retestPairsShape = {
  days: "number",
  brandDiffers: "number",
  shared: "number",
  either: "number",
  pairs: "number",
} as const satisfies RowShape;

/** A source of a page, with the sums over all sources; without a source, these alone. */
export const pageShape = {
  total: "number",
  allCitations: "number",
  source: "text or null",
  citations: "number or null",
} as const satisfies RowShape;

/** What sources are counted by. */
export const sourceColumns = { domain: sql`domain_number`, url: sql`url_number` } as const;

/** A source by the numbers of its names; null: any. */
export interface CitedNumbers {
  readonly domain: Bound | null;
  readonly url: Bound | null;
}

/** The citations of a source. */
export function ofSource({ domain, url }: CitedNumbers): Fragment {
  return joined(sql` and `, [
    ...(domain === null ? [] : [sql`${sourceColumns.domain} = ${domain}`]),
    ...(url === null ? [] : [sql`${sourceColumns.url} = ${url}`]),
  ]);
}

/** What answers are grouped by; 0 without a grouping, and of models that are not listed. */
export function groupColumn(
  groupBy: GroupedBy | null,
  { placeAmong, numberAt }: Pick<Dialect, "placeAmong" | "numberAt">,
): Fragment {
  if (groupBy === null) return sql`0`;
  if (typeof groupBy === "string") return constant(groupBy);
  if ("sets" in groupBy) {
    const sets = { type: "Array(Int32)", value: groupBy.sets } as const;
    return sql`coalesce(${numberAt(sets, sql`prompt + 1`)}, 0)`;
  }
  const models = { type: "Array(Int32)", value: groupBy.models } as const;
  return sql`coalesce(${placeAmong(models, sql`model`)}, 0)`;
}

/** A statement for each part, as one: it is given the table and conditions, and may add some. */
export function eachPart(
  rows: RowSelection,
  { from }: Pick<Dialect, "from">,
  statement: (from: Fragment, part: PlanPart) => Fragment,
): Fragment {
  return joined(
    sql` union all `,
    rows.parts.map((part) => statement(from(part, rows), part)),
  );
}
