import {
  citationLifeRequestSchema,
  claimsRequestSchema,
  insightsChangesRequestSchema,
  insightsPlanRequestSchema,
  insightsPresenceRequestSchema,
  insightsSeriesRequestSchema,
  insightsSourcesRequestSchema,
  insightsSummaryRequestSchema,
  type MetricName,
  type SummaryGrouping,
  searchQueriesRequestSchema,
  sourceAnalysisRequestSchema,
  timeSeriesRequestSchema,
} from "@sightline/contract";
import { progressOf } from "../accounts/progress-store.ts";
import { selectionOfFilters } from "../answers/corrections/corrections.ts";
import { labelsRevision } from "../answers/labels/label-store.ts";
import {
  changesQuestion,
  countedSeriesQuestion,
  planQuestion,
  sourcesQuestion,
  summaryQuestion,
  timeSeriesQuestion,
} from "../facts/plan/question.ts";
import {
  lifeQuestion,
  presenceQuestion,
  queriesQuestion,
  sourceGapsQuestion,
} from "../facts/plan/source-questions.ts";
import { validated } from "../http/body.ts";
import { declared, type Question } from "../http/operation.ts";
import { orProblem } from "../http/or-problem.ts";
import { writeInSlices } from "../http/reply.ts";
import { eachInTurns } from "../platform/turns.ts";
import { lifeBytesMax, lifeJson } from "./citation-life.ts";
import { claimsOf } from "./claims.ts";
import { changesBytesMax, changesJson } from "./contributions.ts";
import { answerRoute, evidenceRoute, labelSampleRoute } from "./evidence/routes.ts";
import { sourceGapsBytesMax, sourceGapsJson } from "./gaps.ts";
import { planBytesMax, planJson } from "./plan.ts";
import { presenceBytesMax, presenceJson } from "./presence.ts";
import { asksTags } from "./prompt-tags.ts";
import type { QuestionServices } from "./question-services.ts";
import { queriesBytesMax, queriesJson } from "./search-queries.ts";
import { type SeriesReply, timeSeriesBytesMax, timeSeriesJson } from "./series.ts";
import { toSourcePage } from "./sources.ts";
import type { NamedGroup } from "./summary/group-part.ts";
import { summaryBytesMax, summaryJson } from "./summary/summary.ts";
import { workspacePreviewRoute, workspaceRoute } from "./workspace.ts";

