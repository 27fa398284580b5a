import { type DuckDBConnection, INTEGER, VARCHAR } from "@duckdb/node-api";
import { type Statement, sql } from "../../platform/sql.ts";
import { eachInTurns } from "../../platform/turns.ts";
import { factsVersion, promptLines, type Snapshot, type SnapshotPrompt } from "../snapshot.ts";
import type { Engine } from "./engine.ts";

/** What the facts of a generation begin with; prompts and topics have tables of their own. */
interface Header extends Omit<Snapshot, "topics" | "prompts"> {
  readonly generation: string;
}

const addTopics = `insert into topics
  select $1 + unnest(generate_series(1, len(ids))), unnest(ids)
  from (select string_split($2, chr(10)) as ids)`;

/** From the lines of promptLines. */
const addPrompts = `insert into prompts
  select $1 + place - 1, split_part(line, ' ', 1), cast(split_part(line, ' ', 2) as integer),
    cast(split_part(line, ' ', 3) as utinyint)
  from (
    select unnest(lines) as line, generate_subscripts(lines, 1) as place
    from (select string_split($2, chr(10)) as lines))`;

/** Adds a snapshot, of which some prompts and topics are there already. */
export async function addSnapshot(
  writer: DuckDBConnection,
  { snapshot, generation }: { readonly snapshot: Snapshot; readonly generation: string },
  there: { readonly topics: number; readonly prompts: number },
): Promise<void> {
  const { topics, prompts, ...rest } = snapshot;
  const header: Header = { ...rest, generation };
  const document = JSON.stringify(header);
  await writer.run("insert into snapshots select count(*), $1 from snapshots", [document]);
  const fill = async (statement: string, from: number, lines: string) => {
    await writer.run(statement, [from, lines], [INTEGER, VARCHAR]);
  };
  if (topics.length > there.topics) {
    await fill(addTopics, there.topics, topics.slice(there.topics).join("\n"));
  }
  if (prompts.length > there.prompts) {
    await fill(addPrompts, there.prompts, await promptLines(snapshot, there.prompts));
  }
}

const headerStatement = {
  query: sql`select document from snapshots order by number desc limit 1`,
  shape: { document: "text" },
} as const satisfies Statement<{ document: "text" }>;

const topicsStatement = {
  query: sql`select id from topics order by number`,
  shape: { id: "text" },
} as const satisfies Statement<{ id: "text" }>;

const promptsStatement = {
  query: sql`select prompts.id, topics.id as topic, branded
    from prompts left join topics on topics.number = prompts.topic order by prompts.number`,
  shape: { id: "text", topic: "text or null", branded: "number" },
} as const satisfies Statement<{ id: "text"; topic: "text or null"; branded: "number" }>;

const neverAborted = new AbortController().signal;

/** The snapshot in force, read in turns; of an older version of the facts, its versions alone. */
export async function readSnapshot(
  engine: Engine,
): Promise<{ readonly snapshot: Snapshot; readonly generation: string }> {
  const [row] = await engine.query(headerStatement, neverAborted);
  if (row === undefined) throw new Error("Corrupt facts file: it has no snapshot");
  const { generation = "", ...header } = JSON.parse(row.document) as Header;
  if (header.factsVersion !== factsVersion) {
    return { snapshot: { ...header, topics: [], prompts: [] }, generation };
  }
  const topics = await engine.query(topicsStatement, neverAborted);
  const rows = await engine.query(promptsStatement, neverAborted);
  const prompts: SnapshotPrompt[] = [];
  await eachInTurns(rows, ({ id, topic, branded }) => {
    prompts.push({ id, topicId: topic, branded: branded === 1 });
  });
  return { snapshot: { ...header, topics: topics.map(({ id }) => id), prompts }, generation };
}
