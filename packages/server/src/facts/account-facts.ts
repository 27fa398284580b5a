import { renameSync, rmSync, statSync } from "node:fs";
import { noPlan, planSources, planTimeSeries, usedBy } from "../analytics/plan.ts";
import {
  checkPoints,
  type SourcesQuestion,
  type TimeSeriesQuestion,
} from "../analytics/question.ts";
import type { SeriesFacts } from "../analytics/series.ts";
import type { SourcesFacts } from "../analytics/source-page.ts";
import type { AccountFiles } from "../platform/data-folder.ts";
import { ServiceError } from "../platform/service-error.ts";
import { codesOf, type SnapshotCodes } from "./codes.ts";
import type { FactsCoverage } from "./coverage.ts";
import { checkFacts } from "./duckdb/check-facts.ts";
import type { CompactionLimits } from "./duckdb/compact.ts";
import { FactsFile, type FactsState } from "./duckdb/facts-file.ts";
import { coverageStatement, sourcesStatement, timeSeriesStatement } from "./duckdb/statements.ts";
import { isDamage } from "./engine-failure.ts";
import type { FactRows } from "./fact-rows.ts";
import { coverageOf, sourcesOf, sumsOf } from "./facts-of-rows.ts";
import { Gate } from "./gate.ts";
import { setAside } from "./set-aside.ts";
import type { Snapshot } from "./snapshot.ts";

/** A table is rewritten when it has doubled: the work stays a small multiple of the rows. */
const grown: CompactionLimits = { factor: 2, rowsMin: 20_000 };
/** Whatever there is. */
const always: CompactionLimits = { factor: 1, rowsMin: 0 };

/** The facts that answer now. */
interface Answering {
  readonly file: FactsFile;
  readonly codes: SnapshotCodes;
}

/** What answers one account's questions, and the same facts' only writer. */
export class AccountFacts {
  readonly #files: AccountFiles;
  readonly #gate = new Gate();
  #current: Answering | null = null;
  #next: FactsFile | null = null;
  #version = 0;

  constructor(files: AccountFiles) {
    this.#files = files;
  }

  /** What the facts that answer now say of themselves; null: there are none. */
  get state(): FactsState | null {
    return this.#current?.file.state ?? null;
  }

  /** Another number whenever a question may be answered otherwise; null: there are no facts. */
  get version(): number | null {
    return this.#current === null ? null : this.#version;
  }

  /**
   * Opens the facts that are on the disk; does nothing when there are none, or they are open.
   * @throws the engine's error, which need not mean damage.
   */
  async open(): Promise<void> {
    if (this.#current !== null) return;
    for (const file of [this.#files.nextFacts, `${this.#files.nextFacts}.wal`]) {
      rmSync(file, { force: true }); // a rebuild that did not end
    }
    if (this.#isThere()) this.#use(await FactsFile.open(this.#files.facts));
  }

  /**
   * Has the engine check the facts on the disk; questions wait meanwhile.
   * @returns what is damaged; null: nothing. @throws when something else prevents the check.
   */
  async damage(): Promise<string | null> {
    let fault: string | null = null;
    await this.#gate.alone(async () => {
      await this.#closeEngine();
      if (this.#isThere()) fault = (await checkFacts(this.#files.facts)).fault;
    });
    if (fault === null || isDamage(fault)) return fault;
    throw new Error(fault);
  }

  /** Moves damaged facts out of the way. @returns where they are, for those who examine them. */
  async setAside(): Promise<string> {
    let path = "";
    await this.#gate.alone(async () => {
      await this.#closeCurrent();
      path = setAside(this.#files.facts);
    });
    return path;
  }

  /** Begins facts anew beside those that answer. */
  async beginNext(snapshot: Snapshot): Promise<FactsFile> {
    await this.#next?.rest();
    this.#next = await FactsFile.create(this.#files.nextFacts, snapshot);
    return this.#next;
  }

  /** Puts the facts that were begun anew in the place of the old ones. */
  async finishNext(): Promise<void> {
    const next = this.#next;
    if (next === null) return;
    await next.compact(always);
    await next.rest(); // moves the log into the file, so that one rename is the whole change
    this.#next = null;
    await this.#gate.alone(async () => {
      await this.#closeCurrent();
      rmSync(`${this.#files.facts}.wal`, { force: true });
      renameSync(this.#files.nextFacts, this.#files.facts);
      this.#use(await FactsFile.open(this.#files.facts));
    });
  }

  /** Adds a batch to the facts that answer. */
  append(rows: FactRows): Promise<void> {
    return this.#gate.together(async () => {
      if (this.#current === null) return;
      const { file } = this.#current;
      await file.append(rows);
      this.#version++;
      await file.compact(grown);
    });
  }

  /** Goes on with a snapshot that only adds to the one in force. */
  extend(snapshot: Snapshot): Promise<void> {
    return this.#gate.together(async () => {
      if (this.#current === null) return;
      await this.#current.file.extend(snapshot);
      this.#current = { ...this.#current, codes: codesOf(snapshot) };
      this.#version++;
    });
  }

  /** Closes the engine until it is needed again; waits for the questions in progress. */
  rest(): Promise<void> {
    return this.#gate.alone(() => this.#closeEngine());
  }

  timeSeries(question: TimeSeriesQuestion, signal: AbortSignal): Promise<SeriesFacts> {
    return this.#gate.together(async () => {
      const { file, codes } = this.#answering();
      const { entities } = file.state.snapshot;
      checkPoints(question, entities.length);
      const plan = planTimeSeries(question, codes);
      if (plan === null) return { entities, sums: [], used: noPlan };
      const shape = { entities: entities.length + 1, buckets: question.buckets.startsMs.length };
      const rows = await file.query(timeSeriesStatement(plan), signal);
      return { entities, sums: sumsOf(rows, plan, shape), used: usedBy(plan) };
    });
  }

  sources(question: SourcesQuestion, signal: AbortSignal): Promise<SourcesFacts> {
    return this.#gate.together(async () => {
      const { file, codes } = this.#answering();
      const plan = planSources(question, codes);
      if (plan === null) return { total: 0, citations: 0, page: [], used: noPlan };
      const rows = await file.query(sourcesStatement(plan), signal);
      return { ...sourcesOf(rows), used: usedBy(plan) };
    });
  }

  coverage(signal: AbortSignal): Promise<FactsCoverage> {
    return this.#gate.together(async () =>
      coverageOf(await this.#answering().file.query(coverageStatement, signal)),
    );
  }

  /** Closes everything once the questions in progress are answered. */
  async close(): Promise<void> {
    await this.#gate.alone(async () => {
      await this.#closeCurrent();
      await this.#next?.rest();
      this.#next = null;
    });
  }

  #answering(): Answering {
    if (this.#current !== null) return this.#current;
    throw new ServiceError(
      "facts_not_ready",
      "The account's facts are being built from its recorded answers. Retry shortly.",
      { headers: { "Retry-After": "1" } },
    );
  }

  #use(file: FactsFile): void {
    this.#current = { file, codes: codesOf(file.state.snapshot) };
    this.#version++;
  }

  /** @throws the system's error, when it does not let us look. */
  #isThere(): boolean {
    return statSync(this.#files.facts, { throwIfNoEntry: false }) !== undefined;
  }

  async #closeEngine(): Promise<void> {
    await this.#current?.file.rest();
  }

  async #closeCurrent(): Promise<void> {
    await this.#closeEngine();
    this.#current = null;
  }
}
