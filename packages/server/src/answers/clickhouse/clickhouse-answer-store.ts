import type { Pool } from "pg";
import type { Clickhouse } from "../../platform/clickhouse/clickhouse.ts";
import { ClickhouseError } from "../../platform/clickhouse/clickhouse-error.ts";
import type { Clock } from "../../platform/clock.ts";
import { withUnavailable } from "../../platform/postgres.ts";
import {
  type AnswerStore,
  countsOf,
  noAnswers,
  OtherRecordError,
  type RecordCounts,
  RecordError,
  type RecordedAnswer,
  type RecordMark,
  requireKeepable,
} from "../answer-store.ts";
import { stampOf, toAnswer, toContent } from "./answer-row.ts";
import {
  type AnswerRange,
  answersAtStatement,
  answersStatement,
  contentsStatement,
  countsStatement,
  outcomesStatement,
  placeStatement,
  placesOfStatement,
  promptsStatement,
  stampStatement,
} from "./answer-statements.ts";
import { asOnlyWriter } from "./only-writer.ts";
import { rawRepliesOf } from "./raw-replies.ts";
import { recordAnswers } from "./record-answers.ts";
import { readSequences, type SequenceRange } from "./record-sequences.ts";
import { countSelected, finishRemoval, removeAnswers, removeTexts } from "./removals.ts";
import { type Deployment, eraseRecord } from "./tables.ts";

/** What the record is kept with. */
interface ClickhouseAnswersOptions {
  readonly clickhouse: Clickhouse;
  readonly pool: Pool;
  readonly clock: Clock;
  readonly deployment: Deployment;
}

/** As of the embedded record: one read returns about this much at most. */
const readCharactersMax = 32 * 1024 * 1024;

/** Answers of one look-up by their places; each may have megabytes. */
const placesAtOnce = 10;

/** Ids of one look-up: a statement carries them all. */
const idsAtOnce = 2_000;

/**
 * The record in ClickHouse; PostgreSQL says which of its rows count (docs/decisions/cluster.md).
 * Closing it closes neither, since facts use them as well.
 */
export function clickhouseAnswerStore(options: ClickhouseAnswersOptions): AnswerStore {
  const { clickhouse, pool } = options;
  const has = async (accountId: string, places: SequenceRange | null, mark: RecordMark) => {
    if (mark.sequence === 0) return true;
    if (places === null) return false;
    const [row] = await clickhouse.query(stampStatement(accountId, places, mark.sequence));
    return row !== undefined && stampOf(row, places) === mark.stamp;
  };
  return {
    ...writersOf(options),
    ...failingEach(rawRepliesOf(options)),
    read: (accountId, { after, limit }) =>
      failing(async () => {
        const places = await readSequences(pool, accountId);
        if (places === null || after >= places.committed) return [];
        const range = { accountId, places, after, limit };
        const rows = clickhouse.stream(answersStatement(range));
        const answers: RecordedAnswer[] = [];
        for await (const row of someOf(rows, range)) answers.push(toAnswer(row));
        return answers;
      }),
    async *at(accountId, sequences, signal) {
      const places = await failing(() => readSequences(pool, accountId));
      if (places === null) return;
      for (let first = 0; first < sequences.length; first += placesAtOnce) {
        const wanted = sequences.slice(first, first + placesAtOnce);
        const range = { accountId, places, signal };
        yield* await failing(() => answersAt(clickhouse, range, wanted));
      }
    },
    byId: (accountId, id) =>
      failing(async () => {
        const places = await readSequences(pool, accountId);
        if (places === null) return null;
        const [row] = await clickhouse.query(placeStatement(accountId, places, id));
        if (row === undefined) return null;
        const at = [row.sequence];
        const [answer] = await answersAt(clickhouse, { accountId, places }, at);
        return answer ?? null;
      }),
    sequencesOf: (accountId, ids) =>
      failing(async () => {
        const places = await readSequences(pool, accountId);
        const found = new Map<string, number>();
        if (places === null) return found;
        for (let first = 0; first < ids.length; first += idsAtOnce) {
          const some = ids.slice(first, first + idsAtOnce);
          const rows = await clickhouse.query(placesOfStatement(accountId, places, some));
          for (const { id, sequence } of rows) found.set(id, sequence);
        }
        return found;
      }),
    async *each(accountId, { after, limit }) {
      try {
        const places = await readSequences(pool, accountId);
        if (places !== null && places.removing !== null) throw new Error(beingRemoved);
        if (!(await has(accountId, places, after))) {
          throw new OtherRecordError(`the record lacks the answer read last, at ${after.sequence}`);
        }
        if (places === null || after.sequence >= places.committed) return;
        const range = { accountId, places, after: after.sequence, limit };
        const rows = clickhouse.stream(contentsStatement(range));
        for await (const row of someOf(rows, range)) yield toContent(row, places);
      } catch (error) {
        throw failed(error);
      }
    },
    has: (accountId, mark) =>
      failing(async () => has(accountId, await readSequences(pool, accountId), mark)),
    end: (accountId) =>
      failing(async () => {
        const places = await readSequences(pool, accountId);
        return { sequence: places?.committed ?? 0, recordedAtMs: places?.recordedAtMs ?? null };
      }),
    erase: (accountId) =>
      failing(() => asOnlyWriter(pool, accountId, () => eraseRecord({ ...options, accountId }))),
    close: async () => undefined,
  };
}

