import assert from "node:assert/strict";
import { isUtf8 } from "node:buffer";
import { test } from "node:test";
import type {
  EvidenceResponse,
  InsightsChangesResponse,
  InsightsSummaryResponse,
  Problem,
  SourceAnalysisResponse,
  TimeSeriesResponse,
} from "@sightline/contract";
import { oracleRuns } from "@sightline/test-kit/oracle/runs.ts";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import {
  changesRequests,
  countedRequests,
  evidenceRequests,
  gapsRequests,
  seriesRequests,
  sourcesRequests,
  strangeBodies,
  summaryRequests,
} from "@sightline/test-kit/requests/random-requests.ts";
import { ServedSchemas } from "@sightline/test-kit/requests/served-schemas.ts";
import { sharedSample } from "@sightline/test-kit/shared-sample.ts";
import fc from "fast-check";

const { questions: numRuns, seed } = oracleRuns(300);

const series = {
  requests: seriesRequests,
  request: "TimeSeriesRequestDto",
  response: "TimeSeriesResponseDto",
} as const;
const operations = [
  { path: "/v1/analytics/brands/mentions", ...series },
  { path: "/v1/analytics/brands/overall-visibility", ...series },
  { path: "/v1/analytics/brands/citations", ...series },
  { path: "/v1/analytics/brands/rank", ...series },
  {
    path: "/v1/analytics/sources",
    requests: sourcesRequests,
    request: "SourceAnalysisRequestDto",
    response: "SourceAnalysisResponseDto",
  },
  {
    path: "/v1/insights/series",
    requests: countedRequests,
    request: "InsightsSeriesRequestDto",
    response: "InsightsSeriesResponseDto",
  },
  {
    path: "/v1/evidence",
    requests: evidenceRequests,
    request: "EvidenceRequestDto",
    response: "EvidenceResponseDto",
  },
  {
    path: "/v1/insights/summary",
    requests: summaryRequests,
    request: "InsightsSummaryRequestDto",
    response: "InsightsSummaryResponseDto",
  },
  {
    path: "/v1/insights/sources",
    requests: gapsRequests,
    request: "InsightsSourcesRequestDto",
    response: "InsightsSourcesResponseDto",
  },
  {
    path: "/v1/insights/changes",
    requests: changesRequests,
    request: "InsightsChangesRequestDto",
    response: "InsightsChangesResponseDto",
  },
] as const;

for (const { path, requests, request, response } of operations) {
  test(`${path}: a request inside the served schema gets a reply inside it`, async () => {
    const { service, token } = await sharedSample();
    const schemas = await ServedSchemas.of(service);
    const inside = fc.asyncProperty(requests, async (body) => {
      schemas.assertValid(request, body);
      const reply = await service.post(path, { token, body });
      assert.equal(reply.status, 200, reply.body);
      schemas.assertValid(response, reply.json());
      assertRepeats(body, reply.json());
    });
    await fc.assert(inside, { numRuns, seed });
  });

  test(`${path}: a request outside the served schema gets a problem`, async () => {
    const { service, token } = await sharedSample();
    const schemas = await ServedSchemas.of(service);
    const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
    let refused = 0;
    const outside = fc.asyncProperty(strangeBodies(requests), async (body) => {
      const reply = await service.request("POST", path, { body, headers });
      const value = valueIn(body);
      if (reply.status === 200) {
        assert.ok(value !== undefined, "this is not JSON");
        schemas.assertValid(request, value.json);
        schemas.assertValid(response, reply.json());
        return;
      }
      refused++;
      const code = reply.json<Problem>().code;
      assert.ok(code === "invalid_request" || code === "malformed_json", reply.body);
      schemas.assertValid("ProblemDto", assertProblem(reply, code));
      assert.ok(reply.body.length < 20_000, `${reply.body.length} bytes`);
      if (value !== undefined && schemas.isValid(request, value.json)) assertMeant(reply.json());
    });
    await fc.assert(outside, { numRuns, seed });
    assert.ok(refused > numRuns / 2, `only ${refused} of ${numRuns} were outside`);
  });
}

/** The value of a JSON body; undefined when it is none. */
function valueIn(body: Buffer): { readonly json: unknown } | undefined {
  if (!isUtf8(body)) return undefined;
  try {
    return { json: JSON.parse(body.toString()) as unknown };
  } catch {
    return undefined;
  }
}

/** What the schema cannot say, and only that, may be refused all the same. */
function assertMeant({ code, errors = [] }: Problem): void {
  if (code === "malformed_json") return; // a name that stands twice
  for (const { path, code: fault } of errors) {
    const beyondSchema =
      fault === "wrong_order" ||
      (fault === "too_large" && path === "/interval") ||
      path === "/cursor" ||
      // Years before 0001 and after 9999, by way of an offset too.
      (fault === "wrong_format" && /^(\/compare)?\/filters\/timeRange\//.test(path));
    assert.ok(beyondSchema, `${path} ${fault}`);
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** A reply repeats what was asked, and says the same of every series. */
function assertRepeats(
  body: object,
  reply:
    | TimeSeriesResponse
    | SourceAnalysisResponse
    | EvidenceResponse
    | InsightsSummaryResponse
    | InsightsChangesResponse,
): void {
  const asked = JSON.parse(JSON.stringify(body)) as Fields;
  if ("nextCursor" in reply) {
    const { total, answers, nextCursor } = reply;
    assert.equal(answers.length, Math.min(total, Number(asked["limit"] ?? 20)));
    assert.equal(nextCursor === null, answers.length === total);
    return;
  }
  if ("contributions" in reply) {
    const { metric, by, contributions, rest } = reply;
    assert.deepEqual([metric, by], [asked["metric"], asked["by"]]);
    assert.ok(contributions.length <= Number(asked["limit"]));
    assert.ok(rest.contributions === 0 || contributions.length === asked["limit"]);
    return;
  }
  if ("groups" in reply) {
    assert.equal(reply.groupBy, asked["groupBy"]);
    assert.equal("compare" in reply, "compare" in asked);
    for (const { entities } of reply.groups) assert.equal(entities.length, 3);
    return;
  }
  if ("series" in reply) {
    const { timeRange } = asked["filters"] as Fields;
    assert.deepEqual([reply.interval, reply.timeRange], [asked["interval"], timeRange]);
    const timestamps = reply.series.map(({ data }) => data.map(({ timestamp }) => timestamp));
    assert.equal(timestamps.length, 3);
    assert.deepEqual(timestamps[1], timestamps[0]);
    assert.deepEqual(timestamps[2], timestamps[0]);
    return;
  }
  const { limit, offset, total, hasMore } = reply.pagination;
  assert.deepEqual(
    [reply.groupBy, limit, offset],
    [asked["groupBy"], asked["limit"], asked["offset"]],
  );
  assert.equal(reply.sources.length, Math.max(0, Math.min(limit, total - offset)));
  assert.equal(hasMore, offset + reply.sources.length < total);
}
