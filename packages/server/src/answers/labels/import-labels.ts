import {
  type FieldError,
  fieldErrors,
  instantOf,
  labelLineSchema,
  labelsMax,
  quoted,
} from "@sightline/contract";
import { entitiesOf } from "../../accounts/account-store.ts";
import type { ControlEngine } from "../../control/control-engine.ts";
import type { AnswerStore } from "../answer-store.ts";
import { type CsvRecords, csvLines } from "../intake/csv-lines.ts";
import type { AnswersFormat, RejectedLine } from "../intake/import-answers.ts";
import { aheadMsMax } from "../intake/line-faults.ts";
import { type Line, lineBytesMax, linesOf } from "../intake/lines.ts";
import { parsedLine, type Rejection, rejectionOf } from "../intake/read-answer-line.ts";
import { type Label, storeLabels } from "./label-store.ts";

/** The result of an import of labels, in lines. Blank lines are not counted. */
export interface LabelTally {
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
}

/** What an import of labels needs. */
export interface ImportLabelsOptions {
  readonly accountId: string;
  readonly format: AnswersFormat;
  readonly store: AnswerStore;
  readonly control: ControlEngine;
  /** The time of day, in milliseconds since 1970. */
  readonly now: () => number;
  /** Called after each commit, with all so far. */
  readonly onProgress: (tally: LabelTally) => void;
  /** Called after that with the commit's rejected lines, in order. */
  readonly onRejected: (lines: readonly RejectedLine[]) => Promise<void>;
}

/** Labels per transaction. */
const batchLabels = 1_000;

/**
 * Stores the labels of a stream of NDJSON or CSV. A rejected line does not stop the others.
 * Repeating an import changes nothing.
 */
export async function importLabels(
  chunks: AsyncIterable<Buffer>,
  options: ImportLabelsOptions,
): Promise<LabelTally> {
  const { accountId, control, format } = options;
  const tally = { accepted: 0, duplicates: 0, rejected: 0 };
  const entities = await entitiesOf(control, accountId);
  const context = { ...options, tally, entityIds: new Set(entities.map(({ id }) => id)) };
  let batch: Line[] = [];
  const commit = async () => {
    const rejected = await storeBatch(batch, context);
    options.onProgress({ ...tally });
    if (rejected.length > 0) await options.onRejected(rejected);
    batch = [];
  };
  const lines = format === "csv" ? csvLines(chunks, labelRecords) : linesOf(chunks);
  for await (const line of lines) {
    batch.push(line);
    if (batch.length >= batchLabels) await commit();
  }
  if (batch.length > 0) await commit();
  return tally;
}

interface BatchContext extends ImportLabelsOptions {
  readonly tally: { -readonly [Name in keyof LabelTally]: number };
  readonly entityIds: ReadonlySet<string>;
}

async function storeBatch(
  batch: readonly Line[],
  { accountId, store, control, now, entityIds, tally }: BatchContext,
): Promise<readonly RejectedLine[]> {
  const rejections = new Map<Line, Rejection>();
  const read: { readonly line: Line; readonly label: Label }[] = [];
  for (const line of batch) {
    const reading = readLabel(line, { entityIds, now: now() });
    if ("reason" in reading) rejections.set(line, reading);
    else read.push({ line, label: reading });
  }
  const recorded = await store.sequencesOf(accountId, [
    ...new Set(read.map(({ label }) => label.answerId)),
  ]);
  const known = read.filter(({ line, label: { answerId } }) => {
    if (!recorded.has(answerId)) rejections.set(line, unknown("answerId", "an answer", answerId));
    return recorded.has(answerId);
  });
  const labels = known.map(({ label }) => label);
  for (const [place, labelling] of (
    await storeLabels(control, accountId, labels, now())
  ).entries()) {
    const line = known[place]?.line;
    if (labelling === "accepted") tally.accepted += 1;
    else if (labelling === "duplicate") tally.duplicates += 1;
    else if (line !== undefined) rejections.set(line, full);
  }
  tally.rejected += rejections.size;
  return batch.flatMap((line) => {
    const rejection = rejections.get(line);
    return rejection === undefined ? [] : [{ line: line.number, bytes: line.bytes, ...rejection }];
  });
}

const full: Rejection = {
  reason: `The account has ${labelsMax} labels, and may have no more. Remove some.`,
  errors: [],
};

function unknown(field: string, what: string, id: string): Rejection {
  const message = `must be the id of ${what} of the account, got ${quoted(id)}.`;
  return rejectionOf([{ path: `/${field}`, code: "not_allowed", message }]);
}

/** A line's label, or why it is none. */
function readLabel(
  { bytes, rejection }: Line,
  { entityIds, now }: { readonly entityIds: ReadonlySet<string>; readonly now: number },
): Label | Rejection {
  if (rejection !== undefined) return rejection;
  if (bytes === null) {
    return { reason: `The line is longer than ${lineBytesMax} bytes.`, errors: [] };
  }
  const read = parsedLine(bytes);
  if ("rejection" in read) return read.rejection;
  const parsed = labelLineSchema.safeParse(read.value, { reportInput: true });
  if (!parsed.success) return rejectionOf(fieldErrors(parsed.error));
  const { answerId, entityId, metric, value, labeller } = parsed.data;
  const said = parsed.data.labelledAt;
  const labelledAt = said === undefined ? now : (instantOf(said) ?? Number.NaN); // it is one
  if (labelledAt > now + aheadMsMax) {
    const got = quoted(said ?? "");
    const message = `must be at most one day ahead of this machine's clock, got ${got}.`;
    return rejectionOf([{ path: "/labelledAt", code: "too_large", message }]);
  }
  const ids = { answerId: answerId.toLowerCase(), entityId: entityId.toLowerCase() };
  if (!entityIds.has(ids.entityId))
    return unknown("entityId", "the brand or a competitor", ids.entityId);
  return { ...ids, metric, value, labeller, labelledAt };
}

/** Columns that a sample has for who reads it. */
export const readingColumns = ["entity", "prompt", "provider", "answeredAt", "text"] as const;

/** Records that are labels; one without a value is not labelled yet. */
export const labelRecords: CsvRecords = {
  of: "a label",
  columns: Object.keys(labelLineSchema.shape),
  required: "value",
  ignored: readingColumns,
  skippedWithout: "value",
  jsonOf: (column, cell) => (column === "value" ? answered(cell) : JSON.stringify(cell)),
};

const words: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  1: true,
  false: false,
  no: false,
  0: false,
};

function answered(cell: string): string | FieldError {
  const value = words[cell.trim().toLowerCase()];
  if (value !== undefined) return String(value);
  const message = `must be true or false, yes or no, 1 or 0, got ${quoted(cell)}.`;
  return { path: "/value", code: "not_allowed", message };
}
