import type { DataFolder } from "../../platform/data-folder.ts";
import type { Logger } from "../../platform/logger.ts";
import type { FactRows } from "../columns.ts";
import { type FactsEngine, FactsError } from "../engine.ts";
import type { SourceGapsPlan } from "../plan/gap-plans.ts";
import type { CitedSource } from "../plan/question.ts";
import type { Snapshot } from "../snapshot.ts";
import type { CitedNumbers } from "../statements/dialect.ts";
import {
  FactsQuestions,
  type FactsReader,
  type GapsPage,
  gapsOf,
} from "../statements/facts-questions.ts";
import { AccountFacts } from "./account-facts.ts";
import { duckdbDialect, gapsStatement, numbersStatement } from "./dialect.ts";
import { engineFault } from "./engine.ts";
import type { FactsFile } from "./facts-file.ts";

/** Accounts whose engines are open, so that the least recently used ones can be closed. */
class OpenEngines {
  readonly #max: number;
  /** The last used at the end. */
  readonly #accounts = new Set<string>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Notes a use. @returns the account whose engine should be closed now; null: none. */
  use(accountId: string): string | null {
    this.#accounts.delete(accountId);
    this.#accounts.add(accountId);
    const [idlest] = this.#accounts;
    if (idlest === undefined || this.#accounts.size <= this.#max) return null;
    this.#accounts.delete(idlest);
    return idlest;
  }
}

/** What the facts are kept with. */
interface DuckdbFactsOptions {
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

/** Facts in DuckDB, a file per account. */
export class DuckdbFacts extends FactsQuestions implements FactsEngine {
  readonly #options: DuckdbFactsOptions;
  /** Those that are open, built or in use now. */
  readonly #accounts = new Map<string, UsedFacts>();
  readonly #open: OpenEngines;

  constructor(options: DuckdbFactsOptions) {
    super();
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

  protected override read<Result>(
    accountId: string,
    { generation, signal }: { readonly generation: string; readonly signal: AbortSignal },
    work: (reader: FactsReader) => Promise<Result>,
  ): Promise<Result> {
    const reading = (file: FactsFile) => work(readerOf(file, signal));
    return this.#using(accountId, (facts) =>
      retried(facts, () => facts.read(generation, reading, signal)),
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

/** Reads a file's facts until the signal aborts. */
function readerOf(file: FactsFile, signal: AbortSignal): FactsReader {
  const query: FactsReader["query"] = (statement) => file.query(statement, signal);
  return {
    dialect: duckdbDialect,
    query,
    columns: (statement) => file.columns(statement, signal),
    citedNumbers: (source) => citedNumbers(query, source),
    gapsPage: (plan) => gapsPage(query, plan),
  };
}

/** No name of the facts has it. */
const unknown = -1;

/**
 * The numbers of a source. They are looked up first: with a look-up inside a condition the engine
 * joins instead of filtering, which takes half as long again.
 */
async function citedNumbers(
  query: FactsReader["query"],
  source: CitedSource,
): Promise<CitedNumbers> {
  const [found] = await query(numbersStatement(source));
  const number = (name: string | null, value: number | null | undefined) =>
    name === null ? null : ({ type: "Int32", value: value ?? unknown } as const);
  return { domain: number(source.domain, found?.domain), url: number(source.url, found?.url) };
}

async function gapsPage(query: FactsReader["query"], plan: SourceGapsPlan): Promise<GapsPage> {
  const listed = plan.listed && (await citedNumbers(query, plan.listed));
  const rows = await query(gapsStatement(plan, listed, duckdbDialect));
  // Only the row of an empty page has no number.
  const numbers = rows.flatMap(({ number }) => (number === null ? [] : [number]));
  return { ...gapsOf(rows), numbers: { type: "Array(Int32)", value: numbers } };
}
