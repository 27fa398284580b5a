import {
  type ListedDelivery,
  type ListedHook,
  type ListedImport,
  type ListedKey,
  Sightline,
  type TaggedWorkspaceFile,
  UnauthorizedError,
} from "@sightline/client";
import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { type Account, useAccount } from "../data/account.ts";
import { type Reply, repliesOf } from "../data/queries.ts";

interface Asked<T> {
  readonly name: string;
  readonly ask: (account: Account, signal: AbortSignal) => Promise<T>;
  readonly enabled?: boolean;
}

/** What is managed changes under the hands of others: each visit asks again. */
function useManaged<T>({ name, ask, enabled = true }: Asked<T>): Reply<T> {
  const account = useAccount();
  return useQuery<T, Error, T, readonly unknown[]>({
    queryKey: repliesOf(account, name),
    queryFn: ({ signal }) => ask(account, signal),
    enabled,
    staleTime: 5_000,
  });
}

/** What is tracked as a workspace file, and its entity tag. */
export function useWorkspaceFile(): Reply<TaggedWorkspaceFile> {
  const ask = ({ client }: Account, signal: AbortSignal) => client.workspaceFile({ signal });
  return useManaged({ name: "workspaceFile", ask });
}

/** The imports, newest first; not asked for without the scope `import`. */
export function useImports(enabled: boolean): Reply<readonly ListedImport[]> {
  const ask = ({ client }: Account, signal: AbortSignal) => client.imports.list({ signal });
  return useManaged({ name: "imports", ask, enabled });
}

/** The keys, oldest first; not asked for without the scope `manage`. */
export function useKeys(enabled: boolean): Reply<readonly ListedKey[]> {
  const ask = ({ client }: Account, signal: AbortSignal) => client.keys.list({ signal });
  return useManaged({ name: "keys", ask, enabled });
}

/** The webhooks, oldest first; not asked for without the scope `manage`. */
export function useHooks(enabled: boolean): Reply<readonly ListedHook[]> {
  const ask = ({ client }: Account, signal: AbortSignal) => client.hooks.list({ signal });
  return useManaged({ name: "hooks", ask, enabled });
}

/** What was sent to a webhook, newest first. */
export function useDeliveries(hookId: string): Reply<readonly ListedDelivery[]> {
  const account = useAccount();
  return useQuery<readonly ListedDelivery[], Error, readonly ListedDelivery[], readonly unknown[]>({
    queryKey: [...repliesOf(account, "hooks"), hookId],
    queryFn: ({ signal }) => account.client.hooks.deliveries(hookId, { signal }),
  });
}

/** A limit of the session's key, as the header fields of a reply say it. */
export interface LimitState {
  /** Calls that are allowed in the window. */
  readonly allowed: number;
  readonly windowSeconds: number;
  readonly left: number;
  /** Until it is whole again. */
  readonly restoredInSeconds: number;
}

/** The limits of the session's key; one that is off is null. */
export interface LimitStates {
  readonly rate: LimitState | null;
  readonly day: LimitState | null;
}

/** What is left of the limits, as the reply to a call of its own says. */
export function useLimits(): Reply<LimitStates> {
  return useManaged({
    name: "limits",
    ask: async ({ id }, signal) => {
      let fields = new Headers();
      const watched = new Sightline({
        baseUrl: `/console/accounts/${encodeURIComponent(id)}`,
        session: "cookie",
        fetch: async (url, init) => {
          const reply = await fetch(url, init);
          fields = reply.headers;
          return reply;
        },
      });
      await watched.workspace({ signal });
      return { rate: limitOf(fields, "rate"), day: limitOf(fields, "day") };
    },
  });
}

/** `"rate";q=40;w=2, "day";q=100000;w=86400` and `"rate";r=39;t=1, …`. */
function limitOf(fields: Headers, name: string): LimitState | null {
  const numbers = (field: string): Readonly<Record<string, number>> => {
    const items = (fields.get(field) ?? "").split(",");
    const item = items.find((each) => each.trim().startsWith(`"${name}"`)) ?? "";
    return Object.fromEntries(
      [...item.matchAll(/;(\w)=(\d+)/g)].map(([, letter, digits]) => [letter, Number(digits)]),
    );
  };
  const { q, w } = numbers("RateLimit-Policy");
  const { r, t } = numbers("RateLimit");
  if (q === undefined || w === undefined || r === undefined || t === undefined) return null;
  return { allowed: q, windowSeconds: w, left: r, restoredInSeconds: t };
}

/** Whether the service is ready. */
export interface Health {
  readonly isReady: boolean;
  /** Why it is not, in its own words; null: it is. */
  readonly why: string | null;
  /** The account's facts cannot be built now. */
  readonly isFailing: boolean;
  /** In ms, of the reply. */
  readonly tookMs: number;
}

/** What the service says of its health. */
export function useHealth(): Reply<Health> {
  return useManaged({
    name: "health",
    ask: async ({ id }, signal) => {
      const beganMs = performance.now();
      const reply = await fetch("/readyz", { signal });
      const said = (await reply.json().catch(() => ({}))) as ReadyReply;
      return {
        isReady: reply.ok,
        why: reply.ok ? null : (said.detail ?? `It replied with ${reply.status}.`),
        isFailing: JSON.stringify(said.degraded ?? []).includes(id),
        tookMs: performance.now() - beganMs,
      };
    },
  });
}

interface ReadyReply {
  readonly detail?: string;
  readonly degraded?: readonly unknown[];
}

/** New answers count within a second; another one is for a machine that has much to do. */
const countedMs = 2_000;

/** After something was changed: everything that is shown of the account is asked for again. */
export function useChanged(): () => void {
  const account = useAccount();
  const queries = useQueryClient();
  return useCallback(() => {
    const anew = () => void queries.invalidateQueries({ queryKey: repliesOf(account) });
    anew();
    setTimeout(anew, countedMs);
  }, [account, queries]);
}

/** A failure of something that was to be changed; the end of the session asks to sign in again. */
export function noteFailure(queries: QueryClient, account: Account, error: unknown): Error {
  if (error instanceof UnauthorizedError) {
    void queries.invalidateQueries({ queryKey: repliesOf(account, "session") });
  }
  return error instanceof Error ? error : new Error(String(error));
}
