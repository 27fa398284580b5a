import { type LabelMetric, labelsMax, pageLabelsMax } from "@sightline/contract";
import { sql } from "kysely";
import { audited } from "../../audit/audit-log.ts";
import type { ControlEngine } from "../../control/control-engine.ts";
import type { ControlDatabase } from "../../control/database.ts";
import type { Flag } from "../../control/schema.ts";
import { nextTurn } from "../../platform/turns.ts";
import type { AnswerStore } from "../answer-store.ts";

/** What a label is of; ids in lower case. */
export interface LabelKey {
  readonly answerId: string;
  readonly entityId: string;
  readonly metric: LabelMetric;
  readonly labeller: string;
}

/** What somebody says of an answer and an entity. */
export interface Label extends LabelKey {
  readonly value: boolean;
  /** Milliseconds since 1970. */
  readonly labelledAt: number;
}

/** Which labels are meant: those that meet each condition. Null: no condition. */
export interface LabelSelection {
  readonly answerId: string | null;
  readonly labeller: string | null;
  readonly entityId: string | null;
  readonly metric: LabelMetric | null;
}

/** Every label. */
export const anyLabels: LabelSelection = {
  answerId: null,
  labeller: null,
  entityId: null,
  metric: null,
};

/** Of all labels. */
const firstPage = { ...anyLabels, after: null, limit: pageLabelsMax } as const;

/** The columns of what narrows a selection. */
const selecting = {
  answerId: "answer_id",
  labeller: "labeller",
  entityId: "entity_id",
  metric: "metric",
} as const;

function conditionsOf(selection: LabelSelection) {
  return (Object.keys(selecting) as (keyof LabelSelection)[]).flatMap((name) => {
    const value = selection[name];
    return value === null ? [] : [{ column: selecting[name], value }];
  });
}

/** What became of a label; `full`: the account has as many as it may have. */
export type Labelling = "accepted" | "duplicate" | "full";

/**
 * Stores labels in one transaction. Of those with one key, the last said counts: one that was said
 * before it, or says the same, is a duplicate. @returns what became of each, in the order given.
 */
export function storeLabels(
  control: ControlEngine,
  accountId: string,
  labels: readonly Label[],
  now: number,
): Promise<readonly Labelling[]> {
  return audited(control, accountId, now, async ({ database: transaction, lock }) => {
    await lock(transaction, { account: accountId });
    const { there } = await transaction
      .selectFrom("labels")
      .select((row) => row.fn.countAll().as("there"))
      .where("account_id", "=", accountId)
      .executeTakeFirstOrThrow();
    let room = labelsMax - Number(there);
    const labellings: Labelling[] = [];
    for (const label of labels) {
      const labelling = await storeOne(transaction, accountId, { label, hasRoom: room > 0 });
      if (labelling === "added") room -= 1;
      labellings.push(labelling === "added" || labelling === "changed" ? "accepted" : labelling);
    }
    const accepted = labels.filter((_, place) => labellings[place] === "accepted");
    if (accepted.length === 0) return [labellings, null];
    await noteChange(transaction, accountId);
    const labellers = [...new Set(accepted.map(({ labeller }) => labeller))];
    const after = { labels: accepted.length, labellers };
    return [labellings, { action: "labels.stored", subject: null, before: null, after }];
  });
}

async function storeOne(
  database: ControlDatabase,
  accountId: string,
  { label, hasRoom }: { readonly label: Label; readonly hasRoom: boolean },
): Promise<"added" | "changed" | "duplicate" | "full"> {
  const { answerId, entityId, metric, labeller, labelledAt } = label;
  const value: Flag = label.value ? 1 : 0;
  const own = { answerId, labeller, entityId, metric };
  const before = await selected(database, accountId, own).executeTakeFirst();
  if (before === undefined && !hasRoom) return "full";
  if (before !== undefined) {
    if (before.labelledAt > labelledAt || before.value === value) return "duplicate";
  }
  const said = { value, labelled_at: labelledAt };
  const key = { answer_id: answerId, entity_id: entityId, metric, labeller };
  await database
    .insertInto("labels")
    .values({ account_id: accountId, ...key, ...said })
    .onConflict((conflict) =>
      conflict
        .columns(["account_id", "answer_id", "entity_id", "metric", "labeller"])
        .doUpdateSet(said),
    )
    .execute();
  return before === undefined ? "added" : "changed";
}

async function noteChange(database: ControlDatabase, accountId: string): Promise<void> {
  await database
    .updateTable("accounts")
    .set({ labels_revision: sql`labels_revision + 1` })
    .where("id", "=", accountId)
    .execute();
}

function selected(database: ControlDatabase, accountId: string, selection: LabelSelection) {
  let rows = database
    .selectFrom("labels")
    .select(["answer_id as answerId", "entity_id as entityId", "metric", "labeller", "value"])
    .select("labelled_at as labelledAt")
    .where("account_id", "=", accountId);
  for (const { column, value } of conditionsOf(selection)) rows = rows.where(column, "=", value);
  return rows;
}

