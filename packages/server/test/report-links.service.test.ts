import assert from "node:assert/strict";
import { once } from "node:events";
import { get, type ServerResponse } from "node:http";
import { type TestContext, test } from "node:test";
import { gzipSync } from "node:zlib";
import type { CreatedLinkResponse, Report, ReportPage } from "@sightline/contract";
import { takeFactsAway } from "@sightline/test-kit/engines/take-facts-away.ts";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import {
  sampleAnswers,
  sampleIds,
  sampleWorkspace,
  startSample,
} from "@sightline/test-kit/sample-account.ts";
import { until } from "@sightline/test-kit/until.ts";

const january = { startDate: "2026-01-01", endDate: "2026-01-31" };
const reports = [
  { name: "Plain", period: "last-month" },
  { name: "Quoting", period: "last-month", evidence: true },
];

async function startReports(t: TestContext) {
  const { service, accountId } = await startSample(t);
  const account = { id: accountId, name: "Acme" };
  await service.apply({ ...sampleWorkspace, account, reports });
  await service.settle(accountId);
  const token = await service.session(accountId, ["read", "manage"]);
  const headers = { authorization: `Bearer ${token}` };
  return {
    service,
    accountId,
    make: async (report: string) => {
      const body = { report, period: january };
      const made = await service.post("/v1/reports", { token, body });
      assert.equal(made.status, 200, made.body);
      return made.json<Report>();
    },
    pageOf: async ({ id }: Report) => {
      const reply = await service.request("GET", `/v1/reports/${id}/html`, { headers });
      return reply.json<ReportPage>().html;
    },
    share: async ({ id }: Pick<Report, "id">, more: object = {}) => {
      const body = { name: "For the client", kind: "report", reportId: id, ...more };
      const made = await service.post("/v1/links", { token, body });
      assert.equal(made.status, 200, made.body);
      const link = made.json<CreatedLinkResponse>();
      const { pathname } = new URL(link.address);
      const open = (fields = {}) => service.request("GET", pathname, { headers: fields });
      return { link, open, pathname };
    },
    revoke: ({ linkId }: CreatedLinkResponse) =>
      service.request("DELETE", `/v1/links/${linkId}`, { headers }),
  };
}

test("a link shows a report as it was made, and says when a newer one is there", async (t) => {
  const { service, accountId, make, pageOf, share, revoke } = await startReports(t);
  const made = await make("Plain");
  const page = await pageOf(made);
  const { link, open } = await share({ id: made.id.toUpperCase() });
  const { kind, view, reportId, showsEvidence } = link;
  assert.deepEqual(
    { kind, view, reportId, showsEvidence },
    { kind: "report", view: null, reportId: made.id, showsEvidence: false },
  );
  const shown = await open();
  assert.equal(shown.status, 200);
  assert.equal(shown.body, page);
  assert.equal(shown.headers["content-type"], "text/html; charset=utf-8");
  assert.equal(shown.headers["x-robots-tag"], "noindex, nofollow");
  assert.equal(shown.headers["referrer-policy"], "no-referrer");

  await service.import(accountId, [{ ...sampleAnswers[0], answeredAt: "2026-01-20T00:00:00Z" }]);
  assert.equal((await open()).body, page, "new answers change nothing");
  await make("Quoting");
  assert.equal((await open()).body, page, "another report of the period supersedes nothing");
  await make("Plain");
  const superseded = await open();
  assert.equal(superseded.body, await pageOf(made));
  assert.match(superseded.body, /<aside><p class="warning" role="note">Superseded: /);

  await revoke(link);
  assert.equal((await open()).status, 404);
});

test("a report is shown while facts are not ready", async (t) => {
  const { service, accountId, make, share } = await startReports(t);
  const { open } = await share(await make("Plain"));
  const live = await service.services.links.create(accountId, {
    name: "live",
    kind: "csv",
    expiresAt: null,
    view: { page: "overview", period: "all" },
  });
  await takeFactsAway(service, accountId);
  assert.equal((await service.request("GET", `/share/${live?.token}/csv`)).status, 503);
  assert.equal((await open()).status, 200);
});

test("a link says of a report whether it quotes answers", async (t) => {
  const { service, accountId, make, share } = await startReports(t);
  const text = "I recommend Acme for hosting.";
  const { hostingPrompt: promptId } = sampleIds;
  await service.import(
    accountId,
    [1, 2, 3].map((sample) => ({ ...sampleAnswers[1], promptId, sample, text })),
  );
  const quoting = await share(await make("Quoting"));
  assert.equal(quoting.link.showsEvidence, true);
  assert.match((await quoting.open()).body, /I recommend Acme for hosting\./);
  const plain = await share(await make("Plain"));
  assert.equal(plain.link.showsEvidence, false);
  assert.doesNotMatch((await plain.open()).body, /I recommend Acme/);
});

test("a report with a password is shown to those who typed it", async (t) => {
  const { service, make, share } = await startReports(t);
  const { open, pathname } = await share(await make("Plain"), { password: "correct horse" });
  const asked = await open();
  assert.match(asked.body, /<form method="post">/);
  assert.doesNotMatch(asked.body, /Plain|Acme|client/);
  const typed = await service.request("POST", pathname, {
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "password=correct+horse",
  });
  assert.equal(typed.status, 303);
  const cookie = String(typed.headers["set-cookie"]).split(";")[0] ?? "";
  assert.match((await open({ cookie })).body, /<h1>Plain<\/h1>/);
});

test("a report of another account cannot be shared", async (t) => {
  const { service, make } = await startReports(t);
  const made = await make("Plain");
  const other = await service.apply({ account: { name: "Other" }, brand: { name: "Other" } });
  const token = await service.session(other, ["manage"]);
  const body = { name: "theirs", kind: "report", reportId: made.id };
  const reply = await service.post("/v1/links", { token, body });
  assertProblem(reply, "invalid_request");
  const [fault] = reply.json<{ errors: readonly { path: string; message: string }[] }>().errors;
  assert.deepEqual(fault?.path, "/reportId");
});

test("a report that is being read ends when its link is revoked", async (t) => {
  const { service, make, share, revoke } = await startReports(t);
  const origin = await service.listen();
  const { id } = await make("Plain");
  // More than the buffers of a connection take.
  const page = Buffer.alloc(32 * 1024 * 1024, "page ");
  await service.services.control.database
    .updateTable("reports")
    .set({ html: gzipSync(page), html_bytes: page.length })
    .where("id", "=", id)
    .execute();
  const { link, pathname } = await share({ id });
  const received = once(service.app.server, "request") as Promise<[unknown, ServerResponse]>;
  const call = get(`${origin}${pathname}`, (reply) => reply.pause());
  call.on("error", () => undefined);
  const [, reply] = await received;
  const ended = once(reply, "close");
  await until("the reply begins", () => (reply.headersSent ? true : null));
  assert.equal(reply.writableFinished, false);
  await revoke(link);
  await ended;
  assert.deepEqual([reply.statusCode, reply.writableFinished], [200, false]);
});
