import { UnauthorizedError } from "@sightline/client";
import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { type Account, useAccount } from "./account.ts";
import { type Reply, repliesOf } from "./queries.ts";

interface Asked<T> {
  readonly name: string;
  readonly ask: (account: Account, signal: AbortSignal) => Promise<T>;
  readonly enabled?: boolean;
}

/** Others change what is managed: each visit fetches it again. */
export function useManaged<T>({ name, ask, enabled = true }: Asked<T>): Reply<T> {
  const account = useAccount();
  return useQuery<T, Error, T, readonly unknown[]>({
    queryKey: repliesOf(account, name),
    queryFn: ({ signal }) => ask(account, signal),
    enabled,
    staleTime: 5_000,
  });
}

/**
 * When everything is fetched again after a change: new answers count within a second, and later on
 * a machine that has much to do.
 */
const refetchedMs = [2_000, 8_000, 30_000] as const;

/** After something was changed: everything shown of the account is fetched again. */
export function useChanged(): () => void {
  const account = useAccount();
  const queries = useQueryClient();
  return useCallback(() => {
    const refetch = () => void queries.invalidateQueries({ queryKey: repliesOf(account) });
    refetch();
    for (const ms of refetchedMs) setTimeout(refetch, ms);
  }, [account, queries]);
}

/** A failure of something that was to be changed; the end of the session asks to sign in again. */
export function noteFailure(queries: QueryClient, account: Account, error: unknown): Error {
  if (error instanceof UnauthorizedError) {
    void queries.invalidateQueries({ queryKey: repliesOf(account, "session") });
  }
  return error instanceof Error ? error : new Error(String(error));
}

/** A call that changes something: made once at a time, and what it failed with. */
export interface Call {
  readonly failure: Error | null;
  readonly isRunning: boolean;
  readonly run: () => Promise<void>;
  /** Forgets the failure, such as before something else is tried. */
  readonly forget: () => void;
}

/** A call to the service in the account's name; what `make` does after its reply is part of it. */
export function useChange(make: (account: Account) => Promise<void>): Call {
  const account = useAccount();
  const queries = useQueryClient();
  const [failure, setFailure] = useState<Error | null>(null);
  const [isRunning, setRunning] = useState(false);
  const run = async () => {
    setRunning(true);
    setFailure(null);
    try {
      await make(account);
    } catch (error) {
      setFailure(noteFailure(queries, account, error));
    } finally {
      setRunning(false);
    }
  };
  return { failure, isRunning, run, forget: () => setFailure(null) };
}
