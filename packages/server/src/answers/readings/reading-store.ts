import type { Provider } from "@sightline/contract";
import type { Selectable } from "kysely";
import type { ControlEngine } from "../../control/control-engine.ts";
import type { ControlTables } from "../../control/schema.ts";
import type { DropReason, Finding } from "../../extraction/index.ts";
import { nextTurn } from "../../platform/turns.ts";
import type { AnswerSelection, AnswerStore } from "../answer-store.ts";

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
          findings: JSON.stringify(reading.findings),
          dropped: JSON.stringify(reading.dropped),
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
  });
}

/** Readings of one read: SQLite blocks the thread meanwhile. */
const pageReadings = 250;

/** A reader's readings of selected answers, by answer and sample. Reads in pages. */
export async function* readingsOf(
  { database }: Pick<ControlEngine, "database">,
  accountId: string,
  { reader, selection }: { readonly reader: string; readonly selection: AnswerSelection },
): AsyncGenerator<Reading> {
  const isSelected = selectedBy(selection);
  for (let after = ""; ; ) {
    const rows = await database
      .selectFrom("readings")
      .selectAll()
      .where("account_id", "=", accountId)
      .where("reader", "=", reader)
      .where("answer_id", ">", after)
      .where("answered_at", ">=", selection.fromMs ?? Number.MIN_SAFE_INTEGER)
      .where("answered_at", "<", selection.toMs ?? Number.MAX_SAFE_INTEGER)
      .orderBy("answer_id")
      .orderBy("sample")
      // An answer has at most two, which come together.
      .limit(pageReadings + 1)
      .execute();
    const isLast = rows.length <= pageReadings;
    const end = rows.at(-1)?.answer_id ?? "";
    const page = isLast ? rows : rows.filter(({ answer_id }) => answer_id !== end);
    for (const row of page) {
      const reading = toReading(row);
      if (isSelected(reading)) yield reading;
    }
    if (isLast) return;
    after = page.at(-1)?.answer_id ?? "";
    await nextTurn();
  }
}

function toReading(row: Selectable<ControlTables["readings"]>): Reading {
  return {
    answerId: row.answer_id,
    reader: row.reader,
    sample: row.sample,
    promptId: row.prompt_id,
    provider: row.provider,
    region: row.region === "" ? null : row.region,
    answeredAt: row.answered_at,
    readAt: row.read_at,
    model: row.model,
    costMicros: row.cost_micros,
    lineage: JSON.parse(row.lineage) as ReadingLineage,
    mentioned: JSON.parse(row.mentioned) as readonly string[],
    findings: JSON.parse(row.findings) as readonly ReadFinding[],
    dropped: JSON.parse(row.dropped) as Reading["dropped"],
  };
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
    await database
      .deleteFrom("readings")
      .where("account_id", "=", accountId)
      .where("answer_id", "in", [...gone])
      .execute();
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
