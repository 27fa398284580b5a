import { z } from "zod";
import { type ErrorCode, errorCodes } from "./error-codes.ts";
import type { DeclaredOperation, Json } from "./operation.ts";
import { operations } from "./operations.ts";
import { problemSchema } from "./problem.ts";
import { components } from "./schema-marks.ts";
import { sentEvents } from "./webhook-events.ts";

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
      { name: "Reports", description: "Pages of numbers that are made once and kept." },
      { name: "Webhooks", description: "Events that the service sends." },
      { name: "Keys", description: "The static keys of the caller's account." },
      { name: "Sessions", description: "A static key in, a short-lived session token out." },
    ],
    paths: paths(),
    webhooks: webhooks(),
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

function paths(): Json {
  const made: Record<string, Json> = {};
  for (const [name, operation] of Object.entries<DeclaredOperation>(operations)) {
    const method = operation.method.toLowerCase();
    made[operation.path] = { ...made[operation.path], [method]: documented(name, operation) };
  }
  return made;
}

function documented(name: string, operation: DeclaredOperation): Json {
  const { scope, isPublished, parameters, body } = operation;
  return {
    operationId: name,
    ...wordsOf(operation),
    ...(isPublished ? {} : { "x-sightline-addition": true }),
    security: [scope === null ? { staticKey: [] } : { session: [] }],
    ...(parameters === undefined ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: { required: true, content: contentOf(body) } }),
    responses: responsesOf(operation),
  };
}

/** What people read of an operation, in the order of its declaration. */
function wordsOf(operation: DeclaredOperation): Json {
  const { tag, summary, description, scope, isPublished } = operation;
  const addition = "An addition to the published interface, which has no such operation.";
  const sentences = [
    ...(isPublished ? [] : [addition]),
    description,
    ...(scope === null || scope === "read" ? [] : [`The key needs the scope ${scope}.`]),
  ];
  const words: Readonly<Record<string, Json>> = {
    tag: { tags: [tag] },
    summary: { summary },
    description: { description: sentences.join(" ") },
  };
  return Object.assign({}, ...Object.keys(operation).map((field) => words[field]));
}

/** The 200, the 202 if there is one, and a problem for the status of each code. */
function responsesOf(operation: DeclaredOperation): Json {
  const { reply } = operation;
  const { description, headers, accepted } = reply;
  const problem = { "application/problem+json": { schema: schemaOf(problemSchema) } };
  const failures = errorsOf(operation).map((code) => {
    const { status, title } = errorCodes[code];
    const fields = headersByStatus[status];
    const described = fields === undefined ? {} : { headers: fields };
    return [status, { description: title, ...described, content: problem }] as const;
  });
  const content = contentOf({ "application/json": reply });
  const later = contentOf({ "application/json": { schema: reply.schema } });
  return {
    "200": { description, ...(headers === undefined ? {} : { headers }), content },
    ...(accepted === undefined ? {} : { "202": { description: accepted, content: later } }),
    ...Object.fromEntries(failures),
  };
}

/** What an operation may be refused with. */
function errorsOf(operation: DeclaredOperation): readonly ErrorCode[] {
  const { scope, method, body, errors = [] } = operation;
  if (scope === null) return errors;
  return [
    ...(["session_invalid", "scope_missing", "rate_limited"] as const),
    ...(["internal_error", "overloaded"] as const),
    ...(body === undefined ? [] : (["invalid_request", "unsupported_media_type"] as const)),
    ...(body?.["application/json"] === undefined ? [] : (["payload_too_large"] as const)),
    ...(scope === "read" || method === "GET" ? [] : (["storage_full"] as const)),
    ...errors,
  ];
}

/** A body by its media types: its schema, and an example if there is one. */
function contentOf(body: Readonly<Record<string, Content>>): Json {
  const content = Object.entries(body).map(([type, { schema, example }]) => [
    type,
    { schema: schemaOf(schema), ...(example === undefined ? {} : { example }) },
  ]);
  return Object.fromEntries(content) as Json;
}

