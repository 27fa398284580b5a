import { strictObject } from "@sightline/contract";
import { z } from "zod";
import { type Measure, measureSchema, metricOfMeasure } from "../measures.ts";
import { defineTool } from "../tool.ts";

const traps: Readonly<Record<Measure, readonly string[]>> = {
  visibility: [
    "It is not the sum of mentions and citations: an answer that does both counts once.",
    "Two entities with the same visibility may be seen in different ways: look at both parts.",
  ],
  mentions: [
    "Links do not count as prose, and how often a name stands in one answer does not matter.",
  ],
  citations: [
    "An answer counts once, however many of the entity's pages it cites. top_sources counts " +
      "pairs of an answer and a URL, so its numbers do not divide into these.",
    "An entity without domains has 0 everywhere: the service does not know its pages.",
  ],
  rank: [
    "It says nothing of how often an entity is named: read it together with mentions.",
    "It depends on who is tracked: a competitor that is added may change it for all of history.",
  ],
};

const always = [
  "Null is not 0: null says that nothing was measured, 0 that it was and came to nothing.",
  "Never take the mean of buckets, which have different numbers of answers: ask for a longer one.",
];

const outputSchema = strictObject({
  metric: measureSchema,
  summary: z.string(),
  value: z.string().describe("How a value is made, and when it is null."),
  unit: z.enum(["fraction", "place"]).describe("fraction: 0 to 1. place: from 1."),
  better: z.enum(["higher", "lower"]),
  traps: z.array(z.string()).describe("What is often misread."),
});

/** What a metric means; asks nothing of the service. */
export const explainMetric = defineTool({
  name: "explain_metric",
  title: "Explain a metric",
  description:
    "Says how a metric is counted, what null means, whether more is better, and what is easily " +
    "got wrong. Use it before you explain a number. Reads no data of the account.",
  input: strictObject({ metric: measureSchema }),
  output: outputSchema,
  answer: async (_context, { metric }) => {
    const { summary, value, unit } = metricOfMeasure(metric);
    const better = unit === "place" ? ("lower" as const) : ("higher" as const);
    return {
      structured: {
        metric,
        summary: `${summary}.`,
        value,
        unit,
        better,
        traps: [...traps[metric], ...always],
      },
      text: `${metric}: ${value} ${better === "lower" ? "Less" : "More"} is better.`,
    };
  },
});
