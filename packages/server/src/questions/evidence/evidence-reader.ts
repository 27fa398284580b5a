import type { AnswerStoreAddress } from "../../answers/open-answer-store.ts";
import type { QuotePlace } from "../../answers/readings/reading-quotes.ts";
import { FactsError } from "../../facts/engine.ts";
import type { AnswerPlace } from "../../facts/plan/places-plan.ts";
import type { SnapshotEntity } from "../../facts/snapshot.ts";
import { type Call, Thread } from "../../platform/thread.ts";
import { untilAborted } from "../../platform/until-aborted.ts";

/** The entities of one generation of an account's facts. */
export interface KeyedEntities {
  readonly generation: string;
  readonly entities: readonly SnapshotEntity[];
}

/** What the thread is asked to read: answers at places, in this order, or the one with an id. */
export type WantedAnswers =
  | { readonly places: readonly AnswerPlace[] }
  | { readonly answerId: string };

/** What the thread is asked. */
export interface EvidenceRequest {
  readonly accountId: string;
  /** Of the entities. */
  readonly key: string;
  readonly wanted: WantedAnswers;
}

/** What was read, as JSON: objects with commas between them. */
export interface AnswersRead {
  readonly json: Uint8Array;
  /** Of places, the first so many: their texts are large. */
  readonly count: number;
}

/** What the thread does, several calls at a time. */
export interface EvidenceApi {
  /**
   * `unknown entities`: the thread has none under the key.
   * @param entities null: the thread may have them, so that they are not copied again.
   * @throws FactsError.
   */
  readonly read: (
    request: EvidenceRequest,
    entities: readonly SnapshotEntity[] | null,
    call: Call,
  ) => Promise<AnswersRead | "unknown entities">;
  /** @throws FactsError. */
  readonly ids: (
    accountId: string,
    sequences: readonly number[],
    call: Call,
  ) => Promise<readonly string[]>;
  /** @throws FactsError. */
  readonly models: (
    accountId: string,
    sequences: readonly number[],
    call: Call,
  ) => Promise<readonly string[]>;
  /** @throws FactsError. */
  readonly searchQueries: (
    accountId: string,
    sequences: readonly number[],
    call: Call,
  ) => Promise<readonly (readonly string[])[]>;
  /** @throws FactsError. */
  readonly quotes: (
    accountId: string,
    places: readonly QuotePlace[],
    call: Call,
  ) => Promise<readonly (string | null)[]>;
  /** As AnswerStore has it. @throws FactsError. */
  readonly sequencesOf: (
    accountId: string,
    ids: readonly string[],
    call: Call,
  ) => Promise<ReadonlyMap<string, number>>;
}

/** Texts are garbage immediately. */
const youngMb = 8;

/**
 * Reads answers and finds what is mentioned and cited in them, in a thread of its own: both block.
 */
export class EvidenceReader {
  readonly #thread: Thread<EvidenceApi>;

  constructor(address: AnswerStoreAddress) {
    const file = new URL("./evidence-worker.ts", import.meta.url);
    this.#thread = new Thread(file, address, { youngMb, errors: { FactsError } });
  }

  /**
   * At least one answer, if any is wanted by its place; none for an id that the record lacks.
   * @throws FactsError unavailable when the record cannot be read, or is not that of the facts; the
   * signal's reason.
   */
  async read(
    accountId: string,
    { generation, entities, wanted }: KeyedEntities & { readonly wanted: WantedAnswers },
    signal: AbortSignal,
  ): Promise<AnswersRead> {
    signal.throwIfAborted();
    const request = { accountId, key: `${accountId}/${generation}`, wanted };
    const api = this.#thread.with({ signal });
    // The thread is told, too: left to it, readings would grow by as many as clients try again.
    const known = await untilAborted(api.read(request, null), signal);
    if (known !== "unknown entities") return known;
    const read = await untilAborted(api.read(request, entities), signal);
    if (read === "unknown entities") throw new Error(`the entities of ${request.key} never came`);
    return read;
  }

  /**
   * The models of answers at these places, in this order.
   * @throws FactsError unavailable when the record cannot be read, or is not that of the facts; the
   * signal's reason.
   */
  async models(
    accountId: string,
    sequences: readonly number[],
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    if (sequences.length === 0) return [];
    signal.throwIfAborted();
    return untilAborted(this.#thread.with({ signal }).models(accountId, sequences), signal);
  }

  /** The ids of answers at these places, in this order. @throws as models. */
  async ids(
    accountId: string,
    sequences: readonly number[],
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    if (sequences.length === 0) return [];
    signal.throwIfAborted();
    return untilAborted(this.#thread.with({ signal }).ids(accountId, sequences), signal);
  }

  /** The search queries of answers at these places, in this order. @throws as models. */
  async searchQueries(
    accountId: string,
    sequences: readonly number[],
    signal: AbortSignal,
  ): Promise<readonly (readonly string[])[]> {
    if (sequences.length === 0) return [];
    signal.throwIfAborted();
    return untilAborted(this.#thread.with({ signal }).searchQueries(accountId, sequences), signal);
  }

  /** The words at places, in this order; null: the text is gone. @throws as models. */
  async quotes(
    accountId: string,
    places: readonly QuotePlace[],
    signal: AbortSignal,
  ): Promise<readonly (string | null)[]> {
    if (places.length === 0) return [];
    signal.throwIfAborted();
    return untilAborted(this.#thread.with({ signal }).quotes(accountId, places), signal);
  }

  /** As AnswerStore has it. @throws FactsError unavailable; the signal's reason. */
  async sequencesOf(
    accountId: string,
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, number>> {
    if (ids.length === 0) return new Map();
    return untilAborted(this.#thread.with({ signal }).sequencesOf(accountId, ids), signal);
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
