import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import {
  type AuditResponse,
  type Report,
  type ReportPage,
  type ReportWithNumbers,
  reportSchema,
  reportWithNumbersSchema,
} from "@sightline/contract";
import { corpusAnswer, corpusWorkspace } from "@sightline/test-kit/sample-corpus.ts";
import { sharedService } from "@sightline/test-kit/shared-sample.ts";

const reports = [
  {
    name: "Monthly report",
    subtitle: "For the board",
    period: "last-month",
    filters: { topics: ["Anvils"], providers: ["OPENAI", "GEMINI"] },
    note: "Read me first.",
  },
];

async function startAccount(name: string) {
  const service = await sharedService();
  const accountId = await service.apply({ ...corpusWorkspace, account: { name }, reports });
  await service.import(
    accountId,
    Array.from({ length: 300 }, (_, number) => corpusAnswer(number)),
  );
  const token = await service.session(accountId, ["read", "manage"]);
  const headers = { authorization: `Bearer ${token}` };
  const get = async <Body>(path: string) => {
    const reply = await service.request("GET", path, { headers });
    assert.equal(reply.status, 200, reply.body);
    return reply.json<Body>();
  };
  const make = async (body: object) => {
    const reply = await service.post("/v1/reports", { token, body });
    assert.equal(reply.status, 200, reply.body);
    return reportSchema.parse(reply.json<Report>());
  };
  return { service, accountId, get, make };
}

const february = { startDate: "2026-02-01", endDate: "2026-02-28" };

test("a report is kept with its numbers and its page, and can be checked", async () => {
  const { get, make } = await startAccount("Reporting");
  const made = await make({ report: "Monthly report", period: february });
  const { id, actor, htmlBytes, htmlSha256, madeAt, ...facts } = made;
  assert.deepEqual(facts, {
    name: "Monthly report",
    period: february,
    compareWith: { startDate: "2026-01-01", endDate: "2026-01-31" },
    language: "en",
    dueAt: null,
    supersededBy: null,
  });
  assert.deepEqual([actor.kind, actor.name], ["key", "test"]);
  const shown = await get<ReportWithNumbers>(`/v1/reports/${id}`);
  const { numbers, ...rest } = reportWithNumbersSchema.parse(shown);
  assert.deepEqual(rest, made);
  assert.deepEqual(numbers["filters"], ["ChatGPT, Gemini", "Topic: Anvils"]);
  const { html } = await get<ReportPage>(`/v1/reports/${id}/html`);
  assert.match(html, /<p class="subtitle">For the board<\/p>/);
  assert.match(html, /<p class="said">Read me first.<\/p>/);
  const bytes = Buffer.from(html);
  assert.deepEqual(
    [bytes.length, createHash("sha256").update(bytes).digest("hex")],
    [htmlBytes, htmlSha256],
  );
});

test("without a period, the report's own rule says it", async () => {
  const { make, service } = await startAccount("Reporting by rule");
  const { period, madeAt } = await make({ report: "Monthly report" });
  // The held clock stands on 2026-06-01.
  assert.deepEqual(period, { startDate: "2026-05-01", endDate: "2026-05-31" });
  assert.equal(madeAt, new Date(service.clock.now()).toISOString());
});

test("what is kept never changes; a newer report of the same period supersedes it", async () => {
  const { get, make, service, accountId } = await startAccount("Reporting again");
  const body = { report: "Monthly report", period: february };
  const [first, other] = [await make(body), await make({ report: "Monthly report" })];
  const before = await get<ReportPage>(`/v1/reports/${first.id}/html`);
  await service.apply({ ...corpusWorkspace, account: { name: "Reporting again" }, reports: [] });
  await service.apply({ ...corpusWorkspace, account: { name: "Reporting again" }, reports });
  await service.settle(accountId);
  const second = await make(body);
  assert.deepEqual(
    (await get<{ reports: readonly Report[] }>("/v1/reports")).reports
      .map((each) => [each.id, each.supersededBy])
      .toSorted(),
    [
      [first.id, second.id],
      [second.id, null],
      [other.id, null],
    ].toSorted(),
  );
  const asMade = await get<ReportPage>(`/v1/reports/${first.id}/html?asMade=true`);
  assert.deepEqual(asMade, before);
  const { html } = await get<ReportPage>(`/v1/reports/${first.id}/html`);
  const banner = /<aside><p class="warning" role="note">Superseded: a newer report .*<\/aside>\n/;
  assert.match(html, banner);
  assert.equal(html.replace(banner, ""), before.html);
  const { entries } = await get<AuditResponse>("/v1/audit?action=report.superseded");
  assert.deepEqual(
    entries.map(({ subject, after }) => [subject, after]),
    [[first.id, { supersededBy: second.id }]],
  );
  const made = await get<AuditResponse>("/v1/audit?action=report.made");
  assert.deepEqual(
    made.entries.map(({ subject }) => subject),
    [second.id, other.id, first.id],
  );
});
