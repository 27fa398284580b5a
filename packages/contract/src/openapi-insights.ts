import { insightsSeriesPath } from "./insights-series.ts";
import { insightsSourcesPath } from "./insights-sources.ts";
import { insightsSummaryPath, summaryEntriesMax } from "./insights-summary.ts";
import { addition, ofSession } from "./openapi-additions.ts";
import { replyExamples, type requestExamples } from "./openapi-examples.ts";
import {
  analyticsErrors,
  type DescribedReply,
  type Json,
  jsonBody,
  replies,
} from "./openapi-parts.ts";

/** The operations that explain the numbers. */
export function insightsPaths(): Json {
  return {
    [insightsSeriesPath]: insight({
      operationId: "insightsSeries",
      summary: "Time series with counts",
      description:
        "The same values as the metric's own operation, each with the numerator and denominator " +
        "that it is made of, and its 95 % interval: a value of few answers moves by chance.",
      request: "InsightsSeriesRequestDto",
      reply: { schema: "InsightsSeriesResponseDto", example: replyExamples.insightsSeries },
      content: "The series.",
    }),
    [insightsSummaryPath]: insight({
      operationId: "insightsSummary",
      summary: "Summary",
      description:
        "Every value of each entity over a whole range, with its 95 % interval, by provider, " +
        "topic, prompt, region or branded; with a comparison, whether it changed. At most " +
        `${summaryEntriesMax} entries (groups × listed entities).`,
      request: "InsightsSummaryRequestDto",
      reply: { schema: "InsightsSummaryResponseDto", example: replyExamples.insightsSummary },
      content: "The groups.",
    }),
    [insightsSourcesPath]: insight({
      operationId: "insightsSources",
      summary: "Sources and gaps",
      description:
        "The sources of operation 5, each with whose it is, and how many of the answers that " +
        "cite it show the brand, or a competitor without the brand.",
      request: "InsightsSourcesRequestDto",
      reply: { schema: "InsightsSourcesResponseDto", example: replyExamples.insightsSources },
      content: "One page.",
    }),
  };
}

/** An operation that explains the numbers. */
interface Insight {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly request: keyof typeof requestExamples;
  readonly reply: DescribedReply;
  readonly content: string;
}

function insight({ request, reply, content, description, ...names }: Insight): Json {
  return {
    post: {
      ...names,
      tags: ["Insights"],
      description: `${addition} ${description}`,
      ...ofSession,
      requestBody: jsonBody(request),
      responses: replies(reply, content, analyticsErrors),
    },
  };
}
