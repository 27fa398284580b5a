import type { Pool, PoolClient } from "pg";
import type { RecordMark } from "../../answers/answer-store.ts";
import { eachInTurns } from "../../platform/turns.ts";
import { promptLines, type Snapshot, type SnapshotPrompt } from "../snapshot.ts";
import type { VisibleRows } from "./visible-rows.ts";

/** What PostgreSQL says of a generation of facts. */
export interface GenerationState extends VisibleRows {
  readonly mark: RecordMark;
  /** The last number that was given to a batch. */
  readonly reserved: number;
  /** Changes when its snapshot is extended. */
  readonly snapshotNumber: number;
  /** How many prompts were left out; their ids only ever become more. */
  readonly skippedCount: number;
  /** Of its answers that count, in milliseconds since 1970; null: there is none. */
  readonly firstMs: number | null;
  readonly lastMs: number | null;
  /** Rows of rollups after the last fold, and of those that came since. */
  readonly foldRows: number;
  readonly rowsSinceFold: number;
}

type Digits = string | number;

interface StateRow {
  readonly account_id: string;
  readonly generation: Digits;
  readonly committed: number;
  readonly reserved: number;
  readonly abandoned: readonly number[];
  readonly fold: number;
  readonly mark_sequence: Digits;
  readonly mark_stamp: string;
  readonly snapshot_number: number;
  readonly skipped_count: number;
  readonly first_at: Digits | null;
  readonly last_at: Digits | null;
  readonly fold_rows: Digits;
  readonly rows_since_fold: Digits;
}

/** Of cluster_generations, under this name. */
export const stateColumns = `
  generations.account_id, generations.generation, generations.committed, generations.abandoned,
  generations.reserved, generations.fold, generations.mark_sequence, generations.mark_stamp,
  generations.snapshot_number, generations.skipped_count, generations.first_at,
  generations.last_at, generations.fold_rows, generations.rows_since_fold`;

/** The generation that answers, or null. */
export async function currentState(pool: Pool, accountId: string): Promise<GenerationState | null> {
  const { rows } = await pool.query<StateRow>(
    `select ${stateColumns} from cluster_facts as facts
     join cluster_generations as generations on generations.generation = facts.current
     where facts.account_id = $1`,
    [accountId],
  );
  return rows[0] === undefined ? null : toState(rows[0]);
}

/** A state from its row. */
export function toState(row: StateRow): GenerationState {
  const { committed, abandoned } = row;
  return {
    accountId: row.account_id,
    generation: Number(row.generation),
    batch: committed,
    abandoned: rangesOf(abandoned.filter((batch) => batch < committed)),
    reserved: row.reserved,
    fold: row.fold,
    mark: { sequence: Number(row.mark_sequence), stamp: row.mark_stamp },
    snapshotNumber: row.snapshot_number,
    skippedCount: row.skipped_count,
    firstMs: row.first_at === null ? null : Number(row.first_at),
    lastMs: row.last_at === null ? null : Number(row.last_at),
    foldRows: Number(row.fold_rows),
    rowsSinceFold: Number(row.rows_since_fold),
  };
}

/**
 * Numbers as the ranges that they form: an engine that refuses batches for a day leaves thousands
 * in a row, which every statement would name.
 */
function rangesOf(numbers: readonly number[]): readonly (readonly [number, number])[] {
  const ranges: [number, number][] = [];
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const range = ranges.at(-1);
    if (range !== undefined && range[1] >= number - 1) range[1] = number;
    else ranges.push([number, number]);
  }
  return ranges;
}

interface DocumentRow {
  readonly header: string;
  readonly topics: string;
  readonly prompts: string;
  readonly snapshot_number: number;
}

/** A snapshot as PostgreSQL has it: the header as JSON, topics and prompts line by line. */
export async function documentsOf(snapshot: Snapshot): Promise<readonly string[]> {
  const { topics, prompts, ...header } = snapshot;
  return [
    JSON.stringify(header),
    topics.join("\n"),
    await promptLines({ ...header, topics, prompts }),
  ];
}

/** The snapshot of a generation, read in turns; null: the generation is gone. */
export async function readSnapshot(
  pool: Pool,
  generation: number,
): Promise<{ readonly snapshot: Snapshot; readonly number: number } | null> {
  const { rows } = await pool.query<DocumentRow>(
    `select header, topics, prompts, snapshot_number
     from cluster_generations where generation = $1`,
    [generation],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const topics = linesOf(row.topics);
  const prompts: SnapshotPrompt[] = [];
  await eachInTurns(linesOf(row.prompts), (line) => {
    const [id = "", topic, branded] = line.split(" ");
    prompts.push({ id, topicId: topics[Number(topic) - 1] ?? null, branded: branded === "1" });
  });
  const header = JSON.parse(row.header) as Omit<Snapshot, "topics" | "prompts">;
  return { snapshot: { ...header, topics, prompts }, number: row.snapshot_number };
}

/** The prompts that were left out of a generation. */
export async function readSkippedPrompts(
  pool: Pool | PoolClient,
  generation: number,
): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ prompt_id: string }>(
    "select prompt_id from cluster_skipped_prompts where generation = $1",
    [generation],
  );
  return new Set(rows.map(({ prompt_id }) => prompt_id));
}

function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.split("\n");
}
