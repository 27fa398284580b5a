import { workerData } from "node:worker_threads";
import {
  type AnswerStore,
  OtherRecordError,
  RecordError,
  type RecordedAnswer,
} from "../../answers/answer-store.ts";
import { type AnswerStoreAddress, openAnswerStore } from "../../answers/open-answer-store.ts";
import { quotesAt } from "../../answers/readings/reading-quotes.ts";
import { compileEvidenceLocator } from "../../extraction/index.ts";
import { FactsError } from "../../facts/engine.ts";
import type { AnswerPlace } from "../../facts/plan/places-plan.ts";
import type { SnapshotEntity } from "../../facts/snapshot.ts";
import { systemClock } from "../../platform/clock.ts";
import { moving, serve } from "../../platform/thread.ts";
import { nextTurn } from "../../platform/turns.ts";
import {
  charactersOf,
  type EvidenceRules,
  listedAnswer,
  RecentKeys,
  wholeAnswer,
} from "./answer-document.ts";
import type { AnswersRead, EvidenceApi, EvidenceRequest } from "./evidence-reader.ts";

/** A page ends before the answer with which it would be longer, unless that is its first. */
const pageBytesMax = 4 * 1024 * 1024;

const known = new RecentKeys<EvidenceRules>();

/** The thread that reads evidence. */
serve<EvidenceApi>(async () => {
  const store = await openAnswerStore(workerData as AnswerStoreAddress, systemClock);
  return {
    read: async (request, entities, { signal }) => {
      const rules = known.get(request.key) ?? (entities && compiled(request.key, entities));
      if (rules === null) return "unknown entities";
      await nextTurn(); // one reading blocks: what was cancelled meanwhile is not begun
      signal.throwIfAborted();
      return ofRecord(() => read(store, { ...request, rules, signal }));
    },
    ids: (accountId, sequences, { signal }) =>
      ofRecord(() => valuesAt(store.at(accountId, sequences, signal), sequences, ({ id }) => id)),
    models: (accountId, sequences, { signal }) =>
      ofRecord(() =>
        valuesAt(store.at(accountId, sequences, signal), sequences, ({ model }) => model),
      ),
    searchQueries: (accountId, sequences, { signal }) =>
      ofRecord(() =>
        valuesAt(store.at(accountId, sequences, signal), sequences, (each) => each.searchQueries),
      ),
    quotes: (accountId, places, { signal }) =>
      ofRecord(() => quotesAt(store, { accountId, signal }, places)),
    sequencesOf: (accountId, ids) => ofRecord(() => store.sequencesOf(accountId, ids)),
  };
});

/** Works on the record. @throws FactsError when it cannot be read. */
async function ofRecord<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const isOfRecord = error instanceof RecordError || error instanceof OtherRecordError;
    throw isOfRecord ? new FactsError("unavailable", error) : error;
  }
}

function compiled(key: string, entities: readonly SnapshotEntity[]): EvidenceRules {
  const entityIds = entities.map(({ id }) => id);
  const rules = { entityIds, locate: compileEvidenceLocator(entities) };
  known.set(key, rules, charactersOf(entities));
  return rules;
}

async function valuesAt<Value>(
  answers: AsyncIterable<RecordedAnswer>,
  sequences: readonly number[],
  read: (answer: RecordedAnswer) => Value | null,
): Promise<readonly Value[]> {
  const values = new Map<number, Value | null>();
  for await (const answer of answers) values.set(answer.sequence, read(answer));
  return sequences.map((sequence) => {
    const value = values.get(sequence) ?? null;
    if (value === null) throw otherRecord(sequence);
    return value;
  });
}

interface Reading extends EvidenceRequest {
  readonly rules: EvidenceRules;
  readonly signal: AbortSignal;
}

async function read(
  store: AnswerStore,
  { accountId, wanted, rules, signal }: Reading,
): Promise<AnswersRead> {
  if ("places" in wanted) {
    const sequences = wanted.places.map(({ sequence }) => sequence);
    return pageOf(store.at(accountId, sequences, signal), wanted.places, rules);
  }
  const answer = await store.byId(accountId, wanted.answerId);
  if (answer === null) return { json: new Uint8Array(), count: 0 };
  return readAs(JSON.stringify(wholeAnswer(answer, rules)), 1);
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
    if (!isAt(answer, place)) throw otherRecord(place?.sequence ?? 0);
    const document = JSON.stringify(listedAnswer(answer, rules));
    bytes += Buffer.byteLength(document);
    if (bytes > pageBytesMax && documents.length > 0) return pageWith(documents);
    documents.push(document);
  }
  const next = places[documents.length];
  if (next !== undefined) throw otherRecord(next.sequence);
  return pageWith(documents);
}

function isAt({ sequence, answeredAt }: RecordedAnswer, place: AnswerPlace | undefined): boolean {
  return sequence === place?.sequence && answeredAt === place.answeredAtMs;
}

function pageWith(documents: readonly string[]): AnswersRead {
  return readAs(documents.join(","), documents.length);
}

/** Its bytes can move to another thread: Buffer.from would give a part of a shared block. */
function readAs(text: string, count: number): AnswersRead {
  const json = new TextEncoder().encode(text);
  return moving({ json, count }, [json.buffer]);
}

/** The scheduler compares record and facts of an account that is asked. */
function otherRecord(sequence: number): FactsError {
  const message = `the record does not have the answer ${sequence} that the facts have`;
  return new FactsError("unavailable", new Error(message));
}
