import { type Fragment, type Statement, sql } from "../../platform/sql.ts";
import type { QueriesFound, QueriesPlan } from "../plan/source-plans.ts";
import { type Dialect, eachPart } from "./dialect.ts";
import type { Reader } from "./measurement.ts";

const pageShape = { key: "text", answers: "number", total: "number" } as const;

/** The queries of a page, in order, each with how many there are on all pages. */
function pageStatement(
  { rows, limit, after }: QueriesPlan,
  dialect: Dialect,
): Statement<typeof pageShape> {
  const searched = eachPart(rows, dialect, (from) => sql`select query_key from ${from}`);
  const count = { type: "Int64", value: after?.answers ?? 0 } as const;
  const later =
    after === null
      ? sql``
      : sql`where answers < ${count} or (answers = ${count}
          and query_key > ${{ type: "String", value: after.key }})`;
  return {
    query: sql`select query_key, cast(answers as double), cast(total as double) from (
        select query_key, answers, count(*) over () as total from (
          select query_key, count(*) as answers from (${searched}) as searched group by query_key
        ) as counted
      ) as ranked ${later}
      order by answers desc, query_key limit ${{ type: "Int64", value: limit + 1 }}`,
    shape: pageShape,
  };
}

const answersShape = {
  key: "text",
  prompt: "number",
  provider: "number",
  answers: "number",
  firstMs: "number",
  lastMs: "number",
  sequence: "number",
} as const;

const amongQueries = (keys: readonly string[], dialect: Dialect): Fragment =>
  dialect.isAmong(sql`query_key`, { type: "Array(String)", value: keys });

/** The answers behind queries, by prompt and provider. */
function answersStatement(
  { rows }: QueriesPlan,
  keys: readonly string[],
  dialect: Dialect,
): Statement<typeof answersShape> {
  const found = eachPart(rows, dialect, (from) => {
    return sql`select query_key, prompt, provider, answered_at, sequence from ${from}
      and ${amongQueries(keys, dialect)}`;
  });
  return {
    query: sql`select query_key, prompt, provider, cast(count(*) as double),
        cast(min(answered_at) as double), cast(max(answered_at) as double),
        cast(max(sequence) as double)
      from (${found}) as found group by query_key, prompt, provider`,
    shape: answersShape,
  };
}

const appearancesShape = {
  key: "text",
  prompt: "number",
  entity: "number",
  mentioned: "number",
  cited: "number",
} as const;

/** What the answers behind queries say of entities, by prompt. */
function appearancesStatement(
  { rows, answers, entities }: QueriesPlan,
  keys: readonly string[],
  dialect: Dialect,
): Statement<typeof appearancesShape> {
  const found = eachPart(rows, dialect, (from) => {
    return sql`select query_key, sequence from ${from} and ${amongQueries(keys, dialect)}`;
  });
  const shown = eachPart(answers, dialect, (from) => {
    return sql`select sequence, prompt, entity, mentioned, cited from ${from}
      and ${dialect.isEntityAmong(entities)}`;
  });
  return {
    query: sql`select query_key, prompt, entity, cast(sum(mentioned) as double),
        cast(sum(cited) as double)
      from (${found}) as found inner join (${shown}) as shown using (sequence)
      group by query_key, prompt, entity`,
    shape: appearancesShape,
  };
}

const searchedShape = { provider: "number", answers: "number", searched: "number" } as const;

/** How many answers of each provider searched. */
function searchedStatement(
  { rows, answers }: QueriesPlan,
  dialect: Dialect,
): Statement<typeof searchedShape> {
  const all = eachPart(answers, dialect, (from) => {
    return sql`select provider, cast(count(*) as double) as own, cast(0 as double) as searching
      from ${from} and entity = 0 group by provider`;
  });
  const searched = eachPart(rows, dialect, (from) => {
    return sql`select provider, cast(0 as double) as own,
        cast(count(distinct sequence) as double) as searching
      from ${from} group by provider`;
  });
  return {
    query: sql`select provider, sum(own), sum(searching)
      from (${all} union all ${searched}) as counted group by provider order by provider`,
    shape: searchedShape,
  };
}

/** Reads a page of queries with one query more than the page has. */
export async function readQueries(
  { query, dialect }: Reader,
  plan: QueriesPlan,
): Promise<QueriesFound> {
  const page = await query(pageStatement(plan, dialect));
  const keys = page.map((each) => each.key);
  const nothing = keys.length === 0;
  return {
    page,
    total: page[0]?.total ?? 0,
    answers: nothing ? [] : await query(answersStatement(plan, keys, dialect)),
    appearances: nothing ? [] : await query(appearancesStatement(plan, keys, dialect)),
    searched: await query(searchedStatement(plan, dialect)),
  };
}
