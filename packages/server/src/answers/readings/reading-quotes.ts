import { nextTurn } from "../../platform/turns.ts";
import type { AnswerStore } from "../answer-store.ts";

/** Where words stand in an answer, in UTF-16 units; half-open. */
export interface QuotePlace {
  readonly answerId: string;
  readonly start: number;
  readonly end: number;
}

/** Ids and answers of one read. */
const idsAtOnce = 500;

/**
 * The words at places, in this order, which the record alone has; null: the text is gone.
 * @throws RecordError; the signal's reason.
 */
export async function quotesAt(
  store: Pick<AnswerStore, "sequencesOf" | "at">,
  { accountId, signal }: { readonly accountId: string; readonly signal: AbortSignal },
  places: readonly QuotePlace[],
): Promise<readonly (string | null)[]> {
  const quotes = new Map<QuotePlace, string>();
  const byAnswer = Map.groupBy(places, ({ answerId }) => answerId);
  const ids = [...byAnswer.keys()];
  for (let first = 0; first < ids.length; first += idsAtOnce) {
    const sequences = await store.sequencesOf(accountId, ids.slice(first, first + idsAtOnce));
    const inOrder = [...sequences.values()].toSorted((a, b) => a - b);
    for await (const { id, text, removedText } of store.at(accountId, inOrder, signal)) {
      if (removedText !== undefined) continue;
      for (const place of byAnswer.get(id) ?? []) {
        quotes.set(place, text.slice(place.start, place.end));
      }
    }
    await nextTurn();
  }
  return places.map((place) => quotes.get(place) ?? null);
}
