import type { Sightline } from "@sightline/client";
import {
  type InfiniteData,
  type QueryKey,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
} from "@tanstack/react-query";
import { useEffect } from "react";
import { useAccount } from "../data/account.ts";

/** A list that is fetched part by part. */
export interface GrowingList<Part, At> {
  /** Names it in the cache, with everything that it depends on. */
  readonly key: readonly unknown[];
  readonly first: At;
  readonly fetch: (client: Sightline, at: At, signal: AbortSignal) => Promise<Part>;
  /** Where the next part begins; null: there is none. */
  readonly next: (part: Part, parts: readonly Part[]) => At | null;
}

/** Its parts so far. */
export type GrowingReply<Part> = UseInfiniteQueryResult<InfiniteData<Part>, Error>;

/** How long a part is shown without asking again: a minute. */
const staleMs = 60_000;

/**
 * A list that is fetched part by part as long as `wants` says so of those that are there. Null: it
 * is not asked for. The list before stands until the first part of the next one is there.
 */
export function useGrowing<Part, At>(
  list: GrowingList<Part, At> | null,
  wants: (parts: readonly Part[]) => boolean,
): GrowingReply<Part> {
  const { id, client } = useAccount();
  const reply = useInfiniteQuery<Part, Error, InfiniteData<Part>, QueryKey, At>({
    queryKey: [id, ...(list?.key ?? [])],
    queryFn: ({ signal, pageParam }) => {
      if (list === null) throw new Error("not asked");
      return list.fetch(client, pageParam as At, signal);
    },
    initialPageParam: list?.first as At,
    getNextPageParam: (part, parts) => list?.next(part, parts),
    enabled: list !== null,
    staleTime: staleMs,
    // Parts are large, and none is asked for twice: comparing them takes longer than drawing.
    structuralSharing: false,
    placeholderData: ((before: unknown, query?: { readonly queryKey: QueryKey }) =>
      query?.queryKey[0] === id && query.queryKey[1] === list?.key[0]
        ? before
        : undefined) as never,
  });
  const { data, error, hasNextPage, isFetching, isPlaceholderData, fetchNextPage } = reply;
  const isWanted =
    data !== undefined && !isPlaceholderData && error === null && hasNextPage && wants(data.pages);
  // With each part: of a quick one it is never seen that it is fetched.
  useEffect(() => {
    if (isWanted && !isFetching && data !== undefined) void fetchNextPage();
  }, [isWanted, isFetching, data, fetchNextPage]);
  return reply;
}

/** Whether more parts of a list that is wanted as a whole are on their way. */
export function isGrowing<Part>({ hasNextPage, error }: GrowingReply<Part>): boolean {
  return hasNextPage && error === null;
}
