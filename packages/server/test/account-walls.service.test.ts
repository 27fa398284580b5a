import assert from "node:assert/strict";
import { test } from "node:test";
import { idOf } from "@sightline/test-kit/oracle/ids.ts";
import type { Question } from "@sightline/test-kit/oracle/model.ts";
import {
  arbitraryQuestion,
  type QuestionDraft,
} from "@sightline/test-kit/oracle/question-draft.ts";
import { oracleRuns, shrinkingBriefly } from "@sightline/test-kit/oracle/runs.ts";
import { arbitraryScenario, type Scenario } from "@sightline/test-kit/oracle/scenario.ts";
import {
  askService,
  type IdsOf,
  TrackedAccount,
} from "@sightline/test-kit/oracle/tracked-account.ts";
import { type TestReply, TestService } from "@sightline/test-kit/test-service.ts";
import fc from "fast-check";

const accountsCount = 5;
/** Prompts and topics below this index have the same id in every account. */
const sharedIds = { prompt: 4, topic: 2 } as const;
const questionsMax = 40;

/** Twelve requests of additions take longer than the two of a question. */
const additionsEvery = 4;

test("no account sees a row of another, and a foreign id is an unknown one", async (t) => {
  const { questions: cases, seed } = oracleRuns(600);
  const service = await TestService.start();
  t.after(() => service.close());
  let asked = 0;
  let rows = 0;
  let groups = 0;

  const property = fc.asyncProperty(
    fc.tuple(...Array.from({ length: accountsCount }, () => arbitraryScenario)),
    fc.array(arbitraryQuestion, { minLength: 20, maxLength: questionsMax, size: "max" }),
    shrinkingBriefly(async (scenarios, drafts) => {
      const accounts = scenarios.map((_, index) => accountOf(groups, index));
      groups += 1;
      await liveTogether(service, accounts, scenarios);
      await Promise.all(accounts.map((account) => account.askWorkspace(service)));
      for (const [index, draft] of drafts.entries()) {
        const replies = await Promise.all(
          accounts.map((account) => askBehindWalls(service, account, draft)),
        );
        if (index % additionsEvery === 0) {
          await Promise.all(accounts.map((account) => askAdditions(service, account, draft)));
        }
        asked += replies.length;
        rows += replies.filter(({ body }) => body.includes('"source":')).length;
      }
    }),
  );
  for (let round = 0; asked < cases; round += 1) {
    await fc.assert(property, { numRuns: 1, seed: seed + round });
  }
  assert.ok(rows > 0, "no reply showed a source");
  t.diagnostic(`${asked} cases in ${groups * accountsCount} accounts, seed ${seed}`);
});

/** The account of an index within its group of five. */
function accountOf(group: number, index: number): TrackedAccount {
  return new TrackedAccount({
    accountId: idOf("account", group * accountsCount + index),
    mark: `m${index}x`,
    ids: idsOf(index),
  });
}

/** Some ids that all five have, and some of its own. */
function idsOf(account: number): IdsOf {
  return (kind, index) =>
    idOf(kind, index < sharedIds[kind] ? index : (account + 1) * 1_000 + index);
}

/** Applies and imports what the accounts have, turn by turn; each turn counts before the next. */
async function liveTogether(
  service: TestService,
  accounts: readonly TrackedAccount[],
  scenarios: readonly Scenario[],
): Promise<void> {
  const turns = Math.max(...scenarios.map(({ steps }) => steps.length));
  for (let turn = 0; turn < turns; turn += 1) {
    for (const [index, account] of accounts.entries()) {
      const { versions, steps } = scenarios[index] ?? { versions: [], steps: [] };
      const step = steps[turn];
      const version = versions[(step?.version ?? 0) % versions.length];
      if (step === undefined || version === undefined) continue;
      await account.declare(service, version);
      for (const drafts of step.imports) await account.record(service, drafts, step.repeated);
    }
    await Promise.all(accounts.map(({ accountId }) => service.settle(accountId)));
  }
  for (const account of accounts) account.token = await service.session(account.accountId);
}

/** Asks with ids that nobody has, then with those of a neighbour in their place. */
async function askBehindWalls(
  service: TestService,
  account: TrackedAccount,
  draft: QuestionDraft,
): Promise<TestReply> {
  // The oracle knows one account alone: a row of another would be a difference.
  const asked = account.question(draft);
  const reply = await account.ask(service, asked);
  assertOwn(account, reply);
  const question = account.question(draft, foreignIds(account));
  const second = await askService(service, account.token, question);
  assert.equal(second.status, reply.status);
  if (reply.status === 200) assert.equal(second.body, reply.body, whatWasAsked(question));
  return reply;
}

/** Some ids that all have, and those of a neighbour in the place of its own. */
function foreignIds({ mark }: TrackedAccount): IdsOf {
  const neighbour = (Number(mark.slice(1, 2)) + 1) % accountsCount;
  return (kind, index) => idsOf(neighbour)(kind, index + sharedIds[kind]);
}

/** Asks for answers and insights in the same two ways. */
async function askAdditions(
  service: TestService,
  account: TrackedAccount,
  draft: QuestionDraft,
): Promise<void> {
  const asked = account.question(draft);
  const foreign = account.question(draft, foreignIds(account));
  const listed = await listedAnswers(service, account, asked);
  assertOwn(account, listed);
  if (listed.status !== 200) return;
  assert.equal((await listedAnswers(service, account, foreign)).body, listed.body);
  for (const insight of insights) {
    const ask = ({ body: { filters } }: Question) =>
      service.post(insight.path, { token: account.token, body: { ...insight.body, filters } });
    const own = await ask(asked);
    assert.equal(own.status, 200, `${insight.path}: ${own.body}`);
    assertOwn(account, own);
    assert.equal((await ask(foreign)).body, own.body, insight.path);
  }
}

/** Additions, asked with the same filters; insights-oracle has what they reply. */
const insights = [
  { path: "/v1/insights/summary", body: { groupBy: "prompt" } },
  { path: "/v1/insights/sources", body: { groupBy: "url", limit: 100, offset: 0 } },
  { path: "/v1/insights/citation-life", body: { by: "page" } },
  { path: "/v1/insights/queries", body: { limit: 50 } },
  { path: "/v1/insights/claims", body: {} },
] as const;

function assertOwn(account: TrackedAccount, { body }: Pick<TestReply, "body">): void {
  const shown = [...body.matchAll(/zz=(m\dx)/g)].map(([, mark]) => mark);
  assert.deepEqual(
    shown.filter((mark) => mark !== account.mark),
    [],
  );
}

/** The answers behind a question's values, without cursors, which are of the question's ids. */
async function listedAnswers(
  service: TestService,
  { token }: TrackedAccount,
  { body: { filters } }: Question,
): Promise<Pick<TestReply, "status" | "body">> {
  const reply = await service.post("/v1/evidence", {
    token,
    body: { filters, role: "any", limit: 50 },
  });
  return { ...reply, body: reply.body.replace(/"nextCursor":"[^"]+"/, "") };
}

function whatWasAsked({ operation, body }: Question): string {
  return `${operation} ${JSON.stringify(body)}`;
}
