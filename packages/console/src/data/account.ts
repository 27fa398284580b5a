import { type Scope, Sightline } from "@sightline/client";
import { createContext, useContext } from "react";
import type { Session } from "./session.ts";

/** The account whose pages are shown. */
export interface Account {
  readonly id: string;
  /** Calls of this account, with the session of this browser. */
  readonly client: Sightline;
  /** Null: the service has not said yet what the session may do. */
  readonly session: Session | null;
}

/** Provided by the frame to everything inside it. */
export const AccountContext = createContext<Account | null>(null);

/** The account whose pages are shown. @throws outside the frame, which is a fault of ours. */
export function useAccount(): Account {
  const account = useContext(AccountContext);
  if (account === null) throw new Error("useAccount outside the frame");
  return account;
}

/** Whether the session has a scope; false as long as that is not known. */
export function useScope(scope: Scope): boolean {
  return useAccount().session?.scopes.includes(scope) === true;
}

/** The name of the account, for files; the brand's as long as it is not known. */
export function useAccountName(brandName: string): string {
  return useAccount().session?.account.name ?? brandName;
}

/** A client that calls in the name of an account, by the cookie of its session. */
export function clientOf(accountId: string): Sightline {
  return new Sightline({
    baseUrl: `/console/accounts/${encodeURIComponent(accountId)}`,
    session: "cookie",
    retriesMax: 2,
  });
}
