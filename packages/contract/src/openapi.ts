import { answersMediaTypes, answersPath, csvMediaType } from "./import-answers.ts";
import { type MetricName, metrics } from "./metrics.ts";
import { addition, listErrors, ofSession } from "./openapi-additions.ts";
import { collectionsPaths } from "./openapi-collections.ts";
import { correctionPaths } from "./openapi-corrections.ts";
import { evidencePaths } from "./openapi-evidence.ts";
import { answerLineExample, answerRecordsExample, replyExamples } from "./openapi-examples.ts";
import { insightsPaths } from "./openapi-insights.ts";
import {
  applyWorkspaceOperation,
  keysPaths,
  workspaceFileOperation,
  workspaceTagFields,
} from "./openapi-manage.ts";
import { analyticsErrors, type Json, jsonBody, replies } from "./openapi-parts.ts";
import { componentSchemas } from "./openapi-schemas.ts";
import { hooksPaths, sentEvents } from "./openapi-webhooks.ts";
import { bucketsMax, pointsMax } from "./time-series.ts";
import { workspacePath } from "./workspace.ts";
import { workspaceFilePath } from "./workspace-file.ts";

/** The path of the document itself. */
export const openApiPath = "/openapi.json";

/** The OpenAPI 3.1 document of the interface, generated from the schemas that validate requests. */
export function openApiDocument(): Json {
  return {
    openapi: "3.1.0",
    info: {
      title: "Sightline",
      version: "1.0",
      summary: "How a brand and its competitors appear in the answers of AI assistants.",
      description:
        "Exchange a static API key for a session token, then call the operations. Pages explain " +
        "[mentions](/docs/metrics/mentions), [visibility](/docs/metrics/overall-visibility), " +
        "[citations](/docs/metrics/citations), [rank](/docs/metrics/rank), " +
        "[sources](/docs/guide/sources-and-paging), [insights](/docs/guide/insights), " +
        "[time and filters](/docs/guide/time-and-filters) and [errors](/docs/errors/README). " +
        "Later versions of v1 may add operations, fields of replies, and values of enumerations " +
        "marked x-sightline-may-grow: ignore those that you do not know.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    tags: [
      { name: "Analytics", description: "Time series and sources of the caller's account." },
      { name: "Insights", description: "What the interface's numbers are made of." },
      { name: "Answers", description: "What the numbers are counted from." },
      { name: "Workspace", description: "What the caller's account tracks, to offer filters." },
      { name: "Collection", description: "Asking the providers, and what it costs." },
      { name: "Webhooks", description: "Events that the service sends." },
      { name: "Keys", description: "The static keys of the caller's account." },
      { name: "Sessions", description: "A static key in, a short-lived session token out." },
    ],
    paths: {
      ...timeSeriesPaths(),
      ...sourcesPath(),
      ...insightsPaths(),
      ...workspacePaths(),
      ...answersPaths(),
      ...evidencePaths(),
      ...correctionPaths(),
      ...keysPaths(),
      ...hooksPaths(),
      ...collectionsPaths(),
      ...exchangePath(),
    },
    webhooks: sentEvents(),
    components: { schemas: componentSchemas(), securitySchemes },
  };
}

const securitySchemes = {
  session: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "The session token from the exchange.",
  },
  staticKey: { type: "http", scheme: "bearer", description: "The static API key." },
} as const;

function timeSeriesPaths(): Json {
  const paths = Object.entries(metrics).map(([name, metric]) => [
    metric.path,
    {
      post: {
        operationId: operationId(name),
        tags: ["Analytics"],
        summary: metric.title,
        description:
          `${metric.summary}. value: ${metric.value} Nothing is carried forward or rounded. ` +
          `A reply has at most ${bucketsMax} buckets and ${pointsMax} points (entities × buckets).`,
        security: [{ session: [] }],
        requestBody: jsonBody("TimeSeriesRequestDto"),
        responses: replies(
          { schema: "TimeSeriesResponseDto", example: replyExamples[name as MetricName] },
          "The series.",
          analyticsErrors,
        ),
      },
    },
  ]);
  return Object.fromEntries(paths) as Json;
}

function operationId(metric: string): string {
  return metric.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

function sourcesPath(): Json {
  return {
    "/v1/analytics/sources": {
      post: {
        operationId: "sources",
        tags: ["Analytics"],
        summary: "Sources",
        description:
          "Domains or URLs most often cited, ranked and paged. Ordered by citations, descending, " +
          "then by source. Pages are disjoint.",
        security: [{ session: [] }],
        requestBody: jsonBody("SourceAnalysisRequestDto"),
        responses: replies(
          { schema: "SourceAnalysisResponseDto", example: replyExamples.sources },
          "One page.",
          analyticsErrors,
        ),
      },
    },
  };
}

function workspacePaths(): Json {
  return {
    [workspacePath]: {
      get: {
        operationId: "workspace",
        tags: ["Workspace"],
        summary: "Workspace",
        description:
          `${addition} What the account tracks, and what its answers cover: entities, topics and ` +
          "prompts are today's; providers, regions and answers are those that count.",
        ...ofSession,
        responses: replies(
          {
            schema: "WorkspaceResponseDto",
            example: replyExamples.workspace,
            headers: workspaceTagFields,
          },
          "The workspace.",
          listErrors,
        ),
      },
      put: applyWorkspaceOperation(),
    },
    [workspaceFilePath]: { get: workspaceFileOperation() },
  };
}

function answersPaths(): Json {
  const lines = {
    schema: { type: "string", description: "One answer on each line, as JSON." },
    example: answerLineExample,
  };
  const records = {
    schema: {
      type: "string",
      description: "The first record names the columns: the fields of an answer's line.",
    },
    example: answerRecordsExample,
  };
  return {
    [answersPath]: {
      post: {
        operationId: "importAnswers",
        tags: ["Answers"],
        summary: "Record answers",
        description:
          `${addition} Records answers: NDJSON or CSV of any length, plain or with ` +
          "Content-Encoding gzip or zstd. A rejected line does not stop the others. The same " +
          "body again changes nothing, so a request that broke off is sent again. The key needs " +
          "the scope import.",
        ...ofSession,
        parameters: [
          {
            name: "source",
            in: "query",
            description:
              "What the list of imports calls this one, such as the file's name: at most 255 " +
              "characters, none of them invisible. Omitted: http.",
            schema: { type: "string", minLength: 1, maxLength: 255 },
            example: "week-48.ndjson",
          },
        ],
        requestBody: {
          required: true,
          content: Object.fromEntries(
            answersMediaTypes.map((type) => [type, type === csvMediaType ? records : lines]),
          ),
        },
        responses: replies({ schema: "ImportAnswersResponseDto" }, "What became of each line.", [
          "invalid_request",
          "session_invalid",
          "scope_missing",
          "request_timeout",
          "unsupported_media_type",
          "rate_limited",
          "internal_error",
          "overloaded",
          "storage_full",
        ]),
      },
    },
  };
}

function exchangePath(): Json {
  return {
    "/v1/auth/accesskey/exchange": {
      post: {
        operationId: "exchangeAccessKey",
        tags: ["Sessions"],
        summary: "Exchange a key",
        description:
          "Exchanges a static key for a session token. Send the static key as the Bearer token, " +
          "and no body. Reuse the session.",
        security: [{ staticKey: [] }],
        responses: replies({ schema: "SessionExchangeResponseDto" }, "The session.", [
          "key_invalid",
          "rate_limited",
          "internal_error",
        ]),
      },
    },
  };
}
