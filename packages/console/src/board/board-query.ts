import { personQuery } from "../data/person.ts";
import { asked } from "../data/session.ts";
import type { Board } from "./rows.ts";

/** The question for all accounts of the person who is signed in. */
export const boardQuery = {
  queryKey: [...personQuery.queryKey, "board"],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
    asked<Board>("/console/person/board", { signal }),
} as const;
