import assert from "node:assert/strict";
import { test } from "node:test";
import type { LinkView, Report } from "@sightline/contract";
import { oracleRuns } from "@sightline/test-kit/oracle/runs.ts";
import { corpusAnswer, corpusWorkspace } from "@sightline/test-kit/sample-corpus.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import fc from "fast-check";
import { linkPath } from "../src/links/link-request.ts";

const accountsCount = 5;
const password = "correct horse";

interface Walled {
  readonly accountId: string;
  /** In every name, prompt and page of the account, and nowhere else. */
  readonly mark: string;
  readonly topics: readonly { readonly id: string; readonly name: string }[];
  /** A report that it made, which quotes no answers. */
  readonly reportId: string;
}

/** The topic of a prompt of the corpus, by its place; null: none. */
const topicOfPrompt = ["Anvils", "Anvils", "Storage", null] as const;

/** Five accounts with the same answers, but for a mark in whatever a page could show. */
async function startAccounts(service: TestService): Promise<readonly Walled[]> {
  return Promise.all(
    Array.from({ length: accountsCount }, async (_, index) => {
      const mark = `m${index}x`;
      const id = (kind: string, place: number) =>
        `${index}${kind}000000-0000-4000-8000-00000000000${place}`;
      const topics = ["Storage", "Anvils"].map((name, place) => ({
        id: id("1", place),
        name: `${name} ${mark}`,
      }));
      const prompts = corpusWorkspace.prompts.map(({ text }, place) => {
        const topic = topicOfPrompt[place];
        return {
          id: id("2", place),
          text: `${text} ${mark}`,
          ...(topic === null ? {} : { topic: `${topic} ${mark}` }),
        };
      });
      const accountId = await service.apply({
        account: { name: `Walled ${mark}` },
        brand: { name: `Acme ${mark}`, aliases: ["Acme"], domains: [`${mark}.acme.com`] },
        competitors: [{ name: `Globex ${mark}`, aliases: ["Globex"], domains: ["globex.com"] }],
        topics,
        prompts,
        reports: [{ name: `Report ${mark}`, period: "last-month" }],
      });
      const answers = Array.from({ length: 120 }, (_, number) => {
        const { promptId, text, ...answer } = corpusAnswer(number);
        const place = corpusWorkspace.prompts.findIndex((each) => each.id === promptId);
        const citations = [{ url: `https://${mark}.example/${number}` }];
        return { ...answer, promptId: id("2", place), text: `${text} ${mark}`, citations };
      });
      await service.import(accountId, answers);
      const token = await service.session(accountId, ["manage"]);
      const period = { startDate: "2026-01-01", endDate: "2026-03-31" };
      const asked = { token, body: { report: `Report ${mark}`, period } };
      const made = await service.post("/v1/reports", asked);
      assert.equal(made.status, 200, made.body);
      return { accountId, mark, topics, reportId: made.json<Report>().id };
    }),
  );
}

/** A view of an account, and whose topics filter it. */
const arbitraryCase = fc.record({
  owner: fc.nat({ max: accountsCount - 1 }),
  kind: fc.constantFrom("view", "csv", "image", "report"),
  page: fc.constantFrom("overview", "portrayal", "sources", "prompts"),
  period: fc.constantFrom("all", "28d", "last-month", "2026-01-10..2026-02-10"),
  compare: fc.constantFrom("previous", "none", "year-ago"),
  hasPassword: fc.boolean(),
  showsEvidence: fc.boolean(),
  topicOf: fc.option(fc.nat({ max: accountsCount - 1 })),
  topic: fc.constantFrom(0, 1),
} as const);

test("a link shows its view and nothing else, and of no other account", async (t) => {
  const { questions: cases, seed } = oracleRuns(300);
  const service = await TestService.start();
  t.after(() => service.close());
  const accounts = await startAccounts(service);
  const { links } = service.services;
  let shown = 0;

  const property = fc.asyncProperty(arbitraryCase, async (draft) => {
    const owner = accounts[draft.owner];
    const filtering = draft.topicOf === null ? null : accounts[draft.topicOf];
    assert.ok(owner !== undefined && filtering !== undefined);
    const isView = draft.kind === "view";
    const isPage = isView || draft.kind === "report";
    const topic = draft.kind === "report" ? undefined : filtering?.topics[draft.topic];
    const view: LinkView = {
      page: isView ? draft.page : "overview",
      period: draft.period,
      ...(isView ? { compare: draft.compare } : {}),
      ...(topic === undefined ? {} : { filters: { topics: [{ id: topic.id }] } }),
    };
    const made = await links.create(owner.accountId, {
      name: "board",
      kind: draft.kind,
      ...(draft.kind === "report" ? { reportId: owner.reportId } : { view }),
      showsEvidence: isView && draft.showsEvidence,
      ...(isPage && draft.hasPassword ? { password } : {}),
      expiresAt: null,
    });
    assert.ok(made !== null);
    const path = linkPath(draft.kind, made.token);
    const ask = (headers = {}) => service.request("GET", path, { headers });
    if (isPage && draft.hasPassword) {
      const form = await ask();
      assert.match(form.body, /<form method="post">/);
      assert.doesNotMatch(form.body, /m\dx|board/);
    }
    const pass = `sightline-share=${links.passOf(made.link)}`;
    const reply = await ask(isPage && draft.hasPassword ? { cookie: pass } : {});
    assert.equal(reply.status, 200, reply.body);
    for (const { mark } of accounts) {
      if (mark !== owner.mark) assert.equal(reply.body.includes(mark), false, mark);
    }
    // Words of answers, which each end with a number.
    if (!isView || !draft.showsEvidence) assert.doesNotMatch(reply.body, /Number \d+\./);
    if (topic === undefined) {
      shown += reply.body.includes(owner.mark) ? 1 : 0;
    } else if (filtering !== owner) {
      // A topic that the account does not have lets no answer pass.
      assert.doesNotMatch(reply.body, /weighs most|anvils?\b|example\/\d/);
      if (draft.kind === "csv") assert.doesNotMatch(reply.body, /[1-9]\d*,\d+\r|,[1-9]\d*\r/);
    } else {
      const others = ["store anvils", "best anvil"][draft.topic === 0 ? 1 : 0] ?? "";
      assert.equal(reply.body.includes(others) || reply.body.includes("weighs most"), false);
    }
    await service.services.control.database.deleteFrom("links").execute();
  });
  await fc.assert(property, { numRuns: cases, seed });
  assert.ok(shown > cases / 10, `${shown} of ${cases} replies showed their account's names`);
  t.diagnostic(`${cases} links in ${accountsCount} accounts, seed ${seed}`);
});