/** What writes, as an account's only writer, and counts what a removal would meet. */
function writersOf(
  options: ClickhouseAnswersOptions,
): Pick<AnswerStore, "record" | "count" | "remove" | "removeTexts"> {
  const { clickhouse, pool } = options;
  return {
    record: (accountId, answers, importId) =>
      failing(() =>
        asOnlyWriter(pool, accountId, async (client) => {
          const context = { ...options, client, accountId, importId: importId ?? null };
          await finishRemoval(context);
          return recordAnswers(answers, context);
        }),
      ),
    count: (accountId, selection) =>
      failing(() => countSelected(selection, { clickhouse, client: pool, accountId })),
    remove: (accountId, selection) =>
      failing(() =>
        asOnlyWriter(pool, accountId, async (client) => {
          const context = { ...options, client, accountId };
          await finishRemoval(context);
          return removeAnswers(selection, context);
        }),
      ),
    removeTexts: (accountId, removal) =>
      failing(async () => {
        const answers = await removeTexts(removal, { ...options, accountId });
        return { answers, nextMs: answers === 0 ? removal.beforeMs : removal.fromMs };
      }),
  };
}

function failingEach(replies: ReturnType<typeof rawRepliesOf>): typeof replies {
  return {
    keepRaw: async (accountId, reply) => {
      requireKeepable(reply);
      await failing(() => replies.keepRaw(accountId, reply));
    },
    raw: (accountId, id) => failing(() => replies.raw(accountId, id)),
    rawsOf: (accountId, ids) => failing(() => replies.rawsOf(accountId, ids)),
    rawReplies: (...call) => failing(() => replies.rawReplies(...call)),
    removeRaw: (...asked) => failing(() => replies.removeRaw(...asked)),
    removeRawOf: (...asked) => failing(() => replies.removeRawOf(...asked)),
  };
}

const beingRemoved = "answers are being removed; if that broke off, do the same again, or import";

interface Cancellable {
  readonly signal?: AbortSignal | undefined;
}

/** The answers at a few places, in the order asked. */
async function answersAt(
  clickhouse: Clickhouse,
  { accountId, places, signal }: Pick<AnswerRange, "accountId" | "places"> & Cancellable,
  sequences: readonly number[],
): Promise<readonly RecordedAnswer[]> {
  const rows = await clickhouse.query(answersAtStatement(accountId, places, sequences), signal);
  const answers = new Map(rows.map((row) => [row.sequence, toAnswer(row)]));
  return sequences.flatMap((sequence) => answers.get(sequence) ?? []);
}

async function failing<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw failed(error);
  }
}

/** An error of ClickHouse or PostgreSQL as one of the record, which says whether it may pass. */
function failed(error: unknown): Error {
  if (error instanceof OtherRecordError || error instanceof RecordError) return error;
  return new RecordError(error instanceof ClickhouseError ? error : withUnavailable(error));
}

/**
 * Rows until they have readCharactersMax characters.
 * @throws when rows are missing: the last place that counts is always that of an answer.
 */
async function* someOf<Read extends Measured>(
  rows: AsyncIterable<Read>,
  { places, limit }: AnswerRange,
): AsyncGenerator<Read> {
  let characters = 0;
  let count = 0;
  let last = 0;
  for await (const row of rows) {
    yield row;
    count++;
    last = row.sequence;
    characters += row.text.length + row.citations.length + (row.metadata?.length ?? 0);
    if (characters >= readCharactersMax || count === limit) return;
  }
  if (last !== places.committed) {
    const lacks = `ClickHouse lacks answers after ${last}; the record has ${places.committed}`;
    throw new RecordError(new Error(lacks));
  }
}

interface Measured {
  readonly sequence: number;
  readonly text: string;
  readonly citations: string;
  readonly metadata?: string;
}

interface CountingContext {
  readonly clickhouse: Clickhouse;
  readonly pool: Pool;
}

/** Counts a record's answers by reading some columns of all. */
export async function countAnswers(
  accountId: string,
  { clickhouse, pool }: CountingContext,
): Promise<RecordCounts> {
  const places = await readSequences(pool, accountId);
  if (places === null) return noAnswers;
  const [counts] = await clickhouse.query(countsStatement(accountId, places));
  if (counts === undefined || counts.answers === 0) return noAnswers;
  const outcomes = await clickhouse.query(outcomesStatement(accountId, places));
  return { ...counts, outcomes: countsOf(outcomes) };
}

/** The number of counted answers of each prompt; prompts without any are absent. */
export async function countAnswersByPrompt(
  accountId: string,
  { clickhouse, pool }: CountingContext,
): Promise<ReadonlyMap<string, number>> {
  const places = await readSequences(pool, accountId);
  if (places === null) return new Map();
  const rows = await clickhouse.query(promptsStatement(accountId, places));
  return new Map(rows.map(({ promptId, answers }) => [promptId, answers]));
}
