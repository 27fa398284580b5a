import assert from "node:assert/strict";
import { globSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { forgetClusterFacts } from "@sightline/test-kit/engines/forget-facts.ts";
import { engineSettings } from "@sightline/test-kit/engines/test-engines.ts";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import { idOf } from "@sightline/test-kit/oracle/ids.ts";
import {
  asksSources,
  type Question,
  type SourcesQuestion,
} from "@sightline/test-kit/oracle/model.ts";
import { arbitraryQuestion } from "@sightline/test-kit/oracle/question-draft.ts";
import { oracleRuns, shrinkingBriefly } from "@sightline/test-kit/oracle/runs.ts";
import {
  anchors,
  arbitraryAnswer,
  arbitraryScenario,
  arbitraryVersion,
  type Scenario,
} from "@sightline/test-kit/oracle/scenario.ts";
import { askService, TrackedAccount } from "@sightline/test-kit/oracle/tracked-account.ts";
import {
  TestService,
  type TestServiceOptions,
  temporaryFolder,
} from "@sightline/test-kit/test-service.ts";
import fc from "fast-check";

test("random accounts get the replies of a naive oracle, also from rebuilt facts", async (t) => {
  const { questions, seed } = oracleRuns(3_000);
  t.diagnostic(`${questions} questions, seed ${seed}`);
  const run = await Run.start();
  t.after(() => run.close());

  await run.askAtLeast(questions / 2, seed);
  await run.rebuild();
  await run.requireTheSameReplies();
  await run.askAtLeast(questions, seed + 1);
  t.diagnostic(run.summary());
  const plans = await run.plans();
  t.diagnostic(JSON.stringify(plans));
  for (const table of ["daily", "daily_domains", "appearances", "citations"]) {
    assert.ok((plans[table] ?? 0) >= questions / 500, `${table} was asked too seldom`);
  }
});

test("an account of several thousand answers gets the replies of the oracle too", async (t) => {
  const { questions, seed } = oracleRuns(60);
  const service = await TestService.start();
  t.after(() => service.close());
  const account = new TrackedAccount({ accountId: idOf("account", 0) });
  const sampled = <Item>(arbitrary: fc.Arbitrary<Item>, numRuns: number): readonly Item[] =>
    fc.sample(arbitrary, { seed, numRuns });

  const entities = 9;
  const [before, after] = sampled(arbitraryVersion(entities), 2);
  assert.ok(before !== undefined && after !== undefined);
  await account.apply(service, before);
  account.token = await service.session(account.accountId);
  const places = anchors.slice(0, 2);
  const answers = sampled(arbitraryAnswer(places, entities), 5_000);
  await account.import(service, answers.slice(0, 4_500), 1_000);
  const drafts = sampled(arbitraryQuestion, questions);
  for (const draft of drafts) await account.ask(service, account.question(draft));

  await account.apply(service, after);
  await account.import(service, answers.slice(4_500), 1_000);
  for (const draft of drafts) await account.ask(service, account.question(draft));
});

/** A reply that must come again, byte for byte. */
interface Kept {
  readonly account: TrackedAccount;
  readonly question: Question;
  readonly body: string;
}

/** How many questions are asked concurrently. */
const concurrency = 6;

class Run {
  readonly #options: TestServiceOptions;
  readonly #dataDir: string;
  readonly #clock: HeldClock;
  readonly #kept: Kept[] = [];
  #service: TestService;
  #accounts = 0;
  #asked = 0;
  #pages = 0;
  #refused = 0;
  /** Replies that show something other than null, zero and empty pages. */
  #telling = 0;

  private constructor(
    options: TestServiceOptions & { readonly dataDir: string; readonly clock: HeldClock },
    service: TestService,
  ) {
    this.#options = options;
    this.#dataDir = options.dataDir;
    this.#clock = options.clock;
    this.#service = service;
  }

  static async start(): Promise<Run> {
    const settings = await engineSettings();
    const options = { dataDir: temporaryFolder(), clock: new HeldClock(), settings };
    return new Run(options, await TestService.start(options));
  }

  /** Makes accounts until so many questions were asked since the start. */
  async askAtLeast(questions: number, seed: number): Promise<void> {
    const live = shrinkingBriefly((scenario: Scenario) => this.#live(scenario));
    for (let round = 0; this.#asked < questions; round += 1) {
      const property = fc.asyncProperty(arbitraryScenario, live);
      await fc.assert(property, { numRuns: 5, seed: seed + 2 * round });
    }
  }

  /** Takes an account through its life, and asks after every step. */
  async #live(scenario: Scenario): Promise<void> {
    const account = new TrackedAccount({ accountId: idOf("account", this.#accounts) });
    this.#accounts += 1;
    for (const [index, step] of scenario.steps.entries()) {
      await this.#take(account, scenario, index);
      if (index === 0) account.token = await this.#service.session(account.accountId);
      await account.askWorkspace(this.#service);
      this.#clock.advance(1);
      const questions = step.questions.map((draft) => account.question(draft));
      await this.#askAll(account, questions, index === scenario.steps.length - 1);
    }
  }

  async #take(account: TrackedAccount, { versions, steps }: Scenario, at: number): Promise<void> {
    const step = steps[at];
    const version = versions[(step?.version ?? 0) % versions.length];
    if (step === undefined || version === undefined) return;
    await account.apply(this.#service, version);
    for (const answers of step.imports) {
      await account.import(this.#service, answers, step.repeated);
    }
  }

  async #askAll(
    account: TrackedAccount,
    questions: readonly Question[],
    isLast: boolean,
  ): Promise<void> {
    for (let at = 0; at < questions.length; at += concurrency) {
      const some = questions.slice(at, at + concurrency);
      const replies = await Promise.all(some.map((each) => account.ask(this.#service, each)));
      this.#asked += some.length;
      for (const [index, { status, body }] of replies.entries()) {
        const question = some[index];
        if (/"value":([1-9]|0\.)|"source":/.test(body)) this.#telling += 1;
        if (question === undefined || status !== 200) this.#refused += 1;
        // What an earlier step was told is no longer true.
        else if (isLast) this.#kept.push({ account, question, body });
      }
    }
    const [ranked] = questions.filter(asksSources);
    if (ranked !== undefined) await this.#turnPages(account, ranked);
  }

  /** All pages together: every source once, and their shares are the whole. */
  async #turnPages(account: TrackedAccount, question: SourcesQuestion): Promise<void> {
    const { topics = [], promptIds = [] } = question.body.filters;
    if (topics.length > 0 && promptIds.length > 0) return;
    const seen: SourcesReply["sources"][number][] = [];
    for (;;) {
      const body = { ...question.body, offset: seen.length };
      const reply = await account.ask(this.#service, { ...question, body });
      const { sources, pagination } = reply.json<SourcesReply>();
      seen.push(...sources);
      this.#pages += 1;
      if (pagination.hasMore) continue;
      const shares = seen.reduce((sum, { share }) => sum + share, 0);
      assert.equal(new Set(seen.map(({ source }) => source)).size, pagination.total);
      assert.equal(seen.length, pagination.total);
      assert.ok(seen.length === 0 || Math.abs(shares - 1) < 1e-9, `shares add up to ${shares}`);
      return;
    }
  }

  /** Throws the facts away, so that the service has to read the record again. */
  async rebuild(): Promise<void> {
    await this.#service.close();
    const { postgresUrl } = this.#options.settings ?? {};
    if (postgresUrl === undefined) this.#removeFacts();
    else await forgetClusterFacts(postgresUrl);
    this.#service = await TestService.start(this.#options);
  }

  #removeFacts(): void {
    const files = globSync("**/*.duckdb*", { cwd: this.#dataDir });
    assert.ok(files.length > this.#accounts / 3, `${files.length} files of facts`);
    for (const file of files) rmSync(join(this.#dataDir, file));
  }

  /** How many questions each table answered since the service started. */
  async plans(): Promise<Readonly<Record<string, number>>> {
    const { values } = await this.#service.services.metrics.queries.get();
    const counts = values.filter(({ metricName }) => metricName?.endsWith("_count"));
    const plans: Record<string, number> = {};
    for (const { labels, value } of counts) {
      plans[String(labels.plan)] = (plans[String(labels.plan)] ?? 0) + value;
    }
    return plans;
  }

  async requireTheSameReplies(): Promise<void> {
    assert.ok(this.#kept.length > 0);
    for (const account of new Set(this.#kept.map(({ account }) => account))) {
      await this.#service.settle(account.accountId);
      account.token = await this.#service.session(account.accountId);
      await account.askWorkspace(this.#service);
    }
    for (const { account, question, body } of this.#kept) {
      const reply = await askService(this.#service, account.token, question);
      assert.equal(reply.body, body);
    }
  }

  summary(): string {
    // Agreement on nothing would prove nothing.
    assert.ok(this.#telling > this.#asked / 10, `only ${this.#telling} replies show anything`);
    return (
      `${this.#accounts} accounts, ${this.#asked} questions (${this.#refused} refused, ` +
      `${this.#telling} with something to show), ` +
      `${this.#pages} pages, ${this.#kept.length} replies kept`
    );
  }

  async close(): Promise<void> {
    await this.#service.close();
    rmSync(this.#dataDir, { recursive: true, force: true });
  }
}

interface SourcesReply {
  readonly sources: readonly { readonly source: string; readonly share: number }[];
  readonly pagination: { readonly total: number; readonly hasMore: boolean };
}
