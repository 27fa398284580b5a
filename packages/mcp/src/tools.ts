import type { AnyTool } from "./tool.ts";
import { compare } from "./tools/compare.ts";
import { describeWorkspace } from "./tools/describe-workspace.ts";
import { explainMetric } from "./tools/explain-metric.ts";
import { findPrompts } from "./tools/find-prompts.ts";
import { showAnswers } from "./tools/show-answers.ts";
import { summary } from "./tools/summary.ts";
import { timeSeries } from "./tools/time-series.ts";
import { topSources } from "./tools/top-sources.ts";

/** Every tool, in the order in which a model reads of them. */
export const tools: readonly AnyTool[] = [
  describeWorkspace,
  summary,
  compare,
  timeSeries,
  topSources,
  showAnswers,
  findPrompts,
  explainMetric,
];
