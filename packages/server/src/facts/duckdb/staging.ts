import { INTEGER } from "@duckdb/node-api";
import {
  answerColumns,
  answerDetailColumns,
  appearanceOwnColumns,
  type Column,
  createTable,
  listOf,
  summedInto,
  tableLayouts,
} from "./layout.ts";

/** Where a batch's rows wait. Temporary tables are neither in the file nor in its log. */
export const stages = {
  answers: {
    table: "batch_answers",
    columns: [["answer", INTEGER], ...answerColumns, ...answerDetailColumns],
  },
  appearances: {
    table: "batch_appearances",
    columns: [["answer", INTEGER], ...appearanceOwnColumns],
  },
  citations: {
    table: "batch_citations",
    columns: [
      ["answer", INTEGER],
      ["url", INTEGER],
    ],
  },
} as const satisfies Record<string, { table: string; columns: readonly Column[] }>;

const { appearances, citations } = tableLayouts;

/** Run once on the writer's connection. */
export const stagingLayout: readonly string[] = [
  ...Object.values(stages).map(({ table, columns }) =>
    createTable(table, columns, "temporary table"),
  ),
  createTable("new_appearances", appearances.columns, "temporary table"),
  createTable("new_citations", citations.columns, "temporary table"),
  `create temporary table batch_urls (
     place INTEGER not null, name VARCHAR not null, domain VARCHAR not null)`,
  `create temporary table numbered_urls (
     place INTEGER not null, name VARCHAR not null, number INTEGER not null,
     domain_number INTEGER not null, is_new BOOLEAN not null)`,
];

/** The batch's URLs, from two texts with a line each: $1 the URLs, $2 the domain of each. */
export const stageUrls = `insert into batch_urls
  select generate_subscripts(names, 1) - 1, unnest(names), unnest(domains)
  from (select string_split($1, chr(10)) as names, string_split($2, chr(10)) as domains)`;

/** From the stages to the appearances and their rollup, in this order. */
export const addAppearances: readonly string[] = [
  `insert into new_appearances
   select ${listOf([...answerColumns, ...answerDetailColumns], "batch_answers")},
     ${listOf(appearanceOwnColumns)}
   from batch_appearances join batch_answers using (answer)`,
  "insert into appearances select * from new_appearances",
  `insert into daily ${summedInto("daily", "new_appearances")}`,
];

/**
 * Gives numbers to the batch's new domains and URLs and adds its citations, in this order. The
 * account's URLs are many, so a batch looks through their names once.
 */
export const addCitations: readonly string[] = [
  `insert into domains (number, name)
   select (select coalesce(max(number), 0) from domains) + row_number() over (order by domain),
     domain
   from (select distinct domain from batch_urls) anti join domains on domains.name = domain`,
  `insert into numbered_urls
   select place, batch_urls.name, number, domain_number, false
   from batch_urls join urls on urls.name = batch_urls.name`,
  `insert into numbered_urls
   select place, fresh.name,
     (select coalesce(max(number), 0) from urls) + row_number() over (order by place),
     domains.number, true
   from (from batch_urls anti join numbered_urls using (place)) as fresh
   join domains on domains.name = fresh.domain`,
  `insert into urls (number, name, domain_number)
   select number, name, domain_number from numbered_urls where is_new order by place`,
  `insert into new_citations
   select ${listOf(answerColumns, "batch_answers")}, number, domain_number
   from batch_citations
   join batch_answers using (answer)
   join numbered_urls on place = url`,
  "insert into citations select * from new_citations",
  `insert into daily_domains
   ${summedInto("daily_domains", "(select *, 1 as citations from new_citations)")}`,
];

/** Empties the stages. */
export const clearStages: readonly string[] = [
  ...Object.values(stages).map(({ table }) => table),
  ...["new_appearances", "new_citations", "batch_urls", "numbered_urls"],
].map((table) => `truncate ${table}`);
