import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { STATUS_CODES } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { type ErrorCode, errorCodes } from "./error-codes.ts";
import { openApiDocument } from "./openapi.ts";
import { problemSchema } from "./problem.ts";

interface Operation {
  readonly operationId: string;
  readonly description: string;
  readonly "x-sightline-addition"?: true;
  readonly security: readonly object[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: object }>>;
  };
  readonly responses: Readonly<Record<string, Response>>;
}

interface Response {
  readonly content: Readonly<Record<string, { readonly schema: object }>>;
}

interface Document {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

const document = openApiDocument() as object as Document;
const redocly = join(import.meta.dirname, "../../../node_modules/.bin/redocly");

test("redocly finds no fault in the document", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "sightline-openapi-"));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, "openapi.json");
  await writeFile(file, JSON.stringify(document));
  const offline = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const { stdout } = await promisify(execFile)(redocly, ["lint", file, "--format=json"], {
    env: { ...process.env, ...offline },
  });
  const report = JSON.parse(stdout) as { readonly problems: readonly object[] };
  assert.deepEqual(report.problems, []);
});

/** The components that are bodies, by name. */
const bodies = [
  "AuditResponseDto",
  "CitationLifeRequestDto",
  "CitationLifeResponseDto",
  "ClaimsRequestDto",
  "ClaimsResponseDto",
  "CollectionRequestDto",
  "CollectionsResponseDto",
  "CreatedAccountResponseDto",
  "CreatedHookResponseDto",
  "CreatedInvitationResponseDto",
  "CreatedKeyResponseDto",
  "CreatedLinkResponseDto",
  "CredentialTestRequestDto",
  "DeclaredWorkspaceResponseDto",
  "DeleteAnswersRequestDto",
  "DeleteAnswersResponseDto",
  "DeliveriesResponseDto",
  "EvidenceRequestDto",
  "EvidenceResponseDto",
  "HookRequestDto",
  "HooksResponseDto",
  "ImportAnswersResponseDto",
  "ImportLabelsResponseDto",
  "ImportsResponseDto",
  "InsightsChangesRequestDto",
  "InsightsChangesResponseDto",
  "InsightsPlanRequestDto",
  "InsightsPlanResponseDto",
  "InsightsPresenceRequestDto",
  "InsightsPresenceResponseDto",
  "InsightsSeriesRequestDto",
  "InsightsSeriesResponseDto",
  "InsightsSourcesRequestDto",
  "InsightsSourcesResponseDto",
  "InsightsSummaryRequestDto",
  "InsightsSummaryResponseDto",
  "InvitationRequestDto",
  "KeyRequestDto",
  "KeysResponseDto",
  "LabelSampleRequestDto",
  "LabelSampleResponseDto",
  "LabelsResponseDto",
  "LinkRequestDto",
  "LinksResponseDto",
  "PeopleResponseDto",
  "ProblemDto",
  "ReadingRequestDto",
  "RecordedAnswerResponseDto",
  "RemovedPersonResponseDto",
  "ReportRequestDto",
  "ReportsResponseDto",
  "RoleRequestDto",
  "SearchQueriesRequestDto",
  "SearchQueriesResponseDto",
  "SessionExchangeResponseDto",
  "SourceAnalysisRequestDto",
  "SourceAnalysisResponseDto",
  "TimeSeriesRequestDto",
  "TimeSeriesResponseDto",
  "UndoneImportResponseDto",
  "UntrackedNamesRequestDto",
  "UntrackedNamesResponseDto",
  "VendorCredentialRequestDto",
  "VendorCredentialsResponseDto",
  "WorkspacePreviewRequestDto",
  "WorkspacePreviewResponseDto",
  "WorkspaceResponseDto",
];

test("the schemas are named as the interface names them", () => {
  assert.equal(document.info.version, "1.0");
  const names = Object.keys(document.components.schemas);
  assert.deepEqual(
    names.filter((name) => /(Request|Response|Problem)Dto$/.test(name)).toSorted(),
    bodies,
  );
});

