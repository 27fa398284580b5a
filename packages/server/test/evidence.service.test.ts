import assert from "node:assert/strict";
import { test } from "node:test";
import type { EvidenceAnswer, EvidenceResponse, InsightsSeriesResponse } from "@sightline/contract";
import { idOf } from "@sightline/test-kit/oracle/ids.ts";
import { asksSources, type SeriesQuestion } from "@sightline/test-kit/oracle/model.ts";
import { oracleRuns } from "@sightline/test-kit/oracle/runs.ts";
import { arbitraryScenario, type Scenario } from "@sightline/test-kit/oracle/scenario.ts";
import { TrackedAccount } from "@sightline/test-kit/oracle/tracked-account.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import fc from "fast-check";

const measures = [
  ["mentions", "mentioned"],
  ["citations", "cited"],
  ["overall-visibility", "visible"],
] as const;

/** Everything that random accounts are asked, and how much of it showed anything. */
class EvidenceRun {
  readonly #service: TestService;
  #accounts = 0;
  lists = 0;
  answers = 0;

  constructor(service: TestService) {
    this.#service = service;
  }

  /** Takes an account through its life, and compares lists with numerators at its end. */
  async live({ versions, steps }: Scenario): Promise<void> {
    const account = new TrackedAccount({ accountId: idOf("account", this.#accounts) });
    this.#accounts += 1;
    for (const step of steps) {
      const version = versions[step.version % versions.length];
      assert.ok(version !== undefined);
      await account.apply(this.#service, version);
      for (const answers of step.imports) await account.import(this.#service, answers, 0);
    }
    account.token = await this.#service.session(account.accountId);
    const drafts = steps.flatMap(({ questions }) => questions).slice(0, 4);
    for (const question of drafts.map((draft) => account.question(draft))) {
      if (!asksSources(question)) await this.#compare(account, question);
    }
  }

  async #compare(account: TrackedAccount, { body }: SeriesQuestion): Promise<void> {
    const { topics = [], promptIds = [] } = body.filters;
    if (topics.length > 0 && promptIds.length > 0) return;
    const shared = { account, filters: body.filters };
    const visible = new Map<string, number>();
    let all = 0;
    for (const [metric, role] of measures) {
      const series = await this.#series(shared, { metric, interval: body.interval });
      if (series === null) return;
      for (const { id: entityId, data } of series) {
        const numerator = data.reduce((sum, point) => sum + point.numerator, 0);
        const listed = await this.#list(shared, { entityId, role });
        assert.equal(listed.length, numerator, `${role} ${JSON.stringify(body)}`);
        for (const answer of listed) assert.ok(isRole(answer, entityId, role), answer.text);
        if (role === "visible") visible.set(entityId, numerator);
        all = data.reduce((sum, point) => sum + point.denominator, 0);
      }
    }
    for (const [entityId, numerator] of visible) {
      const hidden = await this.#list(shared, { entityId, role: "notVisible" });
      assert.equal(hidden.length, all - numerator);
      for (const answer of hidden) assert.ok(!isRole(answer, entityId, "visible"), answer.text);
    }
    const every = await this.#list(shared, { role: "any" });
    assert.equal(every.length, all);
    const ids = [...visible.keys()];
    const informative = await this.#list(shared, { role: "visible" });
    const expected = every.filter((each) => ids.some((id) => isRole(each, id, "visible")));
    assert.deepEqual(informative, expected);
    await this.#compareRanks(shared, { interval: body.interval, every });
  }

  /** The ranks in the answers add up to the numerator of rank. */
  async #compareRanks(
    asked: Asked,
    { interval, every }: { interval: string; every: readonly EvidenceAnswer[] },
  ): Promise<void> {
    for (const { id, data } of (await this.#series(asked, { metric: "rank", interval })) ?? []) {
      const ranks = every.flatMap(({ mentions }) => {
        const mention = mentions.find(({ entityId }) => entityId === id);
        return mention === undefined ? [] : [mention.rank];
      });
      const numerator = data.reduce((sum, point) => sum + point.numerator, 0);
      assert.equal(
        ranks.reduce((sum, rank) => sum + rank, 0),
        numerator,
      );
    }
  }

  async #series({ account: { token }, filters }: Asked, more: object) {
    const body = { ...more, filters };
    const reply = await this.#service.post("/v1/insights/series", { token, body });
    // A range of more than 4,000 days is refused.
    return reply.status === 200 ? reply.json<InsightsSeriesResponse>().series : null;
  }

  /** Every answer of a list, page by page. */
  async #list({ account: { token }, filters }: Asked, more: object) {
    const listed: EvidenceAnswer[] = [];
    this.lists += 1;
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const body = { ...more, filters, limit: 7, ...(cursor === undefined ? {} : { cursor }) };
      const reply = await this.#service.post("/v1/evidence", { token, body });
      assert.equal(reply.status, 200, reply.body);
      const page = reply.json<EvidenceResponse>();
      listed.push(...page.answers);
      cursor = page.nextCursor;
      if (cursor === null) assert.equal(page.total, listed.length);
    }
    assert.equal(new Set(listed.map(({ id }) => id)).size, listed.length);
    const instants = listed.map(({ answeredAt }) => Date.parse(answeredAt));
    assert.deepEqual(
      instants,
      instants.toSorted((a, b) => b - a),
    );
    this.answers += listed.length;
    return listed;
  }
}

interface Asked {
  readonly account: TrackedAccount;
  readonly filters: object;
}

function isRole(
  { text, mentions, citations }: EvidenceAnswer,
  entityId: string,
  role: "mentioned" | "cited" | "visible",
): boolean {
  for (const { start, end } of mentions) assert.ok(start < end && end <= text.length);
  const isMentioned = mentions.some((each) => each.entityId === entityId);
  const isCited = citations.some((each) => each.counted && each.entityIds.includes(entityId));
  if (role === "visible") return isMentioned || isCited;
  return role === "mentioned" ? isMentioned : isCited;
}

test("a list has exactly as many answers as the numerator says, each of its role", async (t) => {
  const { questions, seed } = oracleRuns(10);
  const service = await TestService.start();
  t.after(() => service.close());
  const run = new EvidenceRun(service);
  const property = fc.asyncProperty(arbitraryScenario, (scenario) => run.live(scenario));
  await fc.assert(property, { numRuns: questions, seed, endOnFailure: true });
  t.diagnostic(`${run.lists} lists, ${run.answers} answers, seed ${seed}`);
  // Agreement on nothing would prove nothing. Among other seeds, one in three was the fewest.
  assert.ok(run.answers * 5 > run.lists, "fewer than one answer in five lists");
});
