import { type Fragment, joined, type Statement, sql } from "../../platform/sql.ts";
import type { AnswerSelection } from "../answer-store.ts";
import { answerShape, contentShape } from "./answer-row.ts";
import type { SequenceRange } from "./record-sequences.ts";

/** Which answers are read. */
export interface AnswerRange {
  readonly accountId: string;
  readonly places: SequenceRange;
  readonly after: number;
  readonly limit: number;
}

const contentColumns = sql`sequence, prompt_id, provider, region, answered_at, outcome, text,
  citations, id, recorded_at, model, surface, mentioned, search_queries`;

/** In the order of the shape; the hash is empty while the text is there. */
const allColumns = sql`${contentColumns}, if(mentioned = '', '', lower(hex(content_hash))),
  sample, metadata, cost, vendor, requested_region`;

/** The contents of a range, in order. */
export function contentsStatement(range: AnswerRange): Statement<typeof contentShape> {
  return { query: sql`select ${contentColumns} ${inRange(range)}`, shape: contentShape };
}

/** The answers of a range, in order. */
export function answersStatement(range: AnswerRange): Statement<typeof answerShape> {
  return {
    query: sql`select ${allColumns} ${inRange(range)}`,
    shape: answerShape,
  };
}

/** The answers at some places, in no order. */
export function answersAtStatement(
  accountId: string,
  places: SequenceRange,
  sequences: readonly number[],
): Statement<typeof answerShape> {
  return {
    query: sql`select ${allColumns} from answers
      where ${counted(accountId, places)}
        and sequence in ${{ type: "Array(UInt64)", value: sequences }}`,
    shape: answerShape,
  };
}

/** The oldest texts of an account, and how many. */
export interface OldTexts {
  readonly accountId: string;
  readonly places: SequenceRange;
  readonly beforeMs: number;
  readonly limit: number;
}

/** Answers before an instant whose texts are there, in the order of the record. */
export function textsBefore({
  accountId,
  places,
  beforeMs,
  limit,
}: OldTexts): Statement<typeof answerShape> {
  return {
    query: sql`select ${allColumns} from answers
      where ${counted(accountId, places)} and mentioned = ''
        and answered_at < ${{ type: "Int64", value: beforeMs }}
      order by sequence limit ${{ type: "UInt64", value: limit }}`,
    shape: answerShape,
  };
}

const placeShape = { sequence: "number" } as const;

/** The place of the answer with an id; no row when there is none. */
export function placeStatement(
  accountId: string,
  places: SequenceRange,
  id: string,
): Statement<typeof placeShape> {
  return {
    query: sql`select sequence from answers
      where ${counted(accountId, places)} and id = ${{ type: "UUID", value: id }} limit 1`,
    shape: placeShape,
  };
}

const placesShape = { id: "text", sequence: "number" } as const;

/** The places of those ids that are recorded. */
export function placesOfStatement(
  accountId: string,
  places: SequenceRange,
  ids: readonly string[],
): Statement<typeof placesShape> {
  return {
    query: sql`select id, sequence from answers
      where ${counted(accountId, places)} and id in ${{ type: "Array(UUID)", value: ids }}`,
    shape: placesShape,
  };
}

const hashShape = { id: "text", hash: "text" } as const;

/** The content hashes of those ids that are recorded. */
export function hashesStatement(
  accountId: string,
  places: SequenceRange,
  ids: readonly string[],
): Statement<typeof hashShape> {
  return {
    query: sql`select id, hex(content_hash) from answers
      where ${counted(accountId, places)} and id in ${{ type: "Array(UUID)", value: ids }}`,
    shape: hashShape,
  };
}

const stampShape = { id: "text", recordedAt: "number" } as const;

/** What identifies the answer at a place. */
export function stampStatement(
  accountId: string,
  places: SequenceRange,
  sequence: number,
): Statement<typeof stampShape> {
  return {
    query: sql`select id, recorded_at from answers
      where ${counted(accountId, places)} and sequence = ${{ type: "UInt64", value: sequence }}`,
    shape: stampShape,
  };
}

const countsShape = {
  answers: "number",
  first: "number",
  last: "number",
  lastImport: "number",
} as const;

/** Counts of all answers; the instants are 0 when there is none. */
export function countsStatement(
  accountId: string,
  places: SequenceRange,
): Statement<typeof countsShape> {
  return {
    query: sql`select count(), min(answered_at), max(answered_at), max(recorded_at)
      from answers where ${counted(accountId, places)}`,
    shape: countsShape,
  };
}

const outcomesShape = { outcome: "text", answers: "number" } as const;

/** The number of answers of each outcome. */
export function outcomesStatement(
  accountId: string,
  places: SequenceRange,
): Statement<typeof outcomesShape> {
  return {
    query: sql`select outcome, count() from answers
      where ${counted(accountId, places)} group by outcome`,
    shape: outcomesShape,
  };
}

const promptsShape = { promptId: "text", answers: "number" } as const;

/** The number of answers of each prompt that count in metrics. */
export function promptsStatement(
  accountId: string,
  places: SequenceRange,
): Statement<typeof promptsShape> {
  return {
    query: sql`select prompt_id, count() from answers
      where ${counted(accountId, places)} and outcome = 'answered' group by prompt_id`,
    shape: promptsShape,
  };
}

