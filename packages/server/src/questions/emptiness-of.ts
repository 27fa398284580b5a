import type { FactsEngine } from "../facts/facts-engine.ts";
import { bucketsOf } from "../facts/plan/buckets.ts";
import { planTimeSeries } from "../facts/plan/plan.ts";
import type { Selection } from "../facts/plan/question.ts";
import type { AccountView } from "./account-views.ts";
import type { Emptiness } from "./emptiness.ts";

/** Facts that gave nothing, or nothing that names a tracked entity. */
export interface Asked {
  readonly engine: FactsEngine;
  readonly accountId: string;
  readonly facts: AccountView["facts"];
  readonly signal: AbortSignal;
}

const noAnswers: Emptiness = { reason: "noAnswers", firstMs: null, lastMs: null };

/**
 * Which kind of nothing it is.
 * @param found what is known to be the reason: answers pass the filters.
 */
export async function emptinessOf(
  { engine, accountId, facts, signal }: Asked,
  selection: Selection,
  found: "uninformative" | "uncited" | null,
): Promise<Emptiness> {
  if (facts === null) return noAnswers;
  const { generation, codes } = facts;
  const { firstMs, lastMs } = await engine.coverage(accountId, generation, signal);
  if (firstMs === null || lastMs === null) return noAnswers;
  if (found !== null) return { reason: found, firstMs, lastMs };
  const hasAnswers = async (asked: Selection) => {
    // Nothing lies outside: a range of ten thousand years has no more months than the answers.
    const fromMs = Math.max(asked.fromMs, firstMs);
    const toMs = Math.min(asked.toMs, lastMs + 1);
    if (fromMs >= toMs) return false;
    const buckets = bucketsOf("monthly", fromMs, toMs);
    const question = {
      metric: "mentions",
      selection: { ...asked, fromMs, toMs },
      buckets,
    } as const;
    // No entities: the answers themselves are entity 0.
    const plan = planTimeSeries(question, { codes, entities: 0 });
    if (plan === null) return false;
    const [sums] = await engine.series(accountId, { generation, plan }, signal);
    return sums?.some((answers) => answers > 0) ?? false;
  };
  const { fromMs, toMs } = selection;
  if (!(await hasAnswers({ ...noFilters, fromMs, toMs }))) {
    return { reason: "outsideRange", firstMs, lastMs };
  }
  const isAsked = await hasAnswers({ ...selection, fromMs: firstMs, toMs: lastMs + 1 });
  return { reason: isAsked ? "notTrackedThen" : "filteredOut", firstMs, lastMs };
}

const noFilters: Omit<Selection, "fromMs" | "toMs"> = {
  providers: null,
  topicIds: null,
  promptIds: null,
  regions: null,
  branded: null,
};