const credentials = "/v1/collection/credentials";
const ofVendor = `${credentials}/{vendor}`;
const credentialAddresses = [
  ["DELETE /v1/collections/{id}", "none", "CollectionDto", "session"],
  [`GET ${credentials}`, "none", "VendorCredentialsResponseDto", "session"],
  [`PUT ${ofVendor}`, "VendorCredentialRequestDto", "VendorCredentialDto", "session"],
  [["DELETE", ofVendor].join(" "), "none", "VendorCredentialDto", "session"],
  [`POST ${ofVendor}/test`, "CredentialTestRequestDto", "CredentialTestDto", "session"],
  ["POST /v1/readings", "ReadingRequestDto", "StartedReadingDto", "session"],
];

const plan = [
  ["plan", "InsightsPlan"],
  ["presence", "InsightsPresence"],
  ["citation-life", "CitationLife"],
  ["queries", "SearchQueries"],
  ["names", "UntrackedNames"],
  ["claims", "Claims"],
].map(([name, bodies]) => {
  return [`POST /v1/insights/${name}`, `${bodies}RequestDto`, `${bodies}ResponseDto`, "session"];
});

const answers = [
  ["POST /v1/answers", "none", "ImportAnswersResponseDto", "session"],
  ["POST /v1/evidence", "EvidenceRequestDto", "EvidenceResponseDto", "session"],
];

const preview = ["Request", "Response"].map((body) => `WorkspacePreview${body}Dto`);
preview.unshift("POST /v1/workspace/preview");
preview.push("session");

/** With the audit log and the reports, which stand before them. */
const labels = [
  ["GET /v1/audit", "none", "AuditResponseDto", "session"],
  ["GET /v1/reports", "none", "ReportsResponseDto", "session"],
  ["POST /v1/reports", "ReportRequestDto", "ReportDto", "session"],
  ["GET /v1/reports/{reportId}", "none", "ReportWithNumbersDto", "session"],
  ["GET /v1/reports/{reportId}/html", "none", "ReportPageDto", "session"],
  ["POST /v1/labels", "none", "ImportLabelsResponseDto", "session"],
  ["GET /v1/labels", "none", "LabelsResponseDto", "session"],
  ["DELETE /v1/labels", "none", "DeletedLabelsDto", "session"],
  ["POST /v1/labels/sample", "LabelSampleRequestDto", "LabelSampleResponseDto", "session"],
];

/** With the list of webhooks, which follows them. */
const links = [
  ["GET /v1/links", "none", "LinksResponseDto", "session"],
  ["POST /v1/links", "LinkRequestDto", "CreatedLinkResponseDto", "session"],
  ["DELETE /v1/links/{linkId}", "none", "LinkDto", "session"],
  ["GET /v1/hooks", "none", "HooksResponseDto", "session"],
];

const keysAndPeople = [
  ["GET /v1/keys", "none", "KeysResponseDto", "session"],
  ["POST /v1/keys", "KeyRequestDto", "CreatedKeyResponseDto", "session"],
  ["DELETE /v1/keys/{keyId}", "none", "KeyDto", "session"],
  ["GET /v1/people", "none", "PeopleResponseDto", "session"],
  [
    "POST /v1/people/invitations",
    "InvitationRequestDto",
    "CreatedInvitationResponseDto",
    "session",
  ],
  ["DELETE /v1/people/invitations/{invitationId}", "none", "InvitationDto", "session"],
  ["PUT /v1/people/{personId}", "RoleRequestDto", "RemovedPersonResponseDto", "session"],
  ["DELETE /v1/people/{personId}", "none", "RemovedPersonResponseDto", "session"],
];

