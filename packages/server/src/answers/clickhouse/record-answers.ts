import { randomUUID } from "node:crypto";
import type { PoolClient } from "pg";
import type { Clickhouse } from "../../platform/clickhouse/clickhouse.ts";
import {
  type BlockColumn,
  bytesOf,
  clickhouseUuid,
  textBytes,
} from "../../platform/clickhouse/native-block.ts";
import type { Clock } from "../../platform/clock.ts";
import { uuidBytes } from "../../platform/uuid.ts";
import { type Answer, contentHash } from "../answer.ts";
import type { Recording } from "../answer-store.ts";
import { hashesStatement } from "./answer-statements.ts";
import { commit, readSequences, reserveSequences, type SequenceRange } from "./record-sequences.ts";
import { insertion } from "./tables.ts";

/** What answers are recorded with. */
interface RecordingContext {
  readonly clickhouse: Clickhouse;
  readonly client: PoolClient;
  readonly clock: Clock;
  readonly accountId: string;
  /** Null: the answers belong to none. */
  readonly importId: string | null;
}

/** Answers and characters that are sent in one piece, so that memory stays bounded. */
const chunkAnswersMax = 4_000;
const chunkCharactersMax = 16 * 1024 * 1024;
/** Ids of one look-up: they take 80 KB of a request, of which the server reads 128. */
const idsAtOnce = 2_000;

interface Chunk {
  readonly answers: { readonly answer: Answer; readonly hash: Buffer }[];
  characters: number;
}

/** Records answers, as the account's only writer. */
export async function recordAnswers(
  answers: Iterable<Answer>,
  context: RecordingContext,
): Promise<readonly Recording[]> {
  const { accountId, client, clock, importId } = context;
  const places = await readSequences(client, accountId);
  const recordings: Recording[] = [];
  /** Ids of this call, with the hash of what is recorded under them. */
  const known = new Map<string, string>();
  let first: number | null = null;
  let last = 0;
  for (const chunk of chunksOf(answers)) {
    const ids = chunk.answers.map(({ answer }) => answer.id).filter((id) => !known.has(id));
    for (const [id, hash] of await recordedHashes(context, places, ids)) known.set(id, hash);
    const accepted = chunk.answers.filter(({ answer, hash }) => {
      const recording = recordingOf(known.get(answer.id), hash.toString("hex"));
      known.set(answer.id, known.get(answer.id) ?? hash.toString("hex"));
      recordings.push(recording);
      return recording === "accepted";
    });
    if (accepted.length === 0) continue;
    const start = await reserveSequences(client, accountId, {
      answers: accepted.length,
      own: first,
    });
    first ??= start;
    last = start + accepted.length - 1;
    await insertChunk(accepted, start, context);
  }
  const recordedAtMs = clock.now();
  if (first !== null) await commit(client, accountId, { first, last, recordedAtMs, importId });
  return recordings;
}

function recordingOf(recorded: string | undefined, hash: string): Recording {
  if (recorded === undefined) return "accepted";
  return recorded === hash ? "duplicate" : "conflict";
}

async function recordedHashes(
  { clickhouse, accountId }: RecordingContext,
  places: SequenceRange | null,
  ids: readonly string[],
): Promise<readonly (readonly [id: string, hash: string])[]> {
  if (places === null) return [];
  const found: (readonly [string, string])[] = [];
  for (let start = 0; start < ids.length; start += idsAtOnce) {
    const some = ids.slice(start, start + idsAtOnce);
    const rows = await clickhouse.query(hashesStatement(accountId, places, some));
    found.push(...rows.map(({ id, hash }) => [id, hash.toLowerCase()] as const));
  }
  return found;
}

