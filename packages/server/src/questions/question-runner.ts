import { sourceRulesOf, textsRemovedBefore } from "../accounts/account-store.ts";
import { DeclaredWorkspaces } from "../accounts/declared-workspaces.ts";
import { decidedLabels } from "../answers/labels/label-store.ts";
import type { QuotePlace } from "../answers/readings/reading-quotes.ts";
import type { ControlEngine } from "../control/control-engine.ts";
import {
  type FactsCoverage,
  type FactsEngine,
  FactsError,
  GenerationGoneError,
  noCoverage,
} from "../facts/engine.ts";
import type { EvidenceQuestion } from "../facts/plan/places-plan.ts";
import {
  noPlan,
  type PlanUsed,
  planCountedSeries,
  planSources,
  planTimeSeries,
  usedBy,
} from "../facts/plan/plan.ts";
import {
  type ChangesQuestion,
  type CountedSeriesQuestion,
  checkPoints,
  type PlanQuestion,
  type SourcesQuestion,
  type SummaryQuestion,
  type TimeSeriesQuestion,
} from "../facts/plan/question.ts";
import type { SeriesFacts } from "../facts/plan/series.ts";
import type {
  LifeQuestion,
  NamesQuestion,
  PresenceQuestion,
  QueriesQuestion,
  SourceGapsQuestion,
} from "../facts/plan/source-questions.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/logger.ts";
import type { Metrics } from "../platform/metrics.ts";
import { QueryQueue } from "../platform/query-queue.ts";
import { ServiceError } from "../platform/service-error.ts";
import { untilAborted } from "../platform/until-aborted.ts";
import { type AccountView, AccountViews } from "./account-views.ts";
import { type LifeFacts, readLife } from "./citation-life.ts";
import { type ChangesFacts, readChanges } from "./contributions.ts";
import { answerFacts, evidenceFacts } from "./evidence/evidence-facts.ts";
import type { EvidenceReader } from "./evidence/evidence-reader.ts";
import type { CountedSeries, Facts } from "./facts.ts";
import { readClassifiedSources } from "./gaps.ts";
import { type LabelSampleQuestion, readLabelSample } from "./label-sample.ts";
import { readMarks } from "./marks.ts";
import { type Measurable, readMeasured } from "./measurement.ts";
import { type PlanFacts, readPlan } from "./plan.ts";
import { readPresence } from "./presence.ts";
import { asksTags } from "./prompt-tags.ts";
import type { Measured, Reading } from "./reading.ts";
import { readSearchQueries } from "./search-queries.ts";
import type { PlacedLabel } from "./summary/extraction.ts";
import { readSummary, type SummaryFacts } from "./summary/summary.ts";
import { readUntrackedNames, untilNamesAreRead } from "./untracked-names.ts";

/** What questions are run with. */
export interface QuestionRunnerOptions {
  readonly engine: FactsEngine;
  readonly reader: EvidenceReader;
  /** Of the price list: YYYY-MM-DD. */
  readonly pricesDate: string;
  readonly control: ControlEngine;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Of Node's pool, on which queries run. */
  readonly threads: number;
  /** What brings facts up to date: it looks at those of an account soon. */
  readonly projection: {
    readonly verify: (accountId: string) => void;
    /** As `verify`; the facts may be damaged. */
    readonly suspect: (accountId: string) => void;
  };
}

const waitingPerAccount = 64;
/** A question is planned again when its facts were replaced meanwhile, which takes longer. */
const plansMax = 5;

/** How long after a question others still give way to the next one. */
const isAskedMs = 100;

const noSeries = { sums: [], spread: null, lastMs: null, used: noPlan } as const;

interface Asked {
  readonly accountId: string;
  readonly question:
    | "time-series"
    | "counted-series"
    | "summary"
    | "changes"
    | "plan"
    | "presence"
    | "citation-life"
    | "search-queries"
    | "untracked-names"
    | "sources"
    | "source-gaps"
    | "coverage"
    | "evidence"
    | "label-sample"
    | "answer";
  readonly signal: AbortSignal;
  /** Whether tags say which answers count, or how they are grouped; omitted: no. */
  readonly withTags?: boolean;
}

