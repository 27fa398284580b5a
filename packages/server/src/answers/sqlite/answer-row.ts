import { uuidBytes, uuidText } from "../../platform/uuid.ts";
import type { Answer, AnswerCitation, RemovedText } from "../answer.ts";
import type { RecordedAnswer } from "../answer-store.ts";

/** The columns that facts are derived from. */
export interface ContentRow {
  readonly sequence: number;
  readonly prompt_id: Buffer;
  readonly provider: Answer["provider"];
  readonly region: string | null;
  readonly answered_at: number;
  readonly outcome: Answer["outcome"];
  readonly text: string;
  readonly citations: string;
  readonly model: string | null;
  readonly surface: Answer["surface"];
  /** JSON, see RemovedText; null: the text is there. */
  readonly mentioned: string | null;
  /** JSON; null: nothing is known. */
  readonly search_queries: string | null;
}

/** A row of the record. */
export interface AnswerRow extends ContentRow {
  readonly id: Buffer;
  readonly sample: number;
  readonly metadata: string | null;
  /** JSON; null: nothing is known. */
  readonly cost: string | null;
  readonly vendor: string | null;
  readonly requested_region: string | null;
  /** Null: the text is there. */
  readonly removed_hash: string | null;
}

/** What is stored with an answer in addition to its content. */
export interface RowKeys {
  readonly id: Buffer;
  readonly hash: Buffer;
  readonly recordedAt: number;
}

/** In the order of the columns of `insertAnswer`. */
export function valuesOf(answer: Answer, { id, hash, recordedAt }: RowKeys): readonly unknown[] {
  return [
    id,
    hash,
    uuidBytes(answer.promptId),
    answer.provider,
    answer.region,
    answer.answeredAt,
    answer.outcome,
    answer.text,
    JSON.stringify(answer.citations),
    answer.model,
    answer.surface,
    answer.sample,
    answer.metadata === null ? null : JSON.stringify(answer.metadata),
    recordedAt,
    answer.searchQueries.length === 0 ? null : JSON.stringify(answer.searchQueries),
    answer.cost === null ? null : JSON.stringify(answer.cost),
    answer.vendor,
    answer.requestedRegion,
  ];
}

/** The content of a row that facts are derived from. */
export function toContent(row: ContentRow) {
  return {
    sequence: row.sequence,
    promptId: uuidText(row.prompt_id),
    provider: row.provider,
    region: row.region,
    answeredAt: row.answered_at,
    outcome: row.outcome,
    text: row.text,
    citations: JSON.parse(row.citations) as readonly AnswerCitation[],
    model: row.model,
    surface: row.surface,
    searchQueries: row.search_queries === null ? [] : (JSON.parse(row.search_queries) as string[]),
    mentioned: mentionedOf(row),
  };
}

function mentionedOf({ mentioned }: Pick<ContentRow, "mentioned">): readonly string[] | null {
  return mentioned === null ? null : (JSON.parse(mentioned) as readonly string[]);
}

function removedTextOf(row: AnswerRow): { readonly removedText?: RemovedText } {
  const mentioned = mentionedOf(row);
  if (mentioned === null) return {};
  return { removedText: { mentioned, contentHash: row.removed_hash ?? "" } };
}

/** The complete answer of a row. */
export function toAnswer(row: AnswerRow): RecordedAnswer {
  const { mentioned: _, ...content } = toContent(row);
  return {
    ...content,
    ...removedTextOf(row),
    id: uuidText(row.id),
    sample: row.sample,
    metadata: row.metadata === null ? null : (JSON.parse(row.metadata) as Answer["metadata"]),
    cost: row.cost === null ? null : (JSON.parse(row.cost) as Answer["cost"]),
    vendor: row.vendor,
    requestedRegion: row.requested_region,
  };
}