test("the addresses: six operations of the interface, the additions, with body and reply", () => {
  const shown = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [
      `${method.toUpperCase()} ${path}`,
      schemaName(operation.requestBody?.content),
      schemaName(operation.responses["200"]?.content),
      operation.security.flatMap(Object.keys).join(),
    ]),
  );
  const series = ["TimeSeriesRequestDto", "TimeSeriesResponseDto", "session"];
  assert.deepEqual(shown, [
    ["POST /v1/analytics/brands/mentions", ...series],
    ["POST /v1/analytics/brands/overall-visibility", ...series],
    ["POST /v1/analytics/brands/citations", ...series],
    ["POST /v1/analytics/brands/rank", ...series],
    [
      "POST /v1/analytics/sources",
      "SourceAnalysisRequestDto",
      "SourceAnalysisResponseDto",
      "session",
    ],
    [
      "POST /v1/insights/series",
      "InsightsSeriesRequestDto",
      "InsightsSeriesResponseDto",
      "session",
    ],
    [
      "POST /v1/insights/summary",
      "InsightsSummaryRequestDto",
      "InsightsSummaryResponseDto",
      "session",
    ],
    [
      "POST /v1/insights/sources",
      "InsightsSourcesRequestDto",
      "InsightsSourcesResponseDto",
      "session",
    ],
    [
      "POST /v1/insights/changes",
      "InsightsChangesRequestDto",
      "InsightsChangesResponseDto",
      "session",
    ],
    ...plan,
    ["GET /v1/workspace", "none", "WorkspaceResponseDto", "session"],
    ["PUT /v1/workspace", "WorkspaceFileDto", "AppliedWorkspaceDto", "session"],
    ["GET /v1/workspace/file", "none", "DeclaredWorkspaceResponseDto", "session"],
    ["POST /v1/accounts", "WorkspaceFileDto", "CreatedAccountResponseDto", "session"],
    preview,
    ...answers,
    ["GET /v1/answers/{id}", "none", "RecordedAnswerResponseDto", "session"],
    ["GET /v1/imports", "none", "ImportsResponseDto", "session"],
    ["DELETE /v1/imports/{importId}", "none", "UndoneImportResponseDto", "session"],
    ["POST /v1/answers/delete", "DeleteAnswersRequestDto", "DeleteAnswersResponseDto", "session"],
    ...labels,
    ...keysAndPeople,
    ...links,
    ["POST /v1/hooks", "HookRequestDto", "CreatedHookResponseDto", "session"],
    ["DELETE /v1/hooks/{id}", "none", "HookDto", "session"],
    ["POST /v1/hooks/{id}/test", "none", "DeliveryDto", "session"],
    ["GET /v1/hooks/{id}/deliveries", "none", "DeliveriesResponseDto", "session"],
    ["GET /v1/collections", "none", "CollectionsResponseDto", "session"],
    ["POST /v1/collections", "CollectionRequestDto", "StartedCollectionDto", "session"],
    ["GET /v1/collections/{id}", "none", "CollectionDto", "session"],
    ...credentialAddresses,
    ["POST /v1/auth/accesskey/exchange", "none", "SessionExchangeResponseDto", "staticKey"],
  ]);
});

test("what the published interface does not have is marked as an addition", () => {
  const marked = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).flatMap((operation) =>
      operation["x-sightline-addition"] === true ? [[path, operation.description]] : [],
    ),
  );
  assert.deepEqual(
    marked.map(([path]) => path),
    [
      ...["/v1/insights/series", "/v1/insights/summary", "/v1/insights/sources"],
      ...["/v1/insights/changes", "/v1/insights/plan", "/v1/insights/presence"],
      ...["/v1/insights/citation-life", "/v1/insights/queries", "/v1/insights/names"],
      "/v1/insights/claims",
      ...["/v1/workspace", "/v1/workspace", "/v1/workspace/file"],
      ...["/v1/accounts", "/v1/workspace/preview", "/v1/answers"],
      ...["/v1/evidence", "/v1/answers/{id}"],
      ...["/v1/imports", "/v1/imports/{importId}", "/v1/answers/delete"],
      "/v1/audit",
      ...["/v1/reports", "/v1/reports", "/v1/reports/{reportId}"],
      "/v1/reports/{reportId}/html",
      ...["/v1/labels", "/v1/labels", "/v1/labels", "/v1/labels/sample"],
      ...["/v1/keys", "/v1/keys", "/v1/keys/{keyId}"],
      ...["/v1/people", "/v1/people/invitations", "/v1/people/invitations/{invitationId}"],
      ...["/v1/people/{personId}", "/v1/people/{personId}"],
      ...["/v1/links", "/v1/links", "/v1/links/{linkId}"],
      ...["/v1/hooks", "/v1/hooks", "/v1/hooks/{id}", "/v1/hooks/{id}/test"],
      "/v1/hooks/{id}/deliveries",
      ...["/v1/collections", "/v1/collections"],
      ...["/v1/collections/{id}", "/v1/collections/{id}"],
      ...[credentials, ofVendor, ofVendor, `${ofVendor}/test`, "/v1/readings"],
    ],
  );
  for (const [, description] of marked) assert.match(String(description), /^An addition to /);
});

