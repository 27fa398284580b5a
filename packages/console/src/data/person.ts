import type { Role } from "@sightline/client";
import { type UseQueryOptions, useQuery } from "@tanstack/react-query";
import type { KnownAccount } from "./accounts.ts";
import { asked, SessionError } from "./session.ts";

/** An account that a person belongs to. */
export interface PersonAccount extends KnownAccount {
  readonly role: Role;
}

/** The person of this browser, who signed in under their own name, once for all accounts. */
export interface SignedIn {
  /** Null: nobody is. */
  readonly person: { readonly id: string; readonly name: string; readonly email: string } | null;
  /** By name. */
  readonly accounts: readonly PersonAccount[];
  /** Omitted: nobody was refused. Otherwise why somebody whom a proxy names gets in nowhere. */
  readonly refusal?: string;
}

/** What the service says as long as nobody is signed in. */
export const nobody: SignedIn = { person: null, accounts: [] };

/** The question who is signed in, which all parts of the page share. */
export const personQuery: UseQueryOptions<SignedIn> & { readonly queryKey: readonly string[] } = {
  queryKey: ["person"],
  queryFn: ({ signal }) => currentPerson(signal),
  staleTime: 10 * 60_000,
};

/** The person who is signed in, if any; undefined: that is not known yet. */
export function usePerson(): SignedIn | undefined {
  const { data, error } = useQuery(personQuery);
  return data ?? (error === null ? undefined : nobody);
}

async function currentPerson(signal: AbortSignal): Promise<SignedIn> {
  try {
    return await asked("/console/person", { signal });
  } catch (error) {
    if (!(error instanceof SessionError) || error.status !== 401) throw error;
    return { ...nobody, refusal: error.message };
  }
}

/** Signs a person out of all accounts, in the service too. @throws SessionError */
export async function signOutPerson(): Promise<void> {
  await asked("/console/person", { method: "DELETE" });
}
