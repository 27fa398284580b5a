import type { LabelMetric, LabelSampleResponse, Sightline } from "@sightline/client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useAccount } from "../data/account.ts";
import { sent, type ViewFilters } from "../data/filters.ts";
import { noteFailure } from "../data/managed.ts";
import { type Reply, repliesOf } from "../data/queries.ts";
import type { Said } from "./label-texts.ts";

/** Which answers are drawn, and who reads them for what. */
export interface Labelling {
  readonly labeller: string;
  readonly entityId: string;
  readonly metric: LabelMetric;
  readonly limit: number;
  readonly seed: number;
  readonly filters: ViewFilters;
}

/** The answers of a draw, and what the labeller said of answers before. */
export interface Drawn extends LabelSampleResponse {
  readonly said: Said;
}

/** Draws answers, and reads what the labeller said of the entity and the metric so far. */
export function useDrawn(labelling: Labelling): Reply<Drawn> {
  const { id, client } = useAccount();
  return useQuery<Drawn, Error, Drawn, readonly unknown[]>({
    queryKey: [id, "labelled", labelling],
    queryFn: ({ signal }) => drawn(client, labelling, signal),
    // What is said meanwhile is kept by the page itself: answers must not change their places.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

async function drawn(
  client: Sightline,
  { labeller, entityId, metric, limit, seed, filters }: Labelling,
  signal: AbortSignal,
): Promise<Drawn> {
  const asked = { entityId, metric, limit, seed, ...sent({ filters }) };
  const sample = await client.labels.sample(asked, { signal });
  const said = new Map<string, boolean>();
  for await (const label of client.labels.list({ labeller, entityId, metric }, { signal })) {
    said.set(label.answerId, label.value);
  }
  return { ...sample, said };
}

/** A label that was given, and what stood there before; null: nothing. */
interface Given {
  readonly answerId: string;
  readonly before: boolean | null;
}

/** What the labeller says, which is saved answer by answer. */
export interface Labels {
  readonly said: Said;
  readonly failure: Error | null;
  readonly say: (answerId: string, value: boolean) => void;
  /** Takes the last label back. @returns the answer that it was of; null: there is none. */
  readonly undo: () => string | null;
  readonly canUndo: boolean;
}

/** So many labels are counted together: each count reads all labelled answers. */
const countedTogether = 5;

/**
 * Saves labels in the order in which they are given, without making the reader wait. One that
 * cannot be saved is taken back, and the page says why.
 */
export function useLabels(labelling: Labelling, before: Said, answers: number): Labels {
  const account = useAccount();
  const queries = useQueryClient();
  const [said, setSaid] = useState(before);
  const [given, setGiven] = useState<readonly Given[]>([]);
  const [failure, setFailure] = useState<Error | null>(null);
  const saving = useRef(Promise.resolve());
  const put = (answerId: string, value: boolean | null) =>
    setSaid((now) => {
      const next = new Map(now);
      if (value === null) next.delete(answerId);
      else next.set(answerId, value);
      return next;
    });
  const change = ({ answerId, before }: Given, value: boolean | null) => {
    put(answerId, value);
    setFailure(null);
    const total = said.size + (before === null ? 1 : 0);
    const isCounted = value === null || total % countedTogether === 0 || total >= answers;
    saving.current = saving.current.then(async () => {
      try {
        await saved(account.client, { ...labelling, answerId, value });
        if (!isCounted) return;
        void queries.invalidateQueries({ queryKey: repliesOf(account, "summary") });
      } catch (error) {
        put(answerId, before);
        setGiven((now) => now.filter((each) => each.answerId !== answerId));
        setFailure(noteFailure(queries, account, error));
      }
    });
  };
  const say = (answerId: string, value: boolean) => {
    const one = { answerId, before: said.get(answerId) ?? null };
    setGiven((now) => [...now, one]);
    change(one, value);
  };
  const undo = () => {
    const last = given.at(-1);
    if (last === undefined) return null;
    setGiven((now) => now.slice(0, -1));
    change({ answerId: last.answerId, before: said.get(last.answerId) ?? null }, last.before);
    return last.answerId;
  };
  return { said, failure, say, undo, canUndo: given.length > 0 };
}

interface Saved extends Labelling {
  readonly answerId: string;
  /** Null: the label is taken back. */
  readonly value: boolean | null;
}

/** @throws when the service does not store the label. */
async function saved(
  { labels }: Sightline,
  { labeller, entityId, metric, answerId, value }: Saved,
): Promise<void> {
  const key = { answerId, entityId, metric, labeller };
  if (value === null) {
    await labels.delete(key);
    return;
  }
  const { errors } = await labels.import([{ ...key, value }]);
  const [refused] = errors;
  if (refused !== undefined) throw new Error(refused.message);
}