/** A page of labels, by their keys. @param after the last one of the page before. */
export async function labelsOf(
  { database }: Pick<ControlEngine, "database">,
  accountId: string,
  { after, limit, ...selection }: LabelSelection & { after: LabelKey | null; limit: number },
): Promise<readonly Label[]> {
  let rows = selected(database, accountId, selection);
  if (after !== null) {
    const { answerId, entityId, metric, labeller } = after;
    rows = rows.where(
      sql<boolean>`(answer_id, entity_id, metric, labeller) >
        (${answerId}, ${entityId}, ${metric}, ${labeller})`,
    );
  }
  const columns = ["answer_id", "entity_id", "metric", "labeller"] as const;
  const page = await rows
    .orderBy(columns[0])
    .orderBy(columns[1])
    .orderBy(columns[2])
    .orderBy(columns[3])
    .limit(limit)
    .execute();
  return page.map((row) => ({ ...row, value: row.value === 1 }));
}

/** All labels of an account, by their keys. Reads in pages, since SQLite blocks the thread. */
export async function allLabels(
  control: Pick<ControlEngine, "database">,
  accountId: string,
): Promise<readonly Label[]> {
  const labels: Label[] = [];
  for (let after: LabelKey | null = null; ; ) {
    const page: readonly Label[] = await labelsOf(control, accountId, { ...firstPage, after });
    labels.push(...page);
    after = page.at(-1) ?? null;
    if (page.length < pageLabelsMax) return labels;
    await nextTurn();
  }
}

/** The labels of answers up to a place in the record, by their keys. */
export async function recordedLabels(
  { control, answers }: LabelledRecord,
  accountId: string,
  lastSequence: number,
): Promise<readonly Label[]> {
  const labels = await allLabels(control, accountId);
  const ids = new Set(labels.map(({ answerId }) => answerId));
  const places = await answers.sequencesOf(accountId, [...ids]);
  return labels.filter(({ answerId }) => {
    return (places.get(answerId) ?? Number.POSITIVE_INFINITY) <= lastSequence;
  });
}

/** Changes whenever labels of the account do. */
export async function labelsRevision(
  { database }: ControlEngine,
  accountId: string,
): Promise<number | null> {
  const rows = database.selectFrom("accounts").select("labels_revision as revision");
  return (await rows.where("id", "=", accountId).executeTakeFirst())?.revision ?? null;
}

/** Removes labels for good. @returns how many there were. */
export function removeLabels(
  control: ControlEngine,
  accountId: string,
  selection: LabelSelection,
  now: number,
): Promise<number> {
  return removeOf(control, accountId, { selection, answerIds: null }, now);
}

interface LabelsToRemove {
  readonly selection: LabelSelection;
  /** Only of these answers; null: of all. */
  readonly answerIds: readonly string[] | null;
}

function removeOf(
  control: ControlEngine,
  accountId: string,
  { selection, answerIds }: LabelsToRemove,
  now: number,
): Promise<number> {
  return audited(control, accountId, now, async ({ database: transaction, lock }) => {
    await lock(transaction, { account: accountId });
    let rows = transaction.deleteFrom("labels").where("account_id", "=", accountId);
    for (const { column, value } of conditionsOf(selection)) rows = rows.where(column, "=", value);
    if (answerIds !== null) rows = rows.where("answer_id", "in", answerIds);
    const { numDeletedRows } = await rows.executeTakeFirst();
    const labels = Number(numDeletedRows);
    if (labels === 0) return [0, null];
    await noteChange(transaction, accountId);
    const before = { labels, ...(answerIds === null ? selection : { answerIds }) };
    return [labels, { action: "labels.removed", subject: null, before, after: null }];
  });
}

/** Labels of so many answers are removed in one transaction, which is one entry of the log. */
const orphansAtOnce = 500;

interface LabelledRecord {
  readonly control: ControlEngine;
  readonly answers: AnswerStore;
}

/** Removes the labels of answers that the record does not have any more. */
export async function removeOrphans(
  { control, answers }: LabelledRecord,
  accountId: string,
  now: number,
): Promise<void> {
  const rows = control.database.selectFrom("labels").select("answer_id").distinct();
  const labelled = await rows.where("account_id", "=", accountId).execute();
  const ids = labelled.map(({ answer_id }) => answer_id);
  if (ids.length === 0) return;
  const recorded = await answers.sequencesOf(accountId, ids);
  const gone = ids.filter((answerId) => !recorded.has(answerId));
  for (let first = 0; first < gone.length; first += orphansAtOnce) {
    const answerIds = gone.slice(first, first + orphansAtOnce);
    await removeOf(control, accountId, { selection: anyLabels, answerIds }, now);
  }
}

/** What the labels of an answer, an entity and a metric come to. */
export interface DecidedLabel extends Omit<LabelKey, "labeller"> {
  readonly value: boolean;
}

/** What all labels of an account come to, by key. */
export async function decidedLabels(
  control: Pick<ControlEngine, "database">,
  accountId: string,
): Promise<readonly DecidedLabel[]> {
  return decided(await allLabels(control, accountId));
}

/**
 * The majority of labellers; where as many say yes as say no, who said so last, and of those who
 * said so at one time, yes. So every labelled answer stays in the sample.
 */
export function decided(labels: readonly Label[]): readonly DecidedLabel[] {
  const groups = Map.groupBy(labels, ({ answerId, entityId, metric }) => {
    return `${answerId} ${entityId} ${metric}`;
  });
  return [...groups.values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const lead = own.reduce((sum, { value }) => sum + (value ? 1 : -1), 0);
    const { answerId, entityId, metric } = first;
    return [{ answerId, entityId, metric, value: lead === 0 ? lastOf(own) : lead > 0 }];
  });
}

function lastOf(labels: readonly Label[]): boolean {
  const last = Math.max(...labels.map(({ labelledAt }) => labelledAt));
  return labels.some(({ value, labelledAt }) => value && labelledAt === last);
}
