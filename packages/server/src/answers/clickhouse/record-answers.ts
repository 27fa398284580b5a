import { randomUUID } from "node:crypto";
import type { PoolClient } from "pg";
import type { Clickhouse } from "../../platform/clickhouse/clickhouse.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Answer } from "../answer.ts";
import type { Recording } from "../answer-store.ts";
import { contentHash } from "../content-hash.ts";
import { AnswerBlock } from "./answer-block.ts";
import { hashesStatement } from "./answer-statements.ts";
import { insertion } from "./insertion.ts";
import { commit, type RecordPlaces, readPlaces, reserve } from "./record-places.ts";

/** What answers are recorded with. */
export interface RecordingContext {
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
  const places = await readPlaces(client, accountId);
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
    const start = await reserve(client, accountId, { answers: accepted.length, own: first });
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
  places: RecordPlaces | null,
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