/** Runs questions: each waits for its turn, is planned, read and timed. */
export class QuestionRunner implements Facts {
  /** What accounts declare: questions by tags read it too. */
  readonly workspaces: DeclaredWorkspaces;
  readonly #options: QuestionRunnerOptions;
  readonly #views: AccountViews;
  readonly #queue: QueryQueue;
  #askedMs = Number.NEGATIVE_INFINITY;

  constructor(options: QuestionRunnerOptions) {
    this.#options = options;
    // Half of the pool's threads are left to everything else.
    const running = Math.max(1, Math.floor(options.threads / 2));
    const runningPerAccount = Math.ceil(running / 2);
    this.#queue = new QueryQueue({ running, runningPerAccount, waitingPerAccount });
    this.workspaces = new DeclaredWorkspaces(options.control);
    this.#views = new AccountViews(options.engine, options.control, this.workspaces);
  }

  /** Whether somebody asks now: a board's questions come one after the other. */
  isAsked(): boolean {
    return performance.now() - this.#askedMs < isAskedMs;
  }

  timeSeries(
    accountId: string,
    question: TimeSeriesQuestion,
    signal: AbortSignal,
  ): Promise<SeriesFacts> {
    const asked: Asked = { accountId, question: "time-series", signal };
    return this.#run(asked, async ({ facts, entities }) => {
      checkPoints(question, entities.length);
      const by = facts && { codes: facts.codes, entities: entities.length };
      const plan = by && planTimeSeries(question, by);
      if (facts === null || plan === null) return { ...noSeries, entities };
      const planned = { generation: facts.generation, plan };
      const sums = await this.#options.engine.series(accountId, planned, signal);
      return { entities, sums, spread: null, lastMs: null, used: usedBy(plan) };
    });
  }

  countedSeries(
    accountId: string,
    question: CountedSeriesQuestion,
    signal: AbortSignal,
  ): Promise<Measured<CountedSeries>> {
    const asked: Asked = { accountId, question: "counted-series", signal };
    return this.#measured(asked, question, async (reading) => {
      const { engine, view } = reading;
      const { facts, entities } = view;
      checkPoints(question, entities.length);
      const by = facts && { codes: facts.codes, entities: entities.length };
      const plan = by && planCountedSeries(question, by);
      const { selection, withMarks } = question;
      if (facts === null) return { ...noSeries, entities, marks: withMarks ? [] : null };
      const { generation } = facts;
      const { lastMs } = await engine.coverage(accountId, generation, signal);
      const marks = withMarks ? await readMarks(reading, selection, lastMs) : null;
      if (plan === null) return { ...noSeries, entities, lastMs, marks };
      const counted = await engine.countedSeries(accountId, { generation, plan }, signal);
      return { entities, ...counted, lastMs, marks, used: usedBy(plan) };
    });
  }

  summary(
    accountId: string,
    question: SummaryQuestion,
    signal: AbortSignal,
  ): Promise<Measured<SummaryFacts>> {
    return this.#measured({ accountId, question: "summary", signal }, question, (reading) =>
      readSummary(reading, question, { readLabels: () => this.#placedLabels(accountId, signal) }),
    );
  }

  /** What the account's labels come to; those of answers that are not recorded are left out. */
  async #placedLabels(accountId: string, signal: AbortSignal): Promise<readonly PlacedLabel[]> {
    const { control, reader } = this.#options;
    const labels = await decidedLabels(control, accountId);
    const ids = [...new Set(labels.map(({ answerId }) => answerId))];
    const sequences = await reader.sequencesOf(accountId, ids, signal);
    return labels.flatMap(({ answerId, entityId, metric, value }) => {
      const sequence = sequences.get(answerId);
      return sequence === undefined ? [] : [{ sequence, entityId, metric, value }];
    });
  }

  changes(
    accountId: string,
    question: ChangesQuestion,
    signal: AbortSignal,
  ): Promise<Measured<ChangesFacts>> {
    return this.#measured({ accountId, question: "changes", signal }, question, (reading) =>
      readChanges(reading, question),
    );
  }

  plan(
    accountId: string,
    question: PlanQuestion,
    signal: AbortSignal,
  ): Promise<Measured<PlanFacts>> {
    return this.#measured({ accountId, question: "plan", signal }, question, (reading) =>
      readPlan(reading, question),
    );
  }

  citationLife(accountId: string, question: LifeQuestion, signal: AbortSignal): Promise<LifeFacts> {
    const { engine, control } = this.#options;
    const withTags = asksTags(question);
    const asked: Asked = { accountId, question: "citation-life", signal, withTags };
    return this.#run(asked, async (view) => {
      const rules = await sourceRulesOf(control, accountId);
      return readLife({ engine, accountId, view, signal }, question, rules);
    });
  }

  searchQueries(accountId: string, question: QueriesQuestion, signal: AbortSignal) {
    const { engine, control, reader } = this.#options;
    const withTags = asksTags(question);
    const asked: Asked = { accountId, question: "search-queries", signal, withTags };
    return this.#run(asked, async (view) => {
      const textsFromMs = (await textsRemovedBefore(control, accountId)) ?? 0;
      const queriesAt = (sequences: readonly number[]) =>
        reader.searchQueries(accountId, sequences, signal);
      const texts = { textsFromMs, queriesAt };
      return readSearchQueries({ engine, accountId, view, signal }, question, texts);
    });
  }

  async untrackedNames(accountId: string, question: NamesQuestion, signal: AbortSignal) {
    await this.#repairing(accountId, () => untilNamesAreRead(this.#options, accountId, signal));
    const withTags = asksTags(question);
    return this.#run({ accountId, question: "untracked-names", signal, withTags }, (view) =>
      readUntrackedNames(this.#options, { accountId, view, signal }, question),
    );
  }

  presence(accountId: string, question: PresenceQuestion, signal: AbortSignal) {
    return this.#measured({ accountId, question: "presence", signal }, question, (reading) =>
      readPresence(reading, question),
    );
  }

  sourceGaps(accountId: string, question: SourceGapsQuestion, signal: AbortSignal) {
    const asked: Asked = { accountId, question: "source-gaps", signal };
    return this.#measured(asked, question, async (reading) => {
      const rules = await sourceRulesOf(this.#options.control, accountId);
      return readClassifiedSources(reading, question, rules);
    });
  }

  sources(accountId: string, question: SourcesQuestion, signal: AbortSignal) {
    const asked: Asked = { accountId, question: "sources", signal };
    return this.#run(asked, async ({ facts }) => {
      const plan = facts && planSources(question, facts.codes);
      if (plan === null) return { total: 0, citations: 0, page: [], used: noPlan };
      const planned = { generation: facts?.generation ?? "", plan };
      const found = await this.#options.engine.sources(accountId, planned, signal);
      return { ...found, used: usedBy(plan) };
    });
  }

  evidence(accountId: string, question: EvidenceQuestion, signal: AbortSignal) {
    const withTags = asksTags(question);
    return this.#run({ accountId, question: "evidence", signal, withTags }, (view) =>
      evidenceFacts(this.#options, { accountId, view, signal }, question),
    );
  }

  labelSample(accountId: string, question: LabelSampleQuestion, signal: AbortSignal) {
    const { engine, control, reader } = this.#options;
    const withTags = asksTags(question);
    return this.#run({ accountId, question: "label-sample", signal, withTags }, async (view) => {
      const textsFromMs = (await textsRemovedBefore(control, accountId)) ?? 0;
      const idsAt = (at: readonly number[]) => reader.ids(accountId, at, signal);
      return readLabelSample({ engine, accountId, view, signal }, question, { textsFromMs, idsAt });
    });
  }

  answer(accountId: string, answerId: string, signal: AbortSignal) {
    return this.#run({ accountId, question: "answer", signal }, (view) =>
      answerFacts(this.#options, { accountId, view, signal }, answerId),
    );
  }

  quotes(accountId: string, places: readonly QuotePlace[], signal: AbortSignal) {
    return this.#repairing(accountId, () => this.#options.reader.quotes(accountId, places, signal));
  }

  coverage(accountId: string, signal: AbortSignal): Promise<FactsCoverage> {
    const asked: Asked = { accountId, question: "coverage", signal };
    return this.#run(asked, async ({ facts }) => {
      if (facts === null) return noCoverage;
      return this.#options.engine.coverage(accountId, facts.generation, signal);
    });
  }

  version(accountId: string, signal: AbortSignal): Promise<string | null> {
    return this.#repairing(accountId, () => untilAborted(this.#views.version(accountId), signal));
  }

  /** Reads, and says by what answers if the question asks for that. */
  #measured<Result extends { readonly used: PlanUsed }>(
    asked: Asked,
    question: Measurable,
    read: (reading: Reading) => Promise<Result>,
  ): Promise<Measured<Result>> {
    const { accountId, signal } = asked;
    const { engine, reader, pricesDate } = this.#options;
    return this.#run({ ...asked, withTags: asksTags(question) }, async (view) => {
      const modelsAt = (sequences: readonly number[]) => {
        return reader.models(accountId, sequences, signal);
      };
      const reading: Reading = { engine, accountId, view, signal, modelsAt };
      const found = await read(reading);
      const measured = await readMeasured({ reading, reader, pricesDate }, question);
      return { ...found, measured };
    });
  }

  #run<Result extends { readonly used: PlanUsed }>(
    asked: Asked,
    read: (view: AccountView) => Promise<Result>,
  ): Promise<Result> {
    this.#askedMs = performance.now();
    return this.#queue.run(asked.accountId, asked.signal, () => this.#timed(asked, read));
  }

  async #timed<Result extends { readonly used: PlanUsed }>(
    asked: Asked,
    read: (view: AccountView) => Promise<Result>,
  ): Promise<Result> {
    const { accountId, question } = asked;
    const { metrics, logger } = this.#options;
    const started = performance.now();
    let plan = "failed";
    try {
      const result = await this.#repairing(accountId, () => {
        return this.#planned(asked, read);
      });
      const { name, refused } = result.used;
      plan = name;
      const ms = Math.round((performance.now() - started) * 10) / 10;
      logger.debug({ accountId, question, plan, refused, ms }, "the facts were asked");
      return result;
    } finally {
      metrics.queries.observe({ question, plan }, (performance.now() - started) / 1000);
    }
  }

  /** Reads by the account's view of now; again when its facts were replaced meanwhile. */
  async #planned<Result>(
    { accountId, signal, withTags = false }: Asked,
    read: (view: AccountView) => Promise<Result>,
  ): Promise<Result> {
    for (let plans = 1; ; plans++) {
      try {
        return await read(await untilAborted(this.#views.view(accountId, withTags), signal));
      } catch (error) {
        if (!(error instanceof GenerationGoneError) || plans === plansMax) throw error;
      }
    }
  }

  /** Tells the projection of facts that are missing or cannot be read; a client tries again. */
  async #repairing<Result>(accountId: string, work: () => Promise<Result>): Promise<Result> {
    const { projection } = this.#options;
    projection.verify(accountId);
    try {
      return await work();
    } catch (error) {
      const fault = error instanceof FactsError ? error.fault : null;
      if (fault === "suspect") projection.suspect(accountId);
      else if (fault !== "unavailable") throw error;
      throw new ServiceError("facts_not_ready", "The account's facts are being checked.", {
        headers: { "Retry-After": "1" },
        cause: error,
      });
    }
  }
}
