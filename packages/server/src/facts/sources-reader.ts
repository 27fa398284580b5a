import { byCodePoint } from "../analytics/by-code-point.ts";
import { type CitationStatistics, chooseCounting } from "../analytics/counting.ts";
import type { SourcesPlan } from "../analytics/plan.ts";
import { countNumbers, type PageCandidates, pageCandidates } from "../analytics/ranked-counts.ts";
import type { SourcesFacts } from "../analytics/source-page.ts";
import type { FactsFile } from "./duckdb/facts-file.ts";
import { readCitationStatistics, readIntegers, readSources } from "./duckdb/read-results.ts";
import {
  citationStatisticsStatement,
  type Statement,
  sourceCountsStatement,
  sourcesStatement,
} from "./duckdb/statements.ts";
import { SourceNames } from "./source-names.ts";

/** How a reader chooses its ways; they give the same pages. */
export interface SourcesReaderChoices {
  readonly counting: typeof chooseCounting;
  /** Sources that tie over a page may be many: beyond so many, the engine orders them by name. */
  readonly candidatesMax: number;
}

const ownChoices: SourcesReaderChoices = { counting: chooseCounting, candidatesMax: 2_000 };
/** The statistics are read again when the record has grown by a tenth. */
const growth = 1.1;

/** Pages of sources from one account's facts. */
export class SourcesReader {
  readonly #file: FactsFile;
  readonly #choices: SourcesReaderChoices;
  readonly #names = new SourceNames();
  #statistics: (CitationStatistics & { readonly watermark: number }) | null = null;

  constructor(file: FactsFile, choices = ownChoices) {
    this.#file = file;
    this.#choices = choices;
  }

  /** The page of a plan. A signal that aborts interrupts it; see Engine.query. */
  async read(plan: SourcesPlan, signal: AbortSignal): Promise<Omit<SourcesFacts, "used">> {
    const page = await this.#candidates(plan, signal);
    const { total, citations, candidates, skip } = page;
    if (candidates.length > this.#choices.candidatesMax) {
      return readSources(await this.#file.query(sourcesStatement(plan), signal));
    }
    const named = await this.#named(plan, page, signal);
    return { total, citations, page: named.slice(skip, skip + plan.limit) };
  }

  async #candidates(plan: SourcesPlan, signal: AbortSignal): Promise<PageCandidates> {
    const counting = this.#choices.counting(plan, await this.#known(signal));
    const chunks = await this.#file.query(sourceCountsStatement(plan, counting), signal);
    const numbers = readIntegers(chunks, 0);
    const counts =
      counting === "rows" ? countNumbers(numbers) : { numbers, counts: readIntegers(chunks, 1) };
    return pageCandidates(counts, plan);
  }

  /** The candidates in the order of pages. */
  async #named({ groupBy }: SourcesPlan, { candidates }: PageCandidates, signal: AbortSignal) {
    const numbers = candidates.map(({ number }) => number);
    const query = (statement: Statement) => this.#file.query(statement, signal);
    const names = await this.#names.of(groupBy, numbers, query);
    return candidates
      .map(({ number, citations }) => ({ source: nameOf(names, number), citations }))
      .sort(
        (one, other) => other.citations - one.citations || byCodePoint(one.source, other.source),
      );
  }

  async #known(signal: AbortSignal): Promise<CitationStatistics> {
    const { watermark, snapshot } = this.#file.state;
    const known = this.#statistics;
    if (known !== null && watermark <= known.watermark * growth) return known;
    const chunks = await this.#file.query(citationStatisticsStatement, signal);
    const { byDay, sources, values } = readCitationStatistics(chunks);
    const counted = {
      topic: snapshot.topics.length,
      prompt: snapshot.prompts.length,
      branded: 2,
    };
    this.#statistics = { watermark, byDay, sources, values: { ...values, ...counted } };
    return this.#statistics;
  }
}

function nameOf(names: ReadonlyMap<number, string>, number: number): string {
  const name = names.get(number);
  if (name === undefined) throw new Error(`facts: source ${number} has no name`);
  return name;
}
