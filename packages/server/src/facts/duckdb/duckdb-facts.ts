import type { OriginsPlan, PromptSumsPlan, StabilityPlan } from "../../analytics/insight-plans.ts";
import { type PlacesPlan, pageOf } from "../../analytics/places-plan.ts";
import type { SourcesPlan, TimeSeriesPlan } from "../../analytics/plan.ts";
import type { DataFolder } from "../../platform/data-folder.ts";
import type { Logger } from "../../platform/logger.ts";
import type { FactRows } from "../fact-rows.ts";
import {
  type ComparedSourcesPlan,
  type FactsEngine,
  FactsError,
  type Planned,
} from "../facts-engine.ts";
import { countedSumsOf, coverageOf, sourcesOf, sumsOf } from "../facts-of-rows.ts";
import type { Snapshot } from "../snapshot.ts";
import { AccountFacts } from "./account-facts.ts";
import { citedNumbers } from "./cited-numbers.ts";
import { engineFault } from "./engine-failure.ts";
import type { FactsFile } from "./facts-file.ts";
import {
  originsStatement,
  promptSumsStatement,
  spreadStatement,
  stabilityStatement,
} from "./insight-statements.ts";
import { OpenEngines } from "./open-engines.ts";
import { dayCountsStatement, placesStatement } from "./places-statement.ts";
import { readSourceGaps } from "./source-gaps.ts";
import { coverageStatement, sourcesStatement, timeSeriesStatement } from "./statements.ts";

/** What the facts are kept with. */
export interface DuckdbFactsOptions {
  readonly folder: DataFolder;
  readonly logger: Logger;
  /** The most accounts whose engines stay open. */
  readonly openMax: number;
}

/** An account's facts, and how many use them now. */
interface UsedFacts {
  readonly facts: AccountFacts;
  uses: number;
}

/** Which facts a question reads, and for how long it may wait for them. */
interface ReadFacts {
  readonly generation: string;
  readonly signal: AbortSignal;
}

/** Facts in DuckDB, a file per account. */
export class DuckdbFacts implements FactsEngine {
  readonly #options: DuckdbFactsOptions;
  /** Those that are open, built or in use now. */
  readonly #accounts = new Map<string, UsedFacts>();
  readonly #open: OpenEngines;

  constructor(options: DuckdbFactsOptions) {
    this.#options = options;
    this.#open = new OpenEngines(options.openMax);
  }

  async state(accountId: string) {
    try {
      return await this.#using(accountId, (facts) => retried(facts, () => facts.state()));
    } catch (error) {
      const isOther = error instanceof FactsError && error.fault === "other";
      throw isOther ? new FactsError("unavailable", error.cause) : error;
    }
  }

