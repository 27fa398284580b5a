import type { Row } from "../../platform/sql.ts";
import type { Answer, AnswerCitation, RemovedText } from "../answer.ts";
import type { RecordedAnswer, RecordedContent } from "../answer-store.ts";
import type { SequenceRange } from "./record-sequences.ts";

/** The columns of what facts are derived from. */
export const contentShape = {
  sequence: "number",
  promptId: "text",
  provider: "text",
  region: "text",
  answeredAt: "number",
  outcome: "text",
  text: "text",
  citations: "text",
  id: "text",
  recordedAt: "number",
  model: "text",
  surface: "text",
  mentioned: "text",
  searchQueries: "text",
} as const;

/** The columns of a stored answer. */
export const answerShape = {
  ...contentShape,
  removedHash: "text",
  sample: "number",
  metadata: "text",
  cost: "text",
  vendor: "text",
  requestedRegion: "text",
} as const;

/** The parts of a stored answer that facts are derived from. */
export type ContentRow = Row<typeof contentShape>;
/** A stored answer. */
export type AnswerRow = Row<typeof answerShape>;

/** The content of a row that facts are derived from. */
export function toContent(row: ContentRow, places: SequenceRange): RecordedContent {
  return { ...contentOf(row), mentioned: mentionedOf(row), stamp: stampOf(row, places) };
}

/** The complete answer of a row. */
export function toAnswer(row: AnswerRow): RecordedAnswer {
  return {
    ...contentOf(row),
    id: row.id,
    sample: row.sample,
    metadata: JSON.parse(row.metadata) as Answer["metadata"],
    cost: row.cost === "" ? null : (JSON.parse(row.cost) as Answer["cost"]),
    vendor: row.vendor || null,
    requestedRegion: row.requestedRegion || null,
    ...removedTextOf(row),
  };
}

function mentionedOf({ mentioned }: ContentRow): readonly string[] | null {
  return mentioned === "" ? null : (JSON.parse(mentioned) as readonly string[]);
}

function removedTextOf(row: AnswerRow): { readonly removedText?: RemovedText } {
  const mentioned = mentionedOf(row);
  if (mentioned === null) return {};
  return { removedText: { mentioned, contentHash: row.removedHash } };
}

/** See RecordMark. */
export function stampOf(
  { id, recordedAt }: { readonly id: string; readonly recordedAt: number },
  { recordId }: SequenceRange,
): string {
  return `${recordId}/${id.replaceAll("-", "").toUpperCase()}/${recordedAt}`;
}

function contentOf(row: ContentRow) {
  return {
    sequence: row.sequence,
    promptId: row.promptId,
    provider: row.provider as Answer["provider"],
    region: row.region || null,
    answeredAt: row.answeredAt,
    outcome: row.outcome as Answer["outcome"],
    text: row.text,
    citations: JSON.parse(row.citations) as readonly AnswerCitation[],
    model: JSON.parse(row.model) as Answer["model"],
    surface: (row.surface || null) as Answer["surface"],
    searchQueries: row.searchQueries === "" ? [] : (JSON.parse(row.searchQueries) as string[]),
  };
}
