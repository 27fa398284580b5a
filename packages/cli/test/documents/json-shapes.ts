import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import {
  appliedWorkspaceSchema,
  auditResponseSchema,
  citationLifeRequestSchema,
  createdHookSchema,
  createdKeySchema,
  errorCodes,
  estimatedValueSchema,
  evidenceRequestSchema,
  evidenceResponseSchema,
  hookRequestSchema,
  importAnswersResponseSchema,
  insightsChangesRequestSchema,
  insightsPlanRequestSchema,
  insightsPresenceRequestSchema,
  insightsSeriesRequestSchema,
  insightsSeriesResponseSchema,
  insightsSourcesRequestSchema,
  insightsSourcesResponseSchema,
  insightsSummaryRequestSchema,
  invitationRequestSchema,
  labelSampleRequestSchema,
  linkRequestSchema,
  measurementFactsSchema,
  problemSchema,
  readingRequestSchema,
  reportSchema,
  reportsResponseSchema,
  searchQueriesRequestSchema,
  sessionExchangeResponseSchema,
  sourceAnalysisRequestSchema,
  sourceAnalysisResponseSchema,
  stabilitySchema,
  timeSeriesRequestSchema,
  timeSeriesResponseSchema,
  untrackedNamesRequestSchema,
  webhookEventSchema,
  workspacePreviewRequestSchema,
  workspaceResponseSchema,
} from "@sightline/contract";
import { printedDocument } from "@sightline/test-kit/command.ts";
import { runHosted } from "../command-host.ts";
import { type AskedService, post } from "./served-pages.ts";

/** What a JSON snippet claims to be, and the check of it. */
interface Shape {
  readonly name: string;
  /** Fields that all snippets of the shape have, and no others. */
  readonly fields: readonly string[];
  /** The address that takes snippets of the shape. */
  readonly asks?: readonly string[];
  /** Whether a snippet's values are those of a reply that the page shows how to get. */
  readonly replies?: true;
  readonly check: (value: unknown) => unknown;
}

const metricPaths = ["mentions", "overall-visibility", "citations", "rank"].map(
  (name) => `/v1/analytics/brands/${name}`,
);

