import type { Provider } from "@sightline/contract";
import type { Selectable } from "kysely";
import { textsRemovedBefore } from "../../accounts/account-store.ts";
import type { ControlEngine } from "../../control/control-engine.ts";
import type { ControlTables } from "../../control/schema.ts";
import type { DropReason, Finding } from "../../extraction/index.ts";
import { nextTurn } from "../../platform/turns.ts";
import { type AnswerSelection, type AnswerStore, everyAnswer } from "../answer-store.ts";

/** A finding of a model, by the entity's id. */
export interface ReadFinding extends Omit<Finding, "entity"> {
  readonly entityId: string;
  /** Canonical URLs of pages that the answer cites in the line of the quote; at most 5. */
  readonly pages: readonly string[];
}

/** What was asked for a reading, in addition to the answer. */
export interface ReadingLineage {
  readonly host: string;
  /** The model as it was asked for. */
  readonly model: string;
  readonly promptVersion: number;
  readonly promptHash: string;
  /** As they were sent, such as `temperature`. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** What a model read in an answer. Times are milliseconds since 1970. */
export interface Reading {
  readonly answerId: string;
  /** Identifies endpoint, model, parameters and prompt. */
  readonly reader: string;
  /** 1: the second time that the reader was asked about the answer; else 0. */
  readonly sample: number;
  readonly promptId: string;
  readonly provider: Provider;
  /** Null: none. */
  readonly region: string | null;
  readonly answeredAt: number;
  readonly readAt: number;
  /** As the reply names it; null: it does not. */
  readonly model: string | null;
  readonly costMicros: number;
  readonly lineage: ReadingLineage;
  /** The ids of the entities that the answer mentioned when it was read. */
  readonly mentioned: readonly string[];
  readonly findings: readonly ReadFinding[];
  readonly dropped: Readonly<Partial<Record<DropReason, number>>>;
}

/** Stores readings in one transaction; one that is there already stays. */
export async function storeReadings(
  { database, lock }: ControlEngine,
  accountId: string,
  readings: readonly Reading[],
): Promise<void> {
  if (readings.length === 0) return;
  await database.transaction().execute(async (transaction) => {
    await lock(transaction, { account: accountId });
    for (const reading of readings) {
      const { answerId, reader, sample, answeredAt, readAt, model, costMicros } = reading;
      await transaction
        .insertInto("readings")
        .values({
          account_id: accountId,
          answer_id: answerId,
          reader,
          sample,
          prompt_id: reading.promptId,
          provider: reading.provider,
          region: reading.region ?? "",
          answered_at: answeredAt,
          read_at: readAt,
          model,
          cost_micros: costMicros,
          lineage: JSON.stringify(reading.lineage),
          mentioned: JSON.stringify(reading.mentioned),
          findings: packedFindings(reading),
          dropped: JSON.stringify(reading.dropped),
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
  });
}

/** A finding as it is stored: its entity is the place among the reading's `mentioned`. */
type PackedFinding = readonly [
  entity: number,
  kind: ReadFinding["kind"],
  aspect: ReadFinding["aspect"],
  start: number,
  end: number,
  pages: ReadFinding["pages"],
];

/** A question reads hundreds of thousands of them, and mostly waits for their bytes. */
function packedFindings({ answerId, mentioned, findings }: Reading): string {
  const packed = findings.map(({ entityId, kind, aspect, start, end, pages }): PackedFinding => {
    const entity = mentioned.indexOf(entityId);
    if (entity < 0) throw new Error(`the reading of ${answerId} has a finding of nobody it names`);
    return [entity, kind, aspect, start, end, pages];
  });
  return JSON.stringify(packed);
}

function unpackedFindings(stored: string, mentioned: readonly string[]): readonly ReadFinding[] {
  const packed = JSON.parse(stored) as readonly PackedFinding[];
  return packed.map(([entity, kind, aspect, start, end, pages]) => {
    return { entityId: mentioned[entity] ?? "", kind, aspect, start, end, pages };
  });
}

/** Readings of one read: SQLite blocks the thread meanwhile. */
const pageReadings = 250;

/**
 * A reader's readings of selected answers, the latest answer first; of an answer that was read
 * twice, the second reading first. Reads in pages.
 */
export async function* readingsOf(
  { database }: Pick<ControlEngine, "database">,
  accountId: string,
  { reader, selection }: { readonly reader: string; readonly selection: AnswerSelection },
): AsyncGenerator<Reading> {
  const isSelected = selectedBy(selection);
  const toReading = readingReader(reader, await lineageOfReader(database, accountId, reader));
  const from = selection.fromMs ?? Number.MIN_SAFE_INTEGER;
  let [at, id, sample] = [selection.toMs ?? Number.MAX_SAFE_INTEGER, "", 0];
  for (;;) {
    const rows = await database
      .selectFrom("readings")
      .select(readColumns)
      .where("account_id", "=", accountId)
      .where("reader", "=", reader)
      .where("answered_at", ">=", from)
      .where((row) =>
        row(row.refTuple("answered_at", "answer_id", "sample"), "<", row.tuple(at, id, sample)),
      )
      .orderBy("answered_at", "desc")
      .orderBy("answer_id", "desc")
      .orderBy("sample", "desc")
      .limit(pageReadings)
      .execute();
    for (const row of rows) {
      const reading = toReading(row);
      if (isSelected(reading)) yield reading;
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageReadings) return;
    [at, id, sample] = [last.answered_at, last.answer_id, last.sample];
    await nextTurn();
  }
}

/** All that the readings of a reader do not have in common. */
const readColumns = [
  ...(["answer_id", "sample", "prompt_id", "provider", "region", "answered_at"] as const),
  ...(["read_at", "model", "cost_micros", "mentioned", "findings", "dropped"] as const),
] as const;

type ReadRow = Pick<Selectable<ControlTables["readings"]>, (typeof readColumns)[number]>;

/** What a reader was asked for, which its id stands for; null: it has read nothing. */
async function lineageOfReader(
  database: ControlEngine["database"],
  accountId: string,
  reader: string,
): Promise<string | null> {
  const row = await database
    .selectFrom("readings")
    .select("lineage")
    .where("account_id", "=", accountId)
    .where("reader", "=", reader)
    .limit(1)
    .executeTakeFirst();
  return row?.lineage ?? null;
}

/** Reads rows of a reader: what most of them have in common is parsed once. */
function readingReader(reader: string, stored: string | null) {
  const lineage = JSON.parse(stored ?? "{}") as ReadingLineage;
  const parsed = new Map<string, unknown>();
  const once = (json: string): unknown => {
    if (!parsed.has(json)) {
      if (parsed.size >= parsedMax) parsed.clear();
      parsed.set(json, JSON.parse(json));
    }
    return parsed.get(json);
  };
  return (row: ReadRow): Reading => {
    const mentioned = once(row.mentioned) as readonly string[];
    return {
      answerId: row.answer_id,
      reader,
      sample: row.sample,
      promptId: row.prompt_id,
      provider: row.provider,
      region: row.region === "" ? null : row.region,
      answeredAt: row.answered_at,
      readAt: row.read_at,
      model: row.model,
      costMicros: row.cost_micros,
      lineage,
      mentioned,
      findings: unpackedFindings(row.findings, mentioned),
      dropped: once(row.dropped) as Reading["dropped"],
    };
  };
}

/** Sets of entities, mostly: few answers mention many of them. */
const parsedMax = 1_000;

/** Every reading of answers that are recorded up to a sequence number. */
export async function* recordedReadings(
  { control, answers }: { readonly control: ControlEngine; readonly answers: AnswerStore },
  accountId: string,
  last: number,
): AsyncGenerator<Reading> {
  const { database } = control;
  const readers = database.selectFrom("readings").select("reader").distinct();
  for (const { reader } of await readers.where("account_id", "=", accountId).execute()) {
    let some: Reading[] = [];
    const recorded = async () => {
      const ids = [...new Set(some.map(({ answerId }) => answerId))];
      const sequences = await answers.sequencesOf(accountId, ids);
      const found = some.filter(({ answerId }) => (sequences.get(answerId) ?? last + 1) <= last);
      some = [];
      return found;
    };
    for await (const reading of readingsOf(control, accountId, {
      reader,
      selection: everyAnswer,
    })) {
      some.push(reading);
      if (some.length >= idsAtOnce) yield* await recorded();
    }
    yield* await recorded();
  }
}

/** The reader of an account's latest reading; null: there is none. */
export async function latestReader(
  { database }: Pick<ControlEngine, "database">,
  accountId: string,
): Promise<string | null> {
  const row = await database
    .selectFrom("readings")
    .select("reader")
    .where("account_id", "=", accountId)
    .orderBy("read_at", "desc")
    .orderBy("reader")
    .limit(1)
    .executeTakeFirst();
  return row?.reader ?? null;
}

/** The ids of answers that a reader has read, or that are being read by any. */
export async function answersRead(
  { database }: Pick<ControlEngine, "database">,
  accountId: string,
  reader: string,
): Promise<ReadonlySet<string>> {
  const read = await database
    .selectFrom("readings")
    .select("answer_id as id")
    .where("account_id", "=", accountId)
    .where("reader", "=", reader)
    .execute();
  const open = await openReaderJobs({ database }, accountId)
    .select("job.prompt_id as id")
    .execute();
  return new Set([...read, ...open].map(({ id }) => id));
}

/** The jobs of readings that are not published: what such a job asks about is an answer. */
function openReaderJobs({ database }: Pick<ControlEngine, "database">, accountId: string) {
  // By the parts, which are few: an account may have 200,000 jobs.
  return database
    .selectFrom("sweep_parts as part")
    .innerJoin("jobs as job", (join) =>
      join
        .onRef("job.account_id", "=", "part.account_id")
        .onRef("job.sweep_id", "=", "part.sweep_id")
        .onRef("job.provider", "=", "part.provider")
        .onRef("job.surface", "=", "part.surface"),
    )
    .where("part.account_id", "=", accountId)
    .where("part.vendor", "=", "reader")
    .where("part.published_at", "is", null);
}

/** Removes the readings of answers whose texts go: those that were answered before an instant. */
export async function removeReadingsBefore(
  { database }: Pick<ControlEngine, "database">,
  accountId: string,
  beforeMs: number,
): Promise<void> {
  await database
    .deleteFrom("readings")
    .where("account_id", "=", accountId)
    .where("answered_at", "<", beforeMs)
    .execute();
}

/** Removes those of some readings whose answers, or their texts, are gone. */
export async function removeReadingsOfGone(
  { control, answers }: { readonly control: ControlEngine; readonly answers: AnswerStore },
  accountId: string,
  readings: readonly Reading[],
): Promise<void> {
  const ids = [...new Set(readings.map(({ answerId }) => answerId))];
  const recorded = await answers.sequencesOf(accountId, ids);
  await removeReadingsOf(
    control,
    accountId,
    ids.filter((id) => !recorded.has(id)),
  );
  const before = await textsRemovedBefore(control, accountId);
  if (before !== null) await removeReadingsBefore(control, accountId, before);
}

async function removeReadingsOf(
  { database }: Pick<ControlEngine, "database">,
  accountId: string,
  answerIds: readonly string[],
): Promise<void> {
  if (answerIds.length === 0) return;
  await database
    .deleteFrom("readings")
    .where("account_id", "=", accountId)
    .where("answer_id", "in", answerIds)
    .execute();
}

/** Ids of one statement. */
const idsAtOnce = 500;

/**
 * Removes the readings of answers that the record does not have any more, and what models replied
 * about them, which quotes them.
 */
export async function removeOrphanReadings(
  { control, answers }: { readonly control: ControlEngine; readonly answers: AnswerStore },
  accountId: string,
): Promise<void> {
  const { database } = control;
  const read = await database
    .selectFrom("readings")
    .select("answer_id as answerId")
    .distinct()
    .where("account_id", "=", accountId)
    .execute();
  const jobs = await openReaderJobs(control, accountId)
    .select(["job.id", "job.prompt_id as answerId"])
    .execute();
  const ids = [...new Set([...read, ...jobs].map(({ answerId }) => answerId))];
  for (let first = 0; first < ids.length; first += idsAtOnce) {
    const some = ids.slice(first, first + idsAtOnce);
    const recorded = await answers.sequencesOf(accountId, some);
    const gone = new Set(some.filter((id) => !recorded.has(id)));
    if (gone.size === 0) continue;
    await removeReadingsOf(control, accountId, [...gone]);
    const asked = jobs.filter(({ answerId }) => gone.has(answerId)).map(({ id }) => id);
    if (asked.length > 0) await answers.removeRawOf(accountId, asked);
  }
}

/** Whether an answer meets every condition of a selection. */
export function selectedBy(selection: AnswerSelection) {
  const { promptIds, providers, regions, fromMs, toMs } = selection;
  const prompts = promptIds === null ? null : new Set(promptIds);
  return (answer: Pick<Reading, "promptId" | "provider" | "region" | "answeredAt">): boolean =>
    answer.answeredAt >= (fromMs ?? Number.NEGATIVE_INFINITY) &&
    answer.answeredAt < (toMs ?? Number.POSITIVE_INFINITY) &&
    (prompts?.has(answer.promptId) ?? true) &&
    (providers?.includes(answer.provider) ?? true) &&
    (regions === null || (answer.region !== null && regions.includes(answer.region)));
}
