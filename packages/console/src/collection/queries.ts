import {
  type CollectionRequest,
  type CollectionsResponse,
  InvalidRequestError,
  type StartedCollection,
} from "@sightline/client";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useAccount } from "../data/account.ts";
import { useChanged } from "../data/managed.ts";
import { type Reply, repliesOf } from "../data/queries.ts";
import { lookAgainMs } from "./sweep-state.ts";

/** The cache's name for sweeps, vendors and spending. */
export const collectionsName = "collections";

/**
 * Sweeps, vendors, spending and what comes next; asked for again while a sweep is under way, and
 * when the next one begins, as long as the page is seen. Not asked for without the scope `manage`.
 * To be called once: each call has its own interval.
 */
export function useCollections(enabled: boolean): Reply<CollectionsResponse> {
  const account = useAccount();
  return useQuery<CollectionsResponse, Error, CollectionsResponse, readonly unknown[]>({
    queryKey: repliesOf(account, collectionsName),
    queryFn: ({ signal }) => account.client.collections.list({ signal }),
    enabled,
    staleTime: 2_000,
    refetchInterval: ({ state: { data } }) =>
      data === undefined ? false : lookAgainMs(data, Date.now()),
  });
}

/** Once a part of a sweep is published, its answers count: all numbers are fetched again. */
export function usePublished(data: CollectionsResponse | undefined): void {
  const changed = useChanged();
  const known = useRef<string | null>(null);
  const latest = data === undefined ? null : latestOf(data);
  useEffect(() => {
    if (latest === null) return;
    if (known.current !== null && latest > known.current) changed();
    known.current = latest;
  }, [latest, changed]);
}

/** When a part was published last; empty: none was. */
function latestOf({ collections }: CollectionsResponse): string {
  const times = collections.flatMap(({ parts }) => parts.map(({ publishedAt }) => publishedAt));
  return times.reduce<string>((latest, at) => (at !== null && at > latest ? at : latest), "");
}

/** What a sweep would ask and cost, or why the service does not take it. */
export type Estimated =
  | { readonly kind: "estimate"; readonly estimate: StartedCollection }
  | { readonly kind: "refused"; readonly error: InvalidRequestError };

/** What a sweep would ask and cost: a dry run. */
export function useEstimate(request: CollectionRequest): Reply<Estimated> {
  const account = useAccount();
  return useQuery<Estimated, Error, Estimated, readonly unknown[]>({
    queryKey: [...repliesOf(account, "estimate"), request],
    queryFn: async ({ signal }) => {
      try {
        const dryRun = { ...request, dryRun: true };
        const estimate = await account.client.collections.start(dryRun, { signal });
        return { kind: "estimate", estimate };
      } catch (error) {
        if (error instanceof InvalidRequestError) return { kind: "refused", error };
        throw error;
      }
    },
    staleTime: 30_000,
    // What was estimated before stands until the next one is there.
    placeholderData: ((before: Estimated | undefined, query?: Keyed) =>
      query?.queryKey[0] === account.id ? before : undefined) as never,
  });
}

interface Keyed {
  readonly queryKey: readonly unknown[];
}