/** Every shape that a JSON snippet may have, requests first. */
const shapes: readonly Shape[] = [
  {
    name: "a request for a time series with counts",
    fields: ["metric", "interval", "filters"],
    asks: ["/v1/insights/series"],
    check: (value) => insightsSeriesRequestSchema.parse(value),
  },
  {
    name: "a request for a time series",
    fields: ["interval", "filters"],
    asks: metricPaths,
    check: (value) => timeSeriesRequestSchema.parse(value),
  },
  {
    name: "a request for sources of some kinds",
    fields: ["limit", "offset", "groupBy", "sourceClasses", "filters"],
    asks: ["/v1/insights/sources"],
    check: (value) => insightsSourcesRequestSchema.parse(value),
  },
  {
    name: "a request for sources",
    fields: ["limit", "offset", "groupBy", "filters"],
    asks: ["/v1/analytics/sources", "/v1/insights/sources"],
    check: (value) => sourceAnalysisRequestSchema.parse(value),
  },
  {
    name: "a request for evidence",
    fields: ["role", "filters"],
    asks: ["/v1/evidence"],
    check: (value) => evidenceRequestSchema.parse(value),
  },
  {
    name: "a request for a summary",
    fields: ["groupBy", "filters"],
    asks: ["/v1/insights/summary"],
    check: (value) => insightsSummaryRequestSchema.parse(value),
  },
  {
    name: "a request for what a change consists of",
    fields: ["entityId", "metric", "by", "filters", "compare"],
    asks: ["/v1/insights/changes"],
    check: (value) => insightsChangesRequestSchema.parse(value),
  },
  {
    name: "a request for answers to label",
    fields: ["entityId", "metric", "limit", "filters"],
    asks: ["/v1/labels/sample"],
    check: (value) => labelSampleRequestSchema.parse(value),
  },
  {
    name: "a request for a plan",
    fields: ["entityId", "metric", "filters"],
    asks: ["/v1/insights/plan"],
    check: (value) => insightsPlanRequestSchema.parse(value),
  },
  {
    name: "a request for how an entity is named and cited",
    fields: ["entityId", "filters"],
    asks: ["/v1/insights/presence"],
    check: (value) => insightsPresenceRequestSchema.parse(value),
  },
  {
    name: "a request for how long citations last",
    fields: ["by", "filters"],
    asks: ["/v1/insights/citation-life"],
    check: (value) => citationLifeRequestSchema.parse(value),
  },
  {
    name: "a request to have answers read",
    fields: ["filters", "dryRun"],
    asks: ["/v1/readings"],
    check: (value) => readingRequestSchema.parse(value),
  },
  {
    name: "a request for search queries",
    fields: ["limit", "filters"],
    asks: ["/v1/insights/queries"],
    check: (value) => searchQueriesRequestSchema.parse(value),
  },
  {
    name: "a request for untracked names",
    fields: ["limit", "filters"],
    asks: ["/v1/insights/names"],
    check: (value) => untrackedNamesRequestSchema.parse(value),
  },
  {
    name: "a value of a summary",
    fields: ["value", "numerator", "denominator", "interval", "flags"],
    check: (value) => estimatedValueSchema.parse(value),
  },
  {
    name: "a mark of a series",
    fields: ["timestamp", "kind", "providers"],
    check: (value) => insightsSeriesResponseSchema.shape.marks.unwrap().element.parse(value),
  },
  {
    name: "the stability of a summary",
    fields: ["value", "pairs"],
    check: (value) => stabilitySchema.parse(value),
  },
  {
    name: "the facts of a measurement",
    fields: ["answers", "prompts", "cadence", "retest"],
    check: (value) => measurementFactsSchema.parse(value),
  },
  {
    name: "what became of an import",
    fields: ["importId", "accepted", "duplicates"],
    check: (value) => importAnswersResponseSchema.parse(value),
  },
  {
    name: "a key that was created",
    fields: ["keyId", "key", "scopes"],
    check: (value) => createdKeySchema.parse(value),
  },
  {
    name: "a webhook that was created",
    fields: ["id", "url", "secret"],
    check: (value) => createdHookSchema.parse(value),
  },
  {
    name: "a webhook to create",
    fields: ["url", "events", "thresholds"],
    check: (value) => hookRequestSchema.parse(value),
  },
  {
    name: "an invitation to make",
    fields: ["email", "role"],
    check: (value) => invitationRequestSchema.parse(value),
  },
  {
    name: "an event of a webhook",
    fields: ["id", "type", "data"],
    check: (value) => webhookEventSchema.parse(value),
  },
  {
    name: "what a workspace file changed",
    fields: ["accountId", "changes", "dryRun"],
    check: (value) => appliedWorkspaceSchema.parse(value),
  },
  {
    name: "the reply with time series",
    fields: ["interval", "timeRange", "series"],
    replies: true,
    check: (value) => {
      const isCounted = insightsSeriesResponseSchema.safeParse(value).success;
      return isCounted || timeSeriesResponseSchema.parse(value);
    },
  },
  {
    name: "the reply with sources",
    fields: ["groupBy", "sources", "pagination"],
    replies: true,
    check: (value) => {
      const hasGaps = insightsSourcesResponseSchema.safeParse(value).success;
      return hasGaps || sourceAnalysisResponseSchema.parse(value);
    },
  },
  {
    name: "a page of reports",
    fields: ["reports", "nextCursor"],
    check: (value) => reportsResponseSchema.parse(value),
  },
  {
    name: "a report that was made",
    fields: ["id", "name", "period", "htmlSha256"],
    check: (value) => reportSchema.parse(value),
  },
  {
    name: "a share link to create",
    fields: ["name", "kind", "view"],
    check: (value) => linkRequestSchema.parse(value),
  },
  {
    name: "a share link of a report to create",
    fields: ["name", "kind", "reportId"],
    check: (value) => linkRequestSchema.parse(value),
  },
  {
    name: "a page of the audit log",
    fields: ["entries", "nextCursor"],
    check: (value) => auditResponseSchema.parse(value),
  },
  {
    name: "the reply with evidence",
    fields: ["total", "answers", "nextCursor"],
    replies: true,
    check: (value) => evidenceResponseSchema.parse(value),
  },
  {
    name: "the exchange's reply",
    fields: ["keyId", "sessionJwt"],
    check: (value) => sessionExchangeResponseSchema.parse(value),
  },
  {
    name: "the workspace",
    fields: ["brand", "competitors", "topics", "prompts", "providers", "answers"],
    check: (value) => workspaceResponseSchema.parse(value),
  },
  {
    name: "a request for a preview of names",
    fields: ["brand", "competitors"],
    check: (value) => workspacePreviewRequestSchema.parse(value),
  },
  {
    name: "the configuration of an MCP client",
    fields: ["mcpServers"],
    check: (value) => checkMcpClient(value),
  },
  {
    name: "the readiness of a service with failing accounts",
    fields: ["status", "degraded"],
    check: checkReadiness,
  },
  { name: "a problem", fields: ["type", "title", "status"], check: checkProblem },
];

