import assert from "node:assert/strict";
import { test } from "node:test";
import { validLinksMax } from "@sightline/contract";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { sampleIds, startSample } from "@sightline/test-kit/sample-account.ts";

const view = { page: "overview", period: "12w" } as const;
const link = { name: "board", kind: "view", view } as const;
const reportId = "1beabf74-f871-4c29-82d3-2affa4d7571e";
const ofReport = { name: "october", kind: "report", reportId } as const;

const faults: readonly (readonly [body: object, path: string, code: string, message: RegExp])[] = [
  [{ ...link, name: " " }, "/name", "wrong_format", /^must be a non-empty text\.$/],
  [
    { ...link, kind: "pdf" },
    "/kind",
    "not_allowed",
    /^must be view, csv, image or report, got "pdf"\.$/,
  ],
  [{ ...link, view: { ...view, page: "setup" } }, "/view/page", "not_allowed", /got "setup"/],
  [{ ...link, view: { page: "overview" } }, "/view/period", "missing", /is required/],
  [
    { ...link, view: { ...view, period: "2026-02-01..2026-01-01" } },
    "/view/period",
    "wrong_format",
    /^must be 7d, .*all, or two dates such as 2026-01-01\.\.2026-03-31, got "2026-02-01\.\./,
  ],
  [
    { ...link, view: { ...view, compare: "2026-02-30" } },
    "/view/compare",
    "wrong_format",
    /^must be previous, year-ago, none, or a date such as 2026-01-31, got "2026-02-30"\.$/,
  ],
  [
    { ...link, view: { ...view, filters: { provider: ["OPENAI"] } } },
    "/view/filters/provider",
    "unknown_field",
    /Did you mean providers\?/,
  ],
  [
    {
      ...link,
      view: {
        ...view,
        filters: { topics: [{ id: sampleIds.storage }], promptIds: [sampleIds.storagePrompt] },
      },
    },
    "/view/filters/promptIds",
    "excluded",
    /^cannot be combined with topics/,
  ],
  [
    {
      ...link,
      view: { ...view, filters: { promptIds: Array(600).fill(sampleIds.storagePrompt) } },
    },
    "/view",
    "too_large",
    /^must have at most 20000 characters as JSON, got 2\d{4}\.$/,
  ],
  [
    { ...link, kind: "csv", view: { ...view, page: "prompts" } },
    "/view/page",
    "not_allowed",
    /^must be overview or sources for the kind csv, got prompts\.$/,
  ],
  [{ ...link, kind: "csv", password: "12345678" }, "/password", "not_allowed", /nobody types one/],
  [{ ...link, kind: "image", showsEvidence: true }, "/showsEvidence", "not_allowed", /no texts/],
  [{ name: "a", kind: "csv" }, "/view", "missing", /^is required for the kind csv\.$/],
  [
    { ...link, reportId },
    "/reportId",
    "not_allowed",
    /^is not a field of the kind view\. Leave it/,
  ],
  [{ name: "a", kind: "report" }, "/reportId", "missing", /^is required for the kind report\.$/],
  [{ ...ofReport, reportId: "x" }, "/reportId", "wrong_format", /^must be a UUID/],
  [{ ...ofReport, view }, "/view", "not_allowed", /^is not a field of the kind report\./],
  [{ ...ofReport, showsEvidence: false }, "/showsEvidence", "not_allowed", /of the kind report/],
  [
    ofReport,
    "/reportId",
    "not_allowed",
    /^must be the id of a report that the account made, got "1beabf74-/,
  ],
  [{ ...link, password: "1234567" }, "/password", "too_small", /^must have at least 8 characters/],
  [{ ...link, expiresIn: "3y" }, "/expiresIn", "wrong_format", /^must be a number above 0/],
  [{ ...link, expiresIn: "999999w" }, "/expiresIn", "too_large", /^must end by the year 9999\.$/],
];

test("what is not allowed is said with its place, and no link is made", async (t) => {
  const { service, accountId } = await startSample(t);
  const token = await service.session(accountId, ["manage"]);
  for (const [body, path, code, message] of faults) {
    const reply = await service.post("/v1/links", { token, body });
    assertProblem(reply, "invalid_request");
    const { errors } = reply.json<{ errors: { path: string; code: string; message: string }[] }>();
    const [fault] = errors;
    assert.deepEqual([errors.length, fault?.path, fault?.code], [1, path, code], reply.body);
    assert.match(fault?.message ?? "", message);
  }
  const headers = { authorization: `Bearer ${token}` };
  const { body } = await service.request("GET", "/v1/links", { headers });
  assert.equal(body, '{"links":[],"nextCursor":null}');
});

test("concurrent requests make no more links than an account may have", async (t) => {
  const { service, accountId } = await startSample(t);
  const token = await service.session(accountId, ["manage"]);
  const ask = () => service.post("/v1/links", { token, body: { ...link, expiresIn: "1d" } });
  const { links } = service.services;
  for (let made = 3; made < validLinksMax; made++) {
    await links.create(accountId, { ...link, expiresAt: service.clock.now() + 86_400_000 });
  }
  const replies = await Promise.all(Array.from({ length: 8 }, ask));
  const statuses = replies.map(({ status }) => status).toSorted();
  assert.deepEqual(statuses, [200, 200, 200, 400, 400, 400, 400, 400]);
  const refused = replies.find(({ status }) => status === 400);
  const many = "The account has as many valid links as it may have. Revoke one first.";
  assert.equal(refused?.json<{ detail: string }>().detail, `/: ${many}`);
  service.clock.advance(86_400_000);
  assert.equal((await service.post("/v1/links", { token, body: link })).status, 401, "it expired");
  const next = await service.session(accountId, ["manage"]);
  assert.equal((await service.post("/v1/links", { token: next, body: link })).status, 200);
});
