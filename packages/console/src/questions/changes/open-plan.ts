import type { MetricName } from "@sightline/client";
import { changeView } from "../../data/use-view.ts";

/** What opens the plan, in words. */
export const planTitle = "How much data would show a change?";

/** Opens the plan of a value, over whatever explains its change. */
export function openPlan(of: { readonly metric: MetricName; readonly entityId: string | null }) {
  changeView({ plan: { ...of, change: null }, evidence: null, answer: null });
}
