import { metricTexts } from "../../data/names.ts";
import type { View } from "../../data/view.ts";
import type { ChangedMetric } from "../changes/change-text.ts";

/** What the leaderboard and the table by groups show: the chosen metric, or the share of voice. */
export function measureOf({ metric, own }: View): ChangedMetric {
  return own["voice"] === "1" ? "shareOfVoice" : metric;
}

const voiceText = { title: "Share of voice", field: "shareOfVoice", role: "mentioned" } as const;

/** What the page says of a measure, and under which name a summary has it. */
export function measureText(measure: ChangedMetric) {
  return measure === "shareOfVoice" ? voiceText : metricTexts[measure];
}
