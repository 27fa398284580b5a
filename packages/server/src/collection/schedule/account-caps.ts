import type { Provider } from "@sightline/contract";
import type { Workspace } from "../../accounts/workspace.ts";
import type { AccountCaps, Cap } from "../store/collection-store.ts";

interface DeclaredCap {
  readonly callsPerDay?: number | undefined;
  readonly dollarsPerDay?: number | undefined;
}

/** The caps that a workspace declares; without any, nothing is limited. */
export function capsOf({ collection }: Pick<Workspace, "collection">): AccountCaps {
  const caps = collection?.caps;
  const byProvider = Object.entries(caps?.providers ?? {}).map(
    ([provider, cap]) => [provider as Provider, toCap(cap ?? {})] as const,
  );
  return { all: toCap(caps ?? {}), byProvider: Object.fromEntries(byProvider) };
}

function toCap({ callsPerDay, dollarsPerDay }: DeclaredCap): Cap {
  // Rounded: 0.29 dollars times a million is not a whole number.
  const micros = dollarsPerDay === undefined ? null : Math.round(dollarsPerDay * 1_000_000);
  return { calls: callsPerDay ?? null, micros };
}