interface Content {
  readonly schema: z.ZodType | Json;
  readonly example?: unknown;
}

/** A reference to a component; a schema of JSON as it is. */
function schemaOf(schema: z.ZodType | Json): Json {
  return schema instanceof z.ZodType ? { $ref: `#/components/schemas/${nameOf(schema)}` } : schema;
}

function nameOf(schema: z.ZodType): string {
  const name = components.get(schema)?.id;
  if (name === undefined) throw new Error("a body of an operation is registered in components");
  return name;
}

const retryAfter = {
  "Retry-After": {
    description: "Seconds to wait before retrying the call.",
    schema: { type: "integer", minimum: 0 },
  },
} as const;

const headersByStatus: Readonly<Record<number, Json>> = {
  401: { "WWW-Authenticate": { description: "RFC 6750 challenge.", schema: { type: "string" } } },
  429: retryAfter,
  503: retryAfter,
};

/** What the service sends by itself. */
function webhooks(): Json {
  const events = Object.entries(sentEvents).map(([name, { schema, summary, description }]) => {
    const post = {
      operationId: `receive${nameOf(schema).replace("EventDto", "")}`,
      summary,
      description,
      "x-sightline-addition": true,
      security: [], // a signature in its header fields
      requestBody: { required: true, content: contentOf({ "application/json": { schema } }) },
      responses: { "200": { description: "The event was received; so is any status of 2xx." } },
    };
    return [name, { post }];
  });
  return Object.fromEntries(events) as Json;
}

/** The schemas that validate the requests, by name: in this order, then those it does not have. */
function componentSchemas(): Json {
  const uri = (id: string) => `#/components/schemas/${id}`;
  const made = z.toJSONSchema(components, { uri, io: "input" }).schemas;
  const known = componentOrder
    .trim()
    .split(/\s+/)
    .map((name) => `${name}Dto`);
  const names = new Set([...known, ...Object.keys(made)]);
  return Object.fromEntries(
    [...names].flatMap((name) => {
      if (made[name] === undefined) return [];
      const { $schema, $id, ...schema } = made[name];
      return [[name, schema]];
    }),
  );
}

/** Generated clients and differences stay readable while the order stays that of the releases. */
const componentOrder = `
  TimeSeriesRequest TimeSeriesResponse SourceAnalysisRequest SourceAnalysisResponse
  SessionExchangeResponse WorkspaceResponse InsightsSeriesRequest InsightsSeriesResponse
  InsightsSummaryRequest InsightsSummaryResponse InsightsSourcesRequest InsightsSourcesResponse
  ImportAnswersResponse ImportsResponse UndoneImportResponse DeleteAnswersRequest
  DeleteAnswersResponse WorkspaceFile DeclaredWorkspaceResponse AppliedWorkspace KeyRequest
  KeysResponse HookRequest HooksResponse DeliveriesResponse CollectionRequest StartedCollection
  CollectionsResponse EvidenceRequest EvidenceResponse RecordedAnswerResponse Problem Filters
  TimeRange Provider TopicFilter RegionFilter Interval Series Point Grouping Source Pagination
  Entity Topic Prompt Answers Metric CountedSeries CountedPoint Key WorkspaceChange AskedProvider
  CollectionRule AccountCollection FileEntity DeclaredEntity DeclaredPrompt CreatedKeyResponse
  Import ConfidenceInterval EstimatedValue Change Stability Compare Compared Empty SummaryGrouping
  SummaryGroup SummaryEntity ClassifiedSource FieldError LineError EvidenceRole EvidenceAnswer
  EvidenceCitation RecordedCitation CitationOwner Mention Hook CreatedHookResponse Delivery
  DigestEvent MovedEvent CollectionFailedEvent TestEvent Collection CollectionPart
  CollectionEstimate UnansweredJobs VendorHealth ProviderSpend NextSlot
`;