/** All four metrics go this one way, from the body to the series. */
function parseSeries(metric: MetricName): Question<QuestionServices>["parse"] {
  return ({ facts }, { body }) => {
    const request = validated(timeSeriesRequestSchema, body);
    const question = timeSeriesQuestion(metric, request);
    const made: SeriesReply = { request, question, points: "values" };
    const { interval, filters } = request;
    return {
      // The reply repeats the range as it was sent.
      key: JSON.stringify([metric, interval, filters.timeRange, question.selection]),
      reply: async (call) => {
        const found = await facts.timeSeries(call.accountId, question, call.signal);
        return writeInSlices(call, {
          bytesMax: timeSeriesBytesMax(made, found.entities.length),
          steps: timeSeriesJson(made, found, { measured: null, marks: null }),
        });
      },
    };
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
  parse: async (services, { body, caller: { accountId: own } }) => {
    const request = validated(insightsSeriesRequestSchema, body);
    const question = countedSeriesQuestion(request);
    const revision = await revisionOfNames(services, own, question);
    const made: SeriesReply = { request, question, points: "counts" };
    const { metric, selection, withFacts, withMarks } = question;
    const { interval, filters } = request;
    return {
      // The reply repeats the range as it was sent.
      key: JSON.stringify([
        ...[metric, interval, filters.timeRange, selection, withFacts, withMarks],
        revision,
      ]),
      reply: async (call) => {
        const found = await services.facts.countedSeries(call.accountId, question, call.signal);
        return writeInSlices(call, {
          bytesMax: timeSeriesBytesMax(made, found.entities.length),
          steps: timeSeriesJson(made, found, found),
        });
      },
    };
  },
};

const insightsSourcesRoute: Question<QuestionServices> = {
  ...declared("insightsSources"),
  kind: "question",
  parse: async (services, { body, caller: { accountId: own } }) => {
    const question = sourceGapsQuestion(validated(insightsSourcesRequestSchema, body));
    const revision = (await progressOf(services.control, own))?.revision ?? null;
    return {
      // The workspace says classes of sources.
      key: JSON.stringify([question, revision]),
      reply: async (call) => {
        const { accountId, signal } = call;
        const found = await services.facts.sourceGaps(accountId, question, signal);
        const steps = sourceGapsJson(question, found);
        return writeInSlices(call, { bytesMax: sourceGapsBytesMax, steps });
      },
    };
  },
};

const insightsSummaryRoute: Question<QuestionServices> = {
  ...declared("insightsSummary"),
  kind: "question",
  parse: async (services, { body, caller: { accountId } }) => {
    const question = summaryQuestion(validated(insightsSummaryRequestSchema, body));
    const revision = await revisionOfNames(services, accountId, question);
    const labels = question.withExtraction
      ? await labelsRevision(services.control, accountId)
      : null;
    return {
      key: JSON.stringify([question, revision, labels]),
      reply: async (call) => {
        const found = await services.facts.summary(accountId, question, call.signal);
        const names = await groupNames(services, { accountId, revision }, question.groupBy);
        return writeInSlices(call, {
          bytesMax: summaryBytesMax(found),
          steps: summaryJson(question, found, (groups) => names(groups, found.keyOf)),
        });
      },
    };
  },
};

const insightsChangesRoute: Question<QuestionServices> = {
  ...declared("insightsChanges"),
  kind: "question",
  parse: async (services, { body, caller: { accountId } }) => {
    const question = changesQuestion(validated(insightsChangesRequestSchema, body));
    const by = question.by === "domain" ? "none" : question.by;
    const revision = await revisionOfNames(services, accountId, question);
    return {
      key: JSON.stringify([question, revision]),
      reply: async (call) => {
        const found = await services.facts.changes(accountId, question, call.signal);
        const names = await groupNames(services, { accountId, revision }, by);
        const named = (groups: readonly number[]) =>
          new Map(
            names(groups, found.keyOf).map(({ number, key, name }) => [number, { key, name }]),
          );
        return writeInSlices(call, {
          bytesMax: changesBytesMax(question),
          steps: changesJson(question, found, named),
        });
      },
    };
  },
};

const notPriced = { failed: "The prices could not be read.", advice: "Retry." };

const insightsPlanRoute: Question<QuestionServices> = {
  ...declared("insightsPlan"),
  kind: "question",
  parse: async (services, { body, caller: { accountId } }) => {
    const question = planQuestion(validated(insightsPlanRequestSchema, body));
    const revision = (await progressOf(services.control, accountId))?.revision ?? null;
    return {
      // What answers cost follows from the workspace.
      key: JSON.stringify([question, revision]),
      reply: async (call) => {
        // As much work as planning a sweep: not for a reply that is kept.
        const prices = await orProblem(services.answerPrices(accountId), notPriced);
        const found = await services.facts.plan(accountId, question, call.signal);
        return writeInSlices(call, {
          bytesMax: planBytesMax,
          steps: planJson(question, found, prices),
        });
      },
    };
  },
};

const insightsPresenceRoute: Question<QuestionServices> = {
  ...declared("insightsPresence"),
  kind: "question",
  parse: async (services, { body, caller: { accountId: own } }) => {
    const question = presenceQuestion(validated(insightsPresenceRequestSchema, body));
    const revision = await revisionOfNames(services, own, question);
    return {
      key: JSON.stringify([question, revision]),
      reply: async (call) => {
        const found = await services.facts.presence(call.accountId, question, call.signal);
        const steps = presenceJson(question, found);
        return writeInSlices(call, { bytesMax: presenceBytesMax, steps });
      },
    };
  },
};

const citationLifeRoute: Question<QuestionServices> = {
  ...declared("citationLife"),
  kind: "question",
  parse: async (services, { body, caller: { accountId } }) => {
    const question = lifeQuestion(validated(citationLifeRequestSchema, body));
    const revision = (await progressOf(services.control, accountId))?.revision ?? null;
    return {
      // The workspace says classes of sources.
      key: JSON.stringify([question, revision]),
      reply: async (call) => {
        const found = await services.facts.citationLife(call.accountId, question, call.signal);
        const steps = lifeJson(question, found);
        return writeInSlices(call, { bytesMax: lifeBytesMax(question), steps });
      },
    };
  },
};

const searchQueriesRoute: Question<QuestionServices> = {
  ...declared("searchQueries"),
  kind: "question",
  parse: async (services, { body, caller: { accountId } }) => {
    const question = queriesQuestion(validated(searchQueriesRequestSchema, body));
    const revision = (await progressOf(services.control, accountId))?.revision ?? null;
    return {
      // Words are compared with those of the prompts.
      key: JSON.stringify([question, revision]),
      showsTexts: true,
      reply: async (call) => {
        const found = await services.facts.searchQueries(call.accountId, question, call.signal);
        const names = await groupNames(services, { accountId, revision }, "prompt");
        const texts = new Map(
          names([...new Set(found.answers.map(({ prompt }) => prompt))], found.promptId).map(
            ({ key, name }) => [key, name],
          ),
        );
        return writeInSlices(call, {
          bytesMax: queriesBytesMax(question, found),
          steps: queriesJson(question, found, (id) => texts.get(id) ?? ""),
        });
      },
    };
  },
};

const insightsClaimsRoute: Question<QuestionServices> = {
  ...declared("insightsClaims"),
  kind: "question",
  parse: (services, { body }) => {
    const request = validated(claimsRequestSchema, body);
    const { filters, reader = null, limit = 20 } = request;
    const quotesOf = request.quotesOf?.toLowerCase() ?? null;
    return {
      key: JSON.stringify([filters, reader, limit, quotesOf]),
      // Findings go with their texts, which facts do not have.
      showsTexts: true,
      reply: async ({ accountId, signal }) => {
        const selection = await selectionOfFilters(services.control, accountId, filters);
        const asked = { selection, reader, limit, quotesOf };
        const claims = await claimsOf(services, { accountId, signal }, asked);
        return Buffer.from(JSON.stringify(claims));
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
  insightsChangesRoute,
  insightsPlanRoute,
  insightsPresenceRoute,
  citationLifeRoute,
  searchQueriesRoute,
  insightsClaimsRoute,
  workspaceRoute,
  workspacePreviewRoute,
  evidenceRoute,
  answerRoute,
  labelSampleRoute,
];

/** The revision of the workspace that names groups or says tags; null: nothing in it does. */
async function revisionOfNames(
  { control }: QuestionServices,
  accountId: string,
  question: Parameters<typeof asksTags>[0],
): Promise<number | null> {
  const { groupBy, by = groupBy } = question;
  if (by !== "topic" && by !== "prompt" && !asksTags(question)) return null;
  return (await progressOf(control, accountId))?.revision ?? null;
}

/** Groups with their names, in their order: those without a key are the last. */
type GroupNames = (
  groups: readonly number[],
  keyOf: (group: number) => string | null,
) => readonly NamedGroup[];

interface Place {
  readonly name: string;
  readonly place: number;
}

/** How the groups of a grouping are called, and in which order they come. */
async function groupNames(
  { workspaces }: QuestionServices,
  { accountId, revision }: { readonly accountId: string; readonly revision: number | null },
  groupBy: SummaryGrouping,
): Promise<GroupNames> {
  const known = new Map<string, Place>();
  if (revision !== null && (groupBy === "topic" || groupBy === "prompt")) {
    const { part } = await workspaces.of(accountId, revision);
    const items =
      groupBy === "topic" ? part.topics : part.prompts.map(({ id, text }) => ({ id, name: text }));
    await eachInTurns(items, ({ id, name }, place) => known.set(id, { name, place }));
  }
  return (groups, keyOf) =>
    groups
      .map((number) => {
        const key = keyOf(number);
        return { number, key, name: nameOf(groupBy, key, known) };
      })
      .sort((a, b) => placeOf(a, groupBy, known) - placeOf(b, groupBy, known) || byKey(a, b));
}

function nameOf(
  groupBy: SummaryGrouping,
  key: string | null,
  known: ReadonlyMap<string, Place>,
): string {
  if (groupBy === "none") return "All answers";
  if (groupBy === "branded") return key === "true" ? "Branded" : "Not branded";
  if (key === null && groupBy === "model") return "Model not known";
  if (key === null && groupBy === "surface") return "Surface not known";
  if (key === null) return `No ${groupBy}`;
  return known.get(key)?.name ?? key;
}

const numberedGroups: readonly SummaryGrouping[] = [
  "provider",
  "region",
  "model",
  "surface",
  "tag",
];

/** Numbers of providers and the like are in their own order. */
function placeOf(
  { key, number }: NamedGroup,
  groupBy: SummaryGrouping,
  known: ReadonlyMap<string, Place>,
): number {
  if (key === null) return Number.POSITIVE_INFINITY;
  if (groupBy === "branded") return key === "true" ? 0 : 1;
  if (numberedGroups.includes(groupBy)) return number;
  return known.get(key)?.place ?? Number.MAX_SAFE_INTEGER;
}

function byKey({ key: left }: NamedGroup, { key: right }: NamedGroup): number {
  if (left === right) return 0;
  return (left ?? "") < (right ?? "") ? -1 : 1;
}