/** Answers of a selection, and the places of the import that it names. */
export interface SelectedRows {
  readonly selection: AnswerSelection;
  /** Null: it names no import. */
  readonly importSequences: readonly (readonly [first: number, last: number])[] | null;
}

const selectedShape = {
  selected: "number",
  lastOther: "number",
  lastOtherRecordedAt: "number",
} as const;

/** How many answers are selected, and the last one that is not; zeros when there is none. */
export function selectedStatement(
  accountId: string,
  places: SequenceRange,
  rows: SelectedRows,
): Statement<typeof selectedShape> {
  return {
    query: sql`select countIf(is_selected), maxIf(sequence, not is_selected),
        maxIf(recorded_at, not is_selected)
      from (select sequence, recorded_at, ${selectedBy(rows)} as is_selected from answers
        where ${counted(accountId, places)})`,
    shape: selectedShape,
  };
}

/**
 * Removes the selected rows of an account from a local table, and waits until they are gone. Only
 * at places that were given out: when this comes late, others may have recorded such answers since.
 */
export function removalOf(
  table: Fragment,
  accountId: string,
  { places, rows }: { readonly places: SequenceRange; readonly rows: SelectedRows },
): Fragment {
  return sql`alter table ${table} delete
    where account_id = ${{ type: "UUID", value: accountId }}
      and sequence <= ${{ type: "UInt64", value: places.reserved }} and ${selectedBy(rows)}
    settings mutations_sync = 2`;
}

/** Whether a row is selected. */
export function selectedBy({ selection, importSequences }: SelectedRows): Fragment {
  const { ids, promptIds, providers, regions, fromMs, toMs } = selection;
  const conditions = [
    ...(ids === null ? [] : [isAmong(sql`id`, ids)]),
    ...(promptIds === null ? [] : [isAmong(sql`prompt_id`, promptIds)]),
    ...(providers === null
      ? []
      : [sql`provider in ${{ type: "Array(String)", value: providers }}`]),
    ...(regions === null ? [] : [sql`region in ${{ type: "Array(String)", value: regions }}`]),
    ...(fromMs === null ? [] : [sql`answered_at >= ${{ type: "Int64", value: fromMs }}`]),
    ...(toMs === null ? [] : [sql`answered_at < ${{ type: "Int64", value: toMs }}`]),
  ];
  if (importSequences !== null) conditions.push(isWithinAny(importSequences));
  return conditions.length === 0 ? sql`true` : joined(sql` and `, conditions);
}

/** Ids of one value: they take 80 KB of a request, which takes 128 KB for each of its values. */
const idsAtOnce = 2_000;

/** Whether a column has one of some UUIDs: a topic may have 100,000 prompts. */
function isAmong(column: Fragment, ids: readonly string[]): Fragment {
  const parts = [sql`false`];
  for (let first = 0; first < ids.length; first += idsAtOnce) {
    const some = { type: "Array(UUID)", value: ids.slice(first, first + idsAtOnce) } as const;
    parts.push(sql`${column} in ${some}`);
  }
  return sql`(${joined(sql` or `, parts)})`;
}

/** Ranges of one value, whose numbers have up to 16 digits. */
const rangesAtOnce = 5_000;

/** Whether a row's place is within one of ranges, in order: imports may have taken many turns. */
function isWithinAny(ranges: readonly (readonly [first: number, last: number])[]): Fragment {
  const parts = [sql`false`];
  for (let first = 0; first < ranges.length; first += rangesAtOnce) {
    parts.push(isWithin(ranges.slice(first, first + rangesAtOnce)));
  }
  return sql`(${joined(sql` or `, parts)})`;
}

/**
 * Whether a row's place is within one of some ranges, in order. TRICKY: by the range that begins
 * last before it. To compare each row with all ranges takes gigabytes for some thousands.
 */
function isWithin(ranges: readonly (readonly [first: number, last: number])[]): Fragment {
  const firsts = { type: "Array(UInt64)", value: ranges.map(([first]) => first) } as const;
  const lasts = { type: "Array(UInt64)", value: ranges.map(([, last]) => last) } as const;
  const first = sql`roundDown(sequence, ${firsts})`;
  return sql`(sequence >= ${first}
    and sequence <= transform(${first}, ${firsts}, ${lasts}, toUInt64(0)))`;
}

function inRange({ accountId, places, after, limit }: AnswerRange): Fragment {
  return sql`from answers where ${counted(accountId, places)}
    and sequence > ${{ type: "UInt64", value: after }}
    order by sequence limit ${{ type: "UInt64", value: limit }}`;
}

/** The rows of an account that count. */
export function counted(accountId: string, { committed, abandoned }: SequenceRange): Fragment {
  const conditions = [
    sql`account_id = ${{ type: "UUID", value: accountId }}`,
    sql`sequence <= ${{ type: "UInt64", value: committed }}`,
    ...abandoned.map(([first, end]) => {
      const from = sql`sequence >= ${{ type: "UInt64", value: first }}`;
      return sql`not (${from} and sequence < ${{ type: "UInt64", value: end }})`;
    }),
  ];
  return joined(sql` and `, conditions);
}
