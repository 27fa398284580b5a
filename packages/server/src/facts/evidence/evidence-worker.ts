import { parentPort, workerData } from "node:worker_threads";
import type { AnswerPlace } from "../../analytics/evidence-question.ts";
import type { RecordedAnswer } from "../../answers/answer-store.ts";
import { type AnswerStoreAddress, openAnswerStore } from "../../answers/open-answer-store.ts";
import { compileEvidenceLocator } from "../../extraction/index.ts";
import { systemClock } from "../../platform/clock.ts";
import { onceOpened } from "../../platform/once-opened.ts";
import { nextTurn } from "../../platform/turns.ts";
import { threadFailure } from "../thread-failure.ts";
import { type EvidenceRules, listedAnswer, wholeAnswer } from "./answer-document.ts";
import type {
  AnswersRead,
  EvidenceCancel,
  EvidenceReply,
  EvidenceRequest,
} from "./evidence-reader.ts";
import { charactersOf, RecentKeys } from "./recent-keys.ts";

/** A page ends before the answer with which it would be longer, unless that is its first. */
const pageBytesMax = 4 * 1024 * 1024;

const known = new RecentKeys<EvidenceRules>();
const openOnce = onceOpened(() => openAnswerStore(workerData as AnswerStoreAddress, systemClock));

/** The record is not the one that the facts were made of. */
class MissingAnswerError extends Error {
  readonly sequence: number;

  constructor(sequence: number) {
    super(`no answer ${sequence}`);
    this.sequence = sequence;
  }
}

/** By request, what ends its reading. */
const readings = new Map<number, AbortController>();

parentPort?.on("message", (message: EvidenceRequest | EvidenceCancel) => {
  if ("cancel" in message) {
    readings.get(message.cancel)?.abort();
    return;
  }
  const reading = new AbortController();
  readings.set(message.id, reading);
  void reply(message, reading.signal).then((made) => {
    readings.delete(message.id);
    parentPort?.postMessage(made, "json" in made ? [made.json.buffer as ArrayBuffer] : []);
  });
});

async function reply(
  { id, ...request }: EvidenceRequest,
  signal: AbortSignal,
): Promise<EvidenceReply> {
  try {
    // Before anything is waited for: the keys are used in the order of the requests.
    const rules = rulesOf(request);
    await nextTurn(); // one reading blocks: what was cancelled meanwhile is not begun
    return { id, ...(await read(request, rules, signal)) };
  } catch (error) {
    if (signal.aborted) return { id, cancelled: true };
    if (error instanceof MissingAnswerError) return { id, missing: error.sequence };
    return { id, ...threadFailure(error) };
  }
}

function rulesOf({ key, entities }: Pick<EvidenceRequest, "key" | "entities">): EvidenceRules {
  if (entities !== null) {
    const entityIds = entities.map(({ id }) => id);
    const rules = { entityIds, locate: compileEvidenceLocator(entities) };
    known.set(key, rules, charactersOf(entities));
    return rules;
  }
  const rules = known.get(key);
  if (rules === undefined) throw new Error(`the entities of ${key} never came`);
  return rules;
}

async function read(
  { accountId, wanted }: Pick<EvidenceRequest, "accountId" | "wanted">,
  rules: EvidenceRules,
  signal: AbortSignal,
): Promise<AnswersRead> {
  signal.throwIfAborted();
  const store = await openOnce();
  if ("places" in wanted) {
    const sequences = wanted.places.map(({ sequence }) => sequence);
    return pageOf(store.at(accountId, sequences, signal), wanted.places, rules);
  }
  const answer = await store.byId(accountId, wanted.answerId);
  if (answer === null) return { json: new Uint8Array(), count: 0 };
  return { json: bytesOf(JSON.stringify(wholeAnswer(answer, rules))), count: 1 };
}

async function pageOf(
  answers: AsyncIterable<RecordedAnswer>,
  places: readonly AnswerPlace[],
  rules: EvidenceRules,
): Promise<AnswersRead> {
  const documents: string[] = [];
  let bytes = 0;
  for await (const answer of answers) {
    const place = places[documents.length];
    if (!isAt(answer, place)) throw new MissingAnswerError(place?.sequence ?? 0);
    const document = JSON.stringify(listedAnswer(answer, rules));
    bytes += Buffer.byteLength(document);
    if (bytes > pageBytesMax && documents.length > 0) return pageWith(documents);
    documents.push(document);
  }
  const next = places[documents.length];
  if (next !== undefined) throw new MissingAnswerError(next.sequence);
  return pageWith(documents);
}

function isAt({ sequence, answeredAt }: RecordedAnswer, place: AnswerPlace | undefined): boolean {
  return sequence === place?.sequence && answeredAt === place.answeredAtMs;
}

function pageWith(documents: readonly string[]): AnswersRead {
  return { json: bytesOf(documents.join(",")), count: documents.length };
}

/** Bytes that can be moved to another thread: Buffer.from would give a part of a shared block. */
function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