async function insertChunk(
  accepted: Chunk["answers"],
  start: number,
  { clickhouse, clock, accountId }: RecordingContext,
): Promise<void> {
  const block = new AnswerBlock(accountId);
  for (const [index, { answer, hash }] of accepted.entries()) {
    block.add(answer, { sequence: start + index, hash, recordedAt: clock.now() });
  }
  const rows = { rows: block.rows, columns: block.columns() };
  // The places of an account that was deleted and created again start over.
  await clickhouse.insert(insertion("answers", `${accountId}/${start}/${randomUUID()}`, rows));
}

function* chunksOf(answers: Iterable<Answer>): Generator<Chunk> {
  let chunk: Chunk = { answers: [], characters: 0 };
  for (const answer of answers) {
    chunk.answers.push({ answer, hash: contentHash(answer) });
    chunk.characters += answer.text.length;
    if (chunk.answers.length < chunkAnswersMax && chunk.characters < chunkCharactersMax) continue;
    yield chunk;
    chunk = { answers: [], characters: 0 };
  }
  if (chunk.answers.length > 0) yield chunk;
}

/** What is stored with an answer in addition to its content. */
interface AnswerKeys {
  readonly sequence: number;
  readonly hash: Buffer;
  readonly recordedAt: number;
}

/** Answers on their way to ClickHouse: the bytes of each column, one after the other. */
class AnswerBlock {
  readonly #accountId: Buffer;
  readonly #columns = new Map<string, { readonly type: string; readonly parts: Uint8Array[] }>();
  #rows = 0;

  constructor(accountId: string) {
    this.#accountId = clickhouseUuid(uuidBytes(accountId));
  }

  get rows(): number {
    return this.#rows;
  }

  /** Adds an answer. @throws when one of its numbers is not an integer. */
  add(answer: Answer, { sequence, hash, recordedAt }: AnswerKeys): void {
    this.#rows++;
    this.#push("account_id", "UUID", this.#accountId);
    this.#push("sequence", "UInt64", integer(sequence));
    this.#push("id", "UUID", clickhouseUuid(uuidBytes(answer.id)));
    this.#push("content_hash", "FixedString(32)", hash);
    this.#push("prompt_id", "UUID", clickhouseUuid(uuidBytes(answer.promptId)));
    this.#text("provider", answer.provider);
    this.#text("region", answer.region ?? "");
    this.#push("answered_at", "Int64", integer(answer.answeredAt));
    this.#text("outcome", answer.outcome);
    this.#text("text", answer.text);
    this.#text("citations", JSON.stringify(answer.citations));
    this.#text("model", JSON.stringify(answer.model));
    this.#text("surface", answer.surface ?? "");
    this.#push("sample", "UInt64", integer(answer.sample));
    this.#text("metadata", JSON.stringify(answer.metadata));
    this.#push("recorded_at", "Int64", integer(recordedAt));
    const { removedText } = answer;
    this.#text("mentioned", removedText === undefined ? "" : JSON.stringify(removedText.mentioned));
    const { searchQueries, cost } = answer;
    this.#text("search_queries", searchQueries.length === 0 ? "" : JSON.stringify(searchQueries));
    this.#text("cost", cost === null ? "" : JSON.stringify(cost));
    this.#text("vendor", answer.vendor ?? "");
    this.#text("requested_region", answer.requestedRegion ?? "");
  }

  /** The rows as columns side by side. */
  columns(): readonly BlockColumn[] {
    return [...this.#columns].map(([name, { type, parts }]) => {
      return { name, type, bytes: Buffer.concat(parts) };
    });
  }

  #text(name: string, text: string): void {
    this.#push(name, "String", textBytes(text));
  }

  #push(name: string, type: string, bytes: Uint8Array): void {
    const column = this.#columns.get(name) ?? { type, parts: [] };
    this.#columns.set(name, column);
    column.parts.push(bytes);
  }
}

function integer(value: number): Uint8Array {
  if (!Number.isSafeInteger(value)) throw new Error(`${value} is not an INTEGER`);
  return bytesOf(BigInt64Array.of(BigInt(value)));
}
