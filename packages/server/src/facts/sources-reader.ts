import { byCodePoint } from "../analytics/by-code-point.ts";
import { type CitationStatistics, chooseCounting } from "../analytics/counting.ts";
import { indexCounts } from "../analytics/index-citations.ts";
import {
  answersExpected,
  type PromptTraits,
  selectPrompts,
  wantedPrompts,
} from "../analytics/index-selection.ts";
import { instantsOf } from "../analytics/instants.ts";
import type { PlanUsed, SourcesPlan } from "../analytics/plan.ts";
import type { CitationSegment } from "../analytics/prompt-index.ts";
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
import { answersMax, manyAnswers, notHeld, type PromptIndex } from "./held-index.ts";
import { SourceNames } from "./source-names.ts";
import { betweenTurns } from "./turns.ts";

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
  readonly #index: PromptIndex<CitationSegment>;
  readonly #choices: SourcesReaderChoices;
  readonly #names = new SourceNames();
  #statistics: (CitationStatistics & { readonly watermark: number }) | null = null;

  constructor(file: FactsFile, index: PromptIndex<CitationSegment>, choices = ownChoices) {
    this.#file = file;
    this.#index = index;
    this.#choices = choices;
  }

  /** The page of a plan. A signal that aborts interrupts it; see Engine.query. */
  async read(plan: SourcesPlan, traits: PromptTraits, signal: AbortSignal): Promise<SourcesFacts> {
    const { used, ...page } = await this.#candidates(plan, traits, signal);
    const { total, citations, candidates, skip } = page;
    if (candidates.length > this.#choices.candidatesMax) {
      return { ...readSources(await this.#file.query(sourcesStatement(plan), signal)), used };
    }
    const named = await this.#named(plan, page, signal);
    return { total, citations, page: named.slice(skip, skip + plan.limit), used };
  }

  async #candidates(
    plan: SourcesPlan,
    traits: PromptTraits,
    signal: AbortSignal,
  ): Promise<UsedCandidates> {
    const index = this.#index.current();
    const instants = instantsOf(plan.rows.parts);
    const prompts = wantedPrompts(plan.rows.conditions, traits);
    const selected = selectPrompts(index?.segments ?? [], prompts, instants);
    const answers = Math.ceil(selected.reduce((sum, each) => sum + answersExpected(each), 0));
    if (index !== null && answers <= answersMax) {
      const counts = await indexCounts(selected, plan, betweenTurns(signal));
      const used: PlanUsed = { name: "prompt_index", refused: [], answers };
      return { ...pageCandidates(counts, plan), used };
    }
    const counting = this.#choices.counting(plan, await this.#known(signal));
    const chunks = await this.#file.query(sourceCountsStatement(plan, counting), signal);
    const numbers = readIntegers(chunks, 0);
    const counts =
      counting === "rows" ? countNumbers(numbers) : { numbers, counts: readIntegers(chunks, 1) };
    const refused = [index === null ? notHeld : manyAnswers];
    return { ...pageCandidates(counts, plan), used: { name: "citations", refused } };
  }

  /** The candidates in the order of pages. */
  async #named({ groupBy }: SourcesPlan, page: PageCandidates, signal: AbortSignal) {
    const { candidates, near } = page;
    const numbers = candidates.map(({ number }) => number);
    const query = (statement: Statement) => this.#file.query(statement, signal);
    const names = await this.#names.of({ groupBy, numbers, near }, query);
    return candidates
      .map(({ number, citations }) => ({ source: nameOf(names, number), citations }))
      .sort(
        (one, other) => other.citations - one.citations || byCodePoint(one.source, other.source),
      );
  }

  async #known(signal: AbortSignal): Promise<CitationStatistics> {
    const { mark, snapshot } = this.#file.state;
    const watermark = mark.sequence;
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

interface UsedCandidates extends PageCandidates {
  readonly used: PlanUsed;
}

function nameOf(names: ReadonlyMap<number, string>, number: number): string {
  const name = names.get(number);
  if (name === undefined) throw new Error(`facts: source ${number} has no name`);
  return name;
}
