import type { RecordMark } from "../../answers/answer-store.ts";
import type { FactRows } from "../fact-rows.ts";
import type { FactsState } from "../facts-engine.ts";
import type { KeyedSnapshot } from "./batch-reader.ts";
import { readMeanwhile } from "./read-meanwhile.ts";

/** What copying is done with, and how far. */
export interface CopyTask {
  /** Reads and extracts; null: there are no more answers. */
  readonly read: (
    after: RecordMark,
    snapshot: KeyedSnapshot,
    limit: number,
  ) => Promise<FactRows | null>;
  readonly append: (rows: FactRows) => Promise<FactsState>;
  /** Whether the workspace changed since its snapshot was made. */
  readonly isRevised: () => Promise<boolean>;
  /** The last place that must be copied. */
  readonly recorded: number;
  /** As `performance.now` counts: until then, what is recorded meanwhile is copied too. */
  readonly endMs: number;
  readonly signal: AbortSignal;
}

/**
 * The most answers that become facts in one transaction. What a batch takes the engine whatever its
 * size (looking through all URLs, the commit) is paid once for all that waits.
 */
const batchAnswers = 8_000;

/** So many answers together are an import's: the next come soon, and are looked for meanwhile. */
const importedTogether = 500;

/**
 * Copies recorded answers into facts, from their mark on: the next batch is read and extracted
 * while one is appended.
 * @returns the state then; null when it must be begun again: the workspace changed, or the signal
 * aborted.
 */
export async function copyAnswers(from: FactsState, task: CopyTask): Promise<FactsState | null> {
  const { snapshot, generation } = from;
  const { length } = snapshot.prompts;
  const keyed = { key: `${generation} ${length} ${snapshot.topics.length}`, snapshot };
  const read = (after: RecordMark) => task.read(after, keyed, batchAnswers);
  let state = from;
  let rows = await read(from.mark);
  while (rows !== null) {
    // Answers of prompts that are unknown yet would be left out for good.
    const isStale = rows.skippedPrompts.length > 0 && (await task.isRevised());
    if (isStale || task.signal.aborted) return null;
    const { mark, answersRead } = rows;
    const appended = task.append(rows);
    if (mark.sequence >= task.recorded && performance.now() > task.endMs) return appended;
    const next = () => read(mark);
    const reading = answersRead >= importedTogether ? readMeanwhile(next, appended) : next();
    await Promise.allSettled([reading, appended]); // when one fails, the other has ended too
    [rows, state] = await Promise.all([reading, appended]);
  }
  return state;
}
