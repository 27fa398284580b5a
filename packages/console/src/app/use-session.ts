import { UnauthorizedError } from "@sightline/client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { currentSession, renewSession, type Session, SessionError } from "../data/session.ts";

/** A session lasts twelve hours after its last renewal; a machine may sleep for most of them. */
const renewalMs = 60 * 60_000;
/** Coming back to the page renews as well, but not at each glance. */
const glanceMs = 10 * 60_000;

/**
 * The session of an account, renewed while the page is open.
 * @returns null until the service has said what it may do.
 */
export function useSession(accountId: string, onEnded: () => void): Session | null {
  const queries = useQueryClient();
  const { data, error } = useQuery({
    queryKey: [accountId, "session"],
    queryFn: ({ signal }) => currentSession(accountId, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  useEffect(() => {
    if (isEnd(error)) onEnded();
  }, [error, onEnded]);

  useEffect(() => {
    const ofAccount = (key: readonly unknown[]) => key[0] === accountId;
    return queries.getQueryCache().subscribe(({ type, query }) => {
      if (type === "updated" && ofAccount(query.queryKey) && isEnd(query.state.error)) onEnded();
    });
  }, [accountId, onEnded, queries]);

  useEffect(() => {
    let renewedMs = Date.now();
    const renew = async (): Promise<void> => {
      renewedMs = Date.now();
      try {
        queries.setQueryData([accountId, "session"], await renewSession(accountId));
      } catch (error) {
        if (isEnd(error)) onEnded(); // any other failure: the next renewal tries again
      }
    };
    const seen = () => {
      const isVisible = document.visibilityState === "visible";
      if (isVisible && Date.now() - renewedMs > glanceMs) void renew();
    };
    const timer = setInterval(() => void renew(), renewalMs);
    document.addEventListener("visibilitychange", seen);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", seen);
    };
  }, [accountId, onEnded, queries]);
  return data ?? null;
}

function isEnd(error: unknown): boolean {
  if (error instanceof UnauthorizedError) return true;
  return error instanceof SessionError && error.status === 401;
}