test("every reply but those that went well is a problem", () => {
  for (const operation of Object.values(document.paths).flatMap(Object.values<Operation>)) {
    for (const [status, { content }] of Object.entries(operation.responses)) {
      if (status.startsWith("2")) continue;
      assert.deepEqual(Object.keys(content), ["application/problem+json"], operation.operationId);
      const { schema } = content["application/problem+json"] ?? {};
      assert.deepEqual(schema, { $ref: "#/components/schemas/ProblemDto" });
    }
  }
});

test("every schema is JSON Schema 2020-12, its examples hold", () => {
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addVocabulary(["x-sightline-may-grow"]);
  // Each by its name alone: strict mode refuses the document around them.
  const alone = JSON.stringify(document.components.schemas).replaceAll("#/components/schemas/", "");
  for (const [name, schema] of Object.entries(JSON.parse(alone) as Record<string, object>)) {
    ajv.addSchema(schema, name);
  }
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    const validate = ajv.getSchema(name);
    assert.ok(validate !== undefined);
    assert.equal(validate(0), false, name);
    for (const described of partsOf(schema)) {
      for (const example of described.examples ?? []) {
        assert.equal(ajv.validate(described, example), true, `${name}: ${JSON.stringify(example)}`);
      }
    }
  }
});

test("every error code has a status of HTTP that is an error, and a title of its own", () => {
  const codes = Object.entries(errorCodes);
  for (const [code, { status, title }] of codes) {
    assert.match(code, /^[a-z]+(_[a-z]+)*$/);
    assert.ok(status >= 400 && status <= 599 && STATUS_CODES[status] !== undefined, code);
    assert.match(title, /^[A-Z].*[^.]$/);
    assert.equal(problemSchema.shape.status.safeParse(status).success, true);
  }
  assert.equal(new Set(codes.map(([, { title }]) => title)).size, codes.length);
});

test("an error code's status is the one that HTTP has for it", () => {
  const statuses: Readonly<Partial<Record<ErrorCode, number>>> = {
    malformed_json: 400,
    invalid_request: 400,
    malformed_http: 400,
    session_required: 401,
    session_invalid: 401,
    key_invalid: 401,
    not_found: 404,
    answer_not_found: 404,
    method_not_allowed: 405,
    request_timeout: 408,
    payload_too_large: 413,
    unsupported_media_type: 415,
    headers_too_large: 431,
    internal_error: 500,
    facts_not_ready: 503,
    shutting_down: 503,
  };
  for (const [code, status] of Object.entries(statuses)) {
    assert.equal(errorCodes[code as ErrorCode].status, status, code);
  }
});

interface Part {
  readonly examples?: readonly string[];
}

/** A schema and every schema inside it. */
function partsOf(schema: object): readonly Part[] {
  const inner = Object.values(schema).filter(
    (value) => typeof value === "object" && value !== null,
  );
  return [schema, ...inner.flatMap((value: object) => partsOf(value))];
}

function schemaName(content: Response["content"] | undefined): string {
  const schema = content?.["application/json"]?.schema as { readonly $ref: string } | undefined;
  return schema?.$ref.split("/").at(-1) ?? "none";
}
