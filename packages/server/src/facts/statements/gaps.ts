import type { SourceForm } from "@sightline/contract";
import {
  constant,
  type Fragment,
  joined,
  type RowShape,
  type Statement,
  sql,
} from "../../platform/sql.ts";
import { formPatterns } from "../kinds/source-kinds.ts";
import { meanGapPrompts, type SourceGapsPlan } from "../plan/gap-plans.ts";
import type { CitedNamesPlan, ListedNames } from "../plan/source-plans.ts";
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
  firstCitedMs: "number or null",
  lastCitedMs: "number or null",
} as const satisfies RowShape;

/** The columns of `gapSums` that a page has: those of gapsShape after the source. */
export const gapColumnNames = [
  ...["citations", "answers", "prompt_squares"],
  ...["with_brand", "with_brand_only", "with_competitor_only", "first_cited", "last_cited"],
] as const;

/** The same as a list of SQL. */
export const gapColumns = constant(gapColumnNames.join(", "));

/**
 * Every cited source once: (number, listed, gapColumns), where `listed` is 0 or 1.
 */
export function gapSums(
  plan: SourceGapsPlan,
  listed: CitedNumbers | null,
  dialect: Dialect,
): Fragment {
  const { rows, answers, groupBy } = plan;
  const column = sourceColumns[groupBy];
  const conditions = listing(plan, listed, dialect);
  const isListed =
    conditions.length === 0 ? sql`1` : sql`max(cast(${joined(sql` and `, conditions)} as integer))`;
  const prompt = dialect.groupedWithPrompt(sql`prompt`);
  const cited = eachPart(rows, dialect, (from) => {
    return sql`select ${column} as number, sequence, ${prompt} as of_prompt, count(*) as cites,
        min(answered_at) as cited_at, ${isListed} as is_listed
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
      cast(sum(competitor_only) as double) as with_competitor_only,
      cast(min(first_at) as double) as first_cited, cast(max(last_at) as double) as last_cited
    from (
      select number, of_prompt, max(is_listed) as some_listed, sum(cites) as prompt_cites,
        min(cited_at) as first_at, max(cited_at) as last_at,
        count(*) as citing, count(*) filter (where has_brand) as brand,
        count(*) filter (where has_brand and not has_competitor) as brand_only,
        count(*) filter (where has_competitor and not has_brand) as competitor_only
      from (${cited}) as citing_answers left join (${seen}) as seen using (sequence)
      group by number, of_prompt
    ) as by_prompt
    group by number`;
}

/** The conditions on citations whose sources are listed; none: all are. */
function listing(
  { named, forms }: SourceGapsPlan,
  listed: CitedNumbers | null,
  dialect: Dialect,
): readonly Fragment[] {
  return [
    ...(listed === null ? [] : [ofSource(listed)]),
    ...(named === null ? [] : [ofNames(named, dialect)]),
    ...(forms === null ? [] : [ofForms(forms, dialect)]),
  ];
}

function ofNames({ domains, isNegated, pages }: ListedNames, dialect: Dialect): Fragment {
  const among = (names: Fragment, value: readonly string[]) =>
    sql`in (select number from (${names}) as named
      where ${dialect.isAmong(sql`name`, { type: "Array(String)", value })})`;
  const not = isNegated ? sql`not ` : sql``;
  const ofDomain = sql`domain_number ${not}${among(dialect.domainNames, domains)}`;
  if (pages.length === 0) return ofDomain;
  return sql`(${ofDomain} or url_number ${among(dialect.urlNames, pages)})`;
}

/** The form of a page is what the first pattern says that its URL matches, as `formOf` has it. */
function ofForms(forms: readonly SourceForm[], dialect: Dialect): Fragment {
  const text = (value: string) => ({ type: "String", value }) as const;
  const cases = formPatterns.map(([form, pattern]) => {
    return sql`when ${dialect.matches(sql`lower(name)`, text(pattern))} then ${text(form)}`;
  });
  const form = sql`case ${joined(sql` `, cases)} else ${text("other")} end`;
  return sql`url_number in (select number from (${dialect.urlNames}) as named
    where ${dialect.isAmong(form, { type: "Array(String)", value: forms })})`;
}

const citedNameShape = { name: "text", citations: "number" } as const;

/** The cited sources with their citations; one more row than the plan allows at most. */
export function citedNamesStatement(
  { rows, groupBy, domains, rowsMax }: CitedNamesPlan,
  dialect: Dialect,
): Statement<typeof citedNameShape> {
  const column = sourceColumns[groupBy];
  const within =
    domains === null
      ? sql``
      : sql` and ${ofNames({ domains, isNegated: false, pages: [] }, dialect)}`;
  const cited = eachPart(rows, dialect, (from) => {
    return sql`select ${column} as number, count(*) as cites from ${from}${within}
      group by ${column}`;
  });
  const names = groupBy === "domain" ? dialect.domainNames : dialect.urlNames;
  return {
    query: sql`select name, cast(sum(cites) as double) as citations
      from (${cited}) as cited inner join (${names}) as named using (number)
      group by name limit ${{ type: "Int64", value: rowsMax + 1 }}`,
    shape: citedNameShape,
  };
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
