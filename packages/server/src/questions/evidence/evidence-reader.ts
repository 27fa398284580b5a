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

/** A part of an answer's text, in UTF-16 code units. */
export interface TextPlace {
  readonly sequence: number;
  readonly begins: number;
  readonly ends: number;
}

/** What stands there, and in which answer. */
export interface TextPart {
  readonly answerId: string;
  readonly text: string;
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
  /** See `partsAt`. @throws FactsError. */
  readonly partsAt: (
    accountId: string,
    places: readonly TextPlace[],
    call: Call,
  ) => Promise<readonly (TextPart | null)[]>;
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
  models(
    accountId: string,
    sequences: readonly number[],
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    return this.#each(sequences, signal, (api) => api.models(accountId, sequences));
  }

  /** Parts of texts, in this order; null: the answer or its text is gone. @throws as models. */
  partsAt(
    accountId: string,
    places: readonly TextPlace[],
    signal: AbortSignal,
  ): Promise<readonly (TextPart | null)[]> {
    return this.#each(places, signal, (api) => api.partsAt(accountId, places));
  }

  /** The ids of answers at these places, in this order. @throws as models. */
  ids(
    accountId: string,
    sequences: readonly number[],
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    return this.#each(sequences, signal, (api) => api.ids(accountId, sequences));
  }

  /** The search queries of answers at these places, in this order. @throws as models. */
  searchQueries(
    accountId: string,
    sequences: readonly number[],
    signal: AbortSignal,
  ): Promise<readonly (readonly string[])[]> {
    return this.#each(sequences, signal, (api) => api.searchQueries(accountId, sequences));
  }

  /** The words at places, in this order; null: the text is gone. @throws as models. */
  quotes(
    accountId: string,
    places: readonly QuotePlace[],
    signal: AbortSignal,
  ): Promise<readonly (string | null)[]> {
    return this.#each(places, signal, (api) => api.quotes(accountId, places));
  }

  /** Asks about each item; none: the thread is not asked. */
  async #each<Result>(
    items: readonly unknown[],
    signal: AbortSignal,
    ask: (api: ReturnType<Thread<EvidenceApi>["with"]>) => Promise<readonly Result[]>,
  ): Promise<readonly Result[]> {
    if (items.length === 0) return [];
    signal.throwIfAborted();
    return untilAborted(ask(this.#thread.with({ signal })), signal);
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
