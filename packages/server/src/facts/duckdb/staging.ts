import { setImmediate } from "node:timers/promises";
import { type DuckDBConnection, DuckDBDataChunk, INTEGER } from "@duckdb/node-api";
import type { AnswerColumns, FactRows } from "../columns.ts";
import {
  answerColumns,
  answerDetailColumns,
  appearanceOwnColumns,
  type Column,
  createTable,
  listOf,
  nameOwnColumns,
  summedInto,
  tableLayouts,
} from "./layout.ts";

/** Where a batch's rows wait. Temporary tables are neither in the file nor in its log. */
const stages = {
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
  queries: {
    table: "batch_queries",
    columns: [
      ["line", INTEGER],
      ["answer", INTEGER],
    ],
  },
  names: {
    table: "batch_names",
    columns: [["line", INTEGER], ["answer", INTEGER], ...nameOwnColumns],
  },
} as const satisfies Record<string, { table: string; columns: readonly Column[] }>;

const { appearances, citations, unanswered } = tableLayouts;

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
const stageUrls = `insert into batch_urls
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

/** Adds the batch's queries, by their keys, a line each ($1). */
const addQueries = `insert into queries
  select ${listOf(answerColumns, "batch_answers")}, keys.query_key
  from (
    select generate_subscripts(lines, 1) - 1 as line, unnest(lines) as query_key
    from (select string_split($1, chr(10)) as lines)
  ) as keys
  join batch_queries using (line)
  join batch_answers using (answer)`;

/** Adds the batch's names, by their domains, a line each ($1). */
const addNames = `insert into names
  select ${listOf(answerColumns, "batch_answers")}, ${listOf(nameOwnColumns, "batch_names")},
    domains.domain
  from (
    select generate_subscripts(lines, 1) - 1 as line, unnest(lines) as domain
    from (select string_split($1, chr(10)) as lines)
  ) as domains
  join batch_names using (line)
  join batch_answers using (answer)`;

/** Empties the stages. */
const clearStages: readonly string[] = [
  ...Object.values(stages).map(({ table }) => table),
  ...["new_appearances", "new_citations", "batch_urls", "numbered_urls"],
].map((table) => `truncate ${table}`);

/** Adds a batch's rows, their sums and its watermark, within the writer's transaction. */
export async function appendFactRows(writer: DuckDBConnection, rows: FactRows): Promise<void> {
  if (rows.answers.day.length > 0) {
    await stageAnswers(writer, rows);
    for (const step of addAppearances) await writer.run(step);
    if (rows.urls.count > 0) {
      await stageCitations(writer, rows);
      for (const step of addCitations) await writer.run(step);
    }
    if (rows.queries.answer.length > 0) {
      const { answer, keys } = rows.queries;
      await appendColumns(writer, stages.queries, [Int32Array.from(answer.keys()), answer]);
      await writer.run(addQueries, [keys]);
    }
    if (rows.names.answer.length > 0) {
      const { answer, number, bits, owner, place, begins, ends, domains } = rows.names;
      const lines = Int32Array.from(answer.keys());
      const values = [lines, answer, number, bits, owner, place, begins, ends];
      await appendColumns(writer, stages.names, values);
      await writer.run(addNames, [domains]);
    }
    for (const step of clearStages) await writer.run(step);
  }
  const { month, word, lower, capital } = rows.words;
  const words = { table: "words", columns: tableLayouts.words.columns };
  await appendColumns(writer, words, [month, word, lower, capital]);
  await appendColumns(writer, { table: "unanswered", columns: unanswered.columns }, [
    ...answerValues(rows.unanswered),
    rows.unanswered.outcome,
  ]);
  for (const id of rows.skippedPrompts) {
    await writer.run("insert into skipped_prompts values ($1)", [id]);
  }
  const { sequence, stamp } = rows.mark;
  await writer.run("insert into watermarks values ($1, $2)", [BigInt(sequence), stamp]);
}

/** In the order of the stages' columns. */
async function stageAnswers(
  writer: DuckDBConnection,
  { answers, details, appearances }: FactRows,
): Promise<void> {
  await appendColumns(writer, stages.answers, [
    Int32Array.from(answers.day.keys()),
    ...answerValues(answers),
    details.language,
    details.any_mentioned,
    details.any_cited,
    details.any_visible,
  ]);
  await appendColumns(writer, stages.appearances, [
    appearances.answer,
    appearances.entity,
    appearances.mentioned,
    appearances.cited,
    appearances.visible,
    appearances.rank,
    appearances.portrayal,
  ]);
}

/** In the order of answerColumns. */
function answerValues(answers: AnswerColumns): readonly (Int32Array | BigInt64Array)[] {
  return [
    answers.sequence,
    answers.answeredAt,
    answers.day,
    answers.week,
    answers.month,
    answers.prompt,
    answers.topic,
    answers.provider,
    answers.region,
    answers.branded,
    answers.model,
    answers.surface,
  ];
}

/** The texts go over in one piece: the engine cuts them up on a thread of its own. */
async function stageCitations(
  writer: DuckDBConnection,
  { citations, urls }: FactRows,
): Promise<void> {
  await appendColumns(writer, stages.citations, [citations.answer, citations.url]);
  await writer.run(stageUrls, [urls.names, urls.domains]);
}

/** The most rows that one of the engine's chunks holds. */
const chunkRowsMax = 2_048;

/**
 * Appends rows, given as columns side by side, within the connection's transaction. Others go on
 * after each chunk: the engine takes it on this thread.
 */
async function appendColumns(
  connection: DuckDBConnection,
  { table, columns }: { readonly table: string; readonly columns: readonly Column[] },
  values: readonly (Int32Array | BigInt64Array)[],
): Promise<void> {
  const rows = values[0]?.length ?? 0;
  if (rows === 0) return;
  const types = columns.map(([, type]) => type);
  const appender = await connection.createAppender(table);
  for (let start = 0; start < rows; start += chunkRowsMax) {
    const end = Math.min(start + chunkRowsMax, rows);
    const chunk = DuckDBDataChunk.create(types, end - start);
    for (const [index, column] of values.entries()) {
      const vector = chunk.getColumnVector(index);
      for (let row = start; row < end; row++) vector.setItem(row - start, column[row] ?? null);
      vector.flush();
    }
    appender.appendDataChunk(chunk);
    appender.flushSync();
    await setImmediate();
  }
  appender.closeSync();
}
