import {
  insightsSeriesRequestSchema,
  insightsSourcesRequestSchema,
  insightsSummaryRequestSchema,
  type MetricName,
  sourceAnalysisRequestSchema,
  timeSeriesRequestSchema,
} from "@sightline/contract";
import {
  sourceGapsQuestion,
  sourcesQuestion,
  summaryQuestion,
  timeSeriesQuestion,
} from "../facts/plan/question.ts";
import { validated } from "../http/body.ts";
import { declared, type ParsedQuestion, type Question } from "../http/operation.ts";
import { writeInTurns } from "../http/reply.ts";
import { answerRoute, evidenceRoute } from "./evidence/routes.ts";
import { groupNames, revisionOfNames } from "./group-names.ts";
import type { QuestionServices } from "./question-services.ts";
import { type SeriesReply, timeSeriesBytesMost, timeSeriesJson } from "./series-json.ts";
import { sourceGapsBytesMost, sourceGapsJson } from "./source-gaps-page.ts";
import { toSourcePage } from "./source-page.ts";
import { summaryBytesMost, summaryJson } from "./summary.ts";
import { workspaceRoute } from "./workspace.ts";

/** All four metrics go this one way, from the body to the series. */
function parseSeries(metric: MetricName): Question<QuestionServices>["parse"] {
  return (services, { body }) => {
    const request = validated(timeSeriesRequestSchema, body);
    const question = timeSeriesQuestion(metric, request);
    return seriesReply(services, { request, question, points: "values" });
  };
}

/** What a request for a time series asks, and how its reply is made. */
function seriesReply({ facts }: QuestionServices, made: SeriesReply): ParsedQuestion {
  const { request, question, points } = made;
  const { metric, selection } = question;
  return {
    // The reply repeats the range as it was sent.
    key: JSON.stringify([metric, request.interval, request.filters.timeRange, selection]),
    reply: async (call) => {
      const { accountId, signal } = call;
      const found = await (points === "values"
        ? facts.timeSeries(accountId, question, signal)
        : facts.countedSeries(accountId, question, signal));
      return writeInTurns(call, {
        bytesMost: timeSeriesBytesMost(made, found.entities.length),
        steps: timeSeriesJson(made, found),
      });
    },
  };
}

const sourcesRoute: Question<QuestionServices> = {
  ...declared("sources"),
  kind: "question",
  parse: (services, { body }) => {
    const question = sourcesQuestion(validated(sourceAnalysisRequestSchema, body));
    return {
      key: JSON.stringify(question),
      reply: async ({ accountId, signal }) => {
        const found = await services.facts.sources(accountId, question, signal);
        return Buffer.from(JSON.stringify(toSourcePage(question, found)));
      },
    };
  },
};

const insightsSeriesRoute: Question<QuestionServices> = {
  ...declared("insightsSeries"),
  kind: "question",
  parse: (services, { body }) => {
    const { metric, ...request } = validated(insightsSeriesRequestSchema, body);
    const question = timeSeriesQuestion(metric, request);
    return seriesReply(services, { request, question, points: "counts" });
  },
};

const insightsSourcesRoute: Question<QuestionServices> = {
  ...declared("insightsSources"),
  kind: "question",
  parse: (services, { body }) => {
    const question = sourceGapsQuestion(validated(insightsSourcesRequestSchema, body));
    return {
      key: JSON.stringify(question),
      reply: async (call) => {
        const { accountId, signal } = call;
        const found = await services.facts.sourceGaps(accountId, question, signal);
        const steps = sourceGapsJson(question, found);
        return writeInTurns(call, { bytesMost: sourceGapsBytesMost, steps });
      },
    };
  },
};

const insightsSummaryRoute: Question<QuestionServices> = {
  ...declared("insightsSummary"),
  kind: "question",
  parse: async (services, { body, caller: { accountId } }) => {
    const question = summaryQuestion(validated(insightsSummaryRequestSchema, body));
    const revision = await revisionOfNames(services, accountId, question.groupBy);
    return {
      key: JSON.stringify([question, revision]),
      reply: async (call) => {
        const found = await services.facts.summary(accountId, question, call.signal);
        const names = await groupNames(services, { accountId, revision }, question.groupBy);
        return writeInTurns(call, {
          bytesMost: summaryBytesMost(found),
          steps: summaryJson(question, found, (groups) => names(groups, found.keyOf)),
        });
      },
    };
  },
};

/** The questions that are answered from facts alone, and what an account tracks. */
export const questionOperations: readonly Question<QuestionServices>[] = [
  { ...declared("mentions"), kind: "question", parse: parseSeries("mentions") },
  { ...declared("overallVisibility"), kind: "question", parse: parseSeries("overall-visibility") },
  { ...declared("citations"), kind: "question", parse: parseSeries("citations") },
  { ...declared("rank"), kind: "question", parse: parseSeries("rank") },
  sourcesRoute,
  insightsSeriesRoute,
  insightsSummaryRoute,
  insightsSourcesRoute,
  workspaceRoute,
  evidenceRoute,
  answerRoute,
];