  series(accountId: string, { generation, plan }: Planned<TimeSeriesPlan>, signal: AbortSignal) {
    return this.#read(accountId, { generation, signal }, async (file) =>
      sumsOf(await file.query(timeSeriesStatement(plan), signal), plan),
    );
  }

  countedSeries(accountId: string, planned: Planned<TimeSeriesPlan>, signal: AbortSignal) {
    const { generation, plan } = planned;
    return this.#read(accountId, { generation, signal }, async (file) =>
      countedSumsOf(await file.query(spreadStatement(plan), signal), plan),
    );
  }

  promptSums(accountId: string, planned: Planned<PromptSumsPlan>, signal: AbortSignal) {
    const { generation, plan } = planned;
    return this.#read(accountId, { generation, signal }, (file) =>
      file.query(promptSumsStatement(plan), signal),
    );
  }

  origins(accountId: string, { generation, plan }: Planned<OriginsPlan>, signal: AbortSignal) {
    return this.#read(accountId, { generation, signal }, (file) =>
      file.query(originsStatement(plan), signal),
    );
  }

  stability(accountId: string, { generation, plan }: Planned<StabilityPlan>, signal: AbortSignal) {
    return this.#read(accountId, { generation, signal }, (file) =>
      file.query(stabilityStatement(plan), signal),
    );
  }

  sourceGaps(accountId: string, planned: Planned<ComparedSourcesPlan>, signal: AbortSignal) {
    const { generation, plan } = planned;
    return this.#read(accountId, { generation, signal }, (file) =>
      readSourceGaps(file, plan, signal),
    );
  }

  sources(accountId: string, { generation, plan }: Planned<SourcesPlan>, signal: AbortSignal) {
    return this.#read(accountId, { generation, signal }, async (file) =>
      sourcesOf(await file.query(sourcesStatement(plan), signal)),
    );
  }

  places(accountId: string, { generation, plan }: Planned<PlacesPlan>, signal: AbortSignal) {
    return this.#read(accountId, { generation, signal }, async (file) => {
      const cites = await citedNumbers(file, plan.cites, signal);
      const counts = await file.query(dayCountsStatement(plan, cites), signal);
      const { total, days } = pageOf(plan, counts);
      const places = days && (await file.query(placesStatement(plan, { days, cites }), signal));
      return { total, places: places ?? [] };
    });
  }

  coverage(accountId: string, generation: string, signal: AbortSignal) {
    return this.#read(accountId, { generation, signal }, async (file) =>
      coverageOf(await file.query(coverageStatement, signal)),
    );
  }

  append(accountId: string, generation: string, rows: FactRows) {
    return this.#write(accountId, (facts) => facts.append(generation, rows));
  }

  extend(accountId: string, generation: string, snapshot: Snapshot) {
    return this.#write(accountId, (facts) => facts.extend(generation, snapshot));
  }

  begin(accountId: string, snapshot: Snapshot) {
    return this.#write(accountId, (facts) => facts.begin(snapshot));
  }

  finish(accountId: string, generation: string) {
    return this.#write(accountId, (facts) => facts.finish(generation));
  }

  repair(accountId: string) {
    return this.#using(accountId, (facts) => facts.repair());
  }

  /** The files go with the account's folder. */
  erase(accountId: string): Promise<void> {
    return this.release(accountId);
  }

  release(accountId: string): Promise<void> {
    return this.#using(accountId, (facts) => facts.close());
  }

  async close(): Promise<void> {
    for (const { facts } of [...this.#accounts.values()]) await facts.close();
  }

  #read<Result>(
    accountId: string,
    { generation, signal }: ReadFacts,
    work: (file: FactsFile) => Promise<Result>,
  ): Promise<Result> {
    return this.#using(accountId, (facts) =>
      retried(facts, () => facts.read(generation, work, signal)),
    );
  }

  #write<Result>(accountId: string, work: (facts: AccountFacts) => Promise<Result>) {
    return this.#using(accountId, async (facts) => {
      try {
        return await work(facts);
      } catch (error) {
        if (engineFault(error) === "disk-full") await facts.rest();
        throw error;
      }
    });
  }

  async #using<Result>(
    accountId: string,
    work: (facts: AccountFacts) => Promise<Result>,
  ): Promise<Result> {
    const used = this.#used(accountId);
    const { facts } = used;
    used.uses++;
    try {
      return await work(facts);
    } catch (error) {
      // Errors of the engine and the system are plain; those of classes say enough by themselves.
      const isPlain = error instanceof Error && error.constructor === Error;
      throw isPlain ? new FactsError(engineFault(error), error) : error;
    } finally {
      used.uses--;
      if (facts.isOpen) this.#noteUse(accountId);
      else if (used.uses === 0 && !facts.isBuilding) this.#accounts.delete(accountId);
    }
  }

  #used(accountId: string): UsedFacts {
    const found = this.#accounts.get(accountId);
    if (found !== undefined) return found;
    const used = { facts: new AccountFacts(this.#options.folder.account(accountId)), uses: 0 };
    this.#accounts.set(accountId, used);
    return used;
  }

  /** Closes the engine that was not used for longest, when too many are open. */
  #noteUse(accountId: string): void {
    const idlest = this.#open.use(accountId);
    if (idlest === null || !this.#accounts.has(idlest)) return;
    this.#using(idlest, (facts) => facts.rest()).catch((error: unknown) => {
      const { logger } = this.#options;
      logger.error({ accountId: idlest, error: String(error) }, "closing facts failed");
    });
  }
}

/**
 * A disk that ran full while facts were written makes the engine refuse everything until it is
 * opened again; what it had committed is there then.
 */
async function retried<Result>(facts: AccountFacts, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (engineFault(error) !== "disk-full") throw error;
    await facts.rest();
    return work();
  }
}
