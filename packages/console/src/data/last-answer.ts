import type { AnalyticsFilters } from "@sightline/client";
import { useQuery } from "@tanstack/react-query";
import { useAccount } from "./account.ts";
import { filtersOfPrompts } from "./prompt-summaries.ts";

/** Calls under way: the rows of a page must not use up what a key may ask in a second. */
const callsMax = 3;
const waiting: (() => void)[] = [];
let running = 0;

async function inTurn<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> {
  while (running >= callsMax) await new Promise<void>((resolve) => waiting.push(resolve));
  running += 1;
  try {
    signal.throwIfAborted(); // the row has left while it waited
    return await call();
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

/**
 * When a prompt was last answered under the filters, asked for while `isWanted`. No summary has
 * it, so it is the first answer of its evidence. Null: never; undefined: not known yet.
 */
export function useLastAnswer(
  filters: AnalyticsFilters,
  promptId: string,
  isWanted: boolean,
): string | null | undefined {
  const { id, client } = useAccount();
  const { data } = useQuery({
    queryKey: [id, "last-answer", promptId, filters],
    queryFn: ({ signal }) =>
      inTurn(signal, async () => {
        const question = { role: "any", limit: 1, filters: filtersOfPrompts(filters, [promptId]) };
        const { answers } = await client.evidence({ ...question, role: "any" }, { signal });
        return answers[0]?.answeredAt ?? null;
      }),
    enabled: isWanted,
    staleTime: 60_000,
  });
  return data;
}
