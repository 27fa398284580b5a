import { workspaceOf } from "../../src/accounts/account-store.ts";
import type { Storage } from "../../src/storage.ts";
import type { LoadQuestion } from "./load-plan.ts";

/** The year of the demo's answers. */
export const demoYear = { from: "2025-11-01T00:00:00Z", to: "2026-11-01T00:00:00Z" };
const demoQuarter = { from: "2026-02-01T00:00:00Z", to: "2026-05-01T00:00:00Z" };

/** The five operations, each with several ranges and filters of an account. */
export async function soakQuestions(
  { control }: Storage,
  accountId: string,
): Promise<readonly LoadQuestion[]> {
  const workspace = await workspaceOf(control, accountId);
  const topics = (workspace?.topics ?? []).slice(0, 2).map(({ id }) => ({ id }));
  const promptIds = (workspace?.prompts ?? []).slice(0, 3).map(({ id }) => id);
  const filters: readonly object[] = [
    { timeRange: demoYear },
    { timeRange: demoQuarter, providers: ["GEMINI", "OPENAI"] },
    { timeRange: demoQuarter, topics },
    { timeRange: demoYear, regions: [{ code: "US" }], branded: false },
    { timeRange: demoQuarter, promptIds },
  ];
  const intervals = ["monthly", "weekly", "daily"] as const;
  return filters.flatMap((filter, number) => [
    ...["mentions", "overall-visibility", "citations", "rank"].map((operation, place) => ({
      path: `/v1/analytics/brands/${operation}`,
      body: { interval: intervals[(number + place) % intervals.length], filters: filter },
    })),
    {
      path: "/v1/analytics/sources",
      body: {
        groupBy: number % 2 === 0 ? "domain" : "url",
        limit: 100,
        offset: number * 10,
        filters: filter,
      },
    },
  ]);
}

/** Answers of an account as an import takes them, with sample numbers that make them new ones. */
export async function moreAnswers(
  { answers }: Storage,
  accountId: string,
  { count, sample }: { readonly count: number; readonly sample: number },
): Promise<string> {
  const recorded = await answers.read(accountId, { after: sample * count, limit: count });
  return recorded
    .map(({ promptId, provider, region, answeredAt, outcome, text, citations }) => {
      const line = {
        promptId,
        provider,
        region,
        answeredAt: new Date(answeredAt).toISOString(),
        outcome,
        sample,
        text,
        citations: citations.map(({ url }) => ({ url })),
      };
      return `${JSON.stringify(line)}\n`;
    })
    .join("");
}
