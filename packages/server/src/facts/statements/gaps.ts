import { constant, type Fragment, type RowShape, sql } from "../../platform/sql.ts";
import { meanGapPrompts, type SourceGapsPlan } from "../plan/insight-plans.ts";
import { type CitedNumbers, type Dialect, eachPart, ofSource, sourceColumns } from "./dialect.ts";

/** A source of a page with its gap, and sums over all sources; without a source, these alone. */
export const gapsShape = {
  total: "number",
  allCitations: "number",
  allAnswers: "number",
  allCiting: "number",
  allGaps: "number",
  source: "text or null",
  citations: "number or null",
  answers: "number or null",
  promptSquares: "number or null",
  withBrand: "number or null",
  withBrandOnly: "number or null",
  withCompetitorOnly: "number or null",
} as const satisfies RowShape;

/** The columns of `gapSums` that a page has: those of gapsShape after the source. */
export const gapColumnNames = [
  ...["citations", "answers", "prompt_squares"],
  ...["with_brand", "with_brand_only", "with_competitor_only"],
] as const;

/** The same as a list of SQL. */
export const gapColumns = constant(gapColumnNames.join(", "));

/**
 * Every cited source once: (number, listed, gapColumns), where `listed` is 0 or 1.
 */
export function gapSums(
  { rows, answers, groupBy }: SourceGapsPlan,
  listed: CitedNumbers | null,
  dialect: Dialect,
): Fragment {
  const column = sourceColumns[groupBy];
  const isListed = listed === null ? sql`1` : sql`max(cast(${ofSource(listed)} as integer))`;
  const prompt = dialect.groupedWithPrompt(sql`prompt`);
  const cited = eachPart(rows, dialect, (from) => {
    return sql`select ${column} as number, sequence, ${prompt} as of_prompt, count(*) as cites,
        ${isListed} as is_listed
      from ${from} group by ${column}, sequence, ${prompt}`;
  });
  const seen = eachPart(answers, dialect, (from) => {
    return sql`select sequence, max(entity = 1) as has_brand, max(entity > 1) as has_competitor
      from ${from} and entity > 0 and visible = 1 group by sequence`;
  });
  return sql`select number, max(some_listed) as listed, cast(sum(prompt_cites) as double) as
      citations, cast(sum(citing) as double) as answers,
      cast(sum(citing * citing) as double) as prompt_squares,
      cast(sum(brand) as double) as with_brand, cast(sum(brand_only) as double) as with_brand_only,
      cast(sum(competitor_only) as double) as with_competitor_only
    from (
      select number, of_prompt, max(is_listed) as some_listed, sum(cites) as prompt_cites,
        count(*) as citing, count(*) filter (where has_brand) as brand,
        count(*) filter (where has_brand and not has_competitor) as brand_only,
        count(*) filter (where has_competitor and not has_brand) as competitor_only
      from (${cited}) as citing_answers left join (${seen}) as seen using (sequence)
      group by number, of_prompt
    ) as by_prompt
    group by number`;
}

/** How many answers pass the filters, those that cite nothing included. */
export function answerCount({ answers }: SourceGapsPlan, dialect: Dialect): Fragment {
  const counts = eachPart(answers, dialect, (from) => {
    return sql`select count(*) as own from ${from} and entity = 0`;
  });
  return sql`(select cast(coalesce(sum(own), 0) as double) from (${counts}) as counted)`;
}

/**
 * What sources are ranked by, the largest first: their citations, or a multiple of their
 * opportunity, which is `opportunityOf` without what all sources are divided by. One division of
 * whole numbers: opportunities that are equal are equal here, on every engine.
 */
export function rankOf({ orderBy }: SourceGapsPlan): Fragment {
  if (orderBy === "citations") return sql`citations`;
  const effective = constant(
    "floor((2 * answers * answers + prompt_squares) / (2 * prompt_squares))",
  );
  const mean = constant(String(meanGapPrompts));
  return sql`(${effective} * with_competitor_only * all_citing + ${mean} * all_gaps * answers)
    / (${effective} + ${mean})`;
}