/** Programs that speak MCP read which command to start, or which address to call. */
function checkMcpClient(value: unknown): void {
  const { mcpServers } = value as { mcpServers: Readonly<Record<string, object>> };
  const [server, ...others] = Object.values(mcpServers);
  assert.ok(server !== undefined && others.length === 0);
  const allowed = "command" in server ? ["command", "args", "env"] : ["type", "url", "headers"];
  assert.deepEqual(
    Object.keys(server).filter((field) => !allowed.includes(field)),
    [],
  );
  if ("url" in server) assert.equal(new URL(String(server.url)).pathname, "/mcp");
}

/** What /readyz says: each failing account by its id, with a reason that the page explains. */
function checkReadiness(value: unknown): void {
  const { status, degraded } = value as { status: string; degraded: readonly object[] };
  assert.equal(status, "ready");
  const page = readFileSync(
    new URL("../../../../docs/guide/operations.md", import.meta.url),
    "utf8",
  );
  for (const account of degraded) {
    assert.deepEqual(Object.keys(account), ["accountId", "reason"]);
    const { reason } = account as { reason: string };
    assert.ok(page.includes(`| \`${reason}\` |`), `${reason} is not explained`);
  }
}

/** A problem says of its code what the list of codes says. */
export function checkProblem(value: unknown): void {
  const { code, status, title, type } = problemSchema.parse(value);
  assert.deepEqual({ status, title }, errorCodes[code]);
  assert.equal(type, `/docs/errors/${code}`);
}

/** The shape of a JSON value by its fields; undefined when no shape has them all. */
export function shapeOf(value: unknown): Shape | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  return shapes.find(({ fields }) => fields.every((field) => field in value));
}

/** Every reply that a request snippet gets; each is 200. */
export async function repliesTo(
  value: unknown,
  paths: readonly string[],
  service: AskedService,
): Promise<readonly unknown[]> {
  return Promise.all(
    paths.map(async (path) => {
      const { status, body } = await post(service, path, value);
      assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`);
      return body;
    }),
  );
}

/** Imports a snippet that is an answer's line into a copy of the data that it belongs to. */
export async function checkAnswer(line: string, dataDir: string): Promise<void> {
  writeFileSync(`${dataDir}.json`, line);
  const finished = await runHosted(["import", `${dataDir}.json`, "--data-dir", dataDir, "--json"]);
  assert.equal(printedDocument<{ accepted: number }>(finished).accepted, 1, finished.stderr);
}
