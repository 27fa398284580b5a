import type { Provider, Vendor } from "@sightline/contract";
import type { Surface } from "../answers/answer.ts";
import type { Usage } from "./adapter.ts";
import type { ListedPrice, PriceList } from "./price-list.ts";
import { defaultModels } from "./vendors/default-models.ts";

/** What a cost depends on in addition to the usage. */
export interface PricedQuestion extends PricedVendor {
  /** As the reply or the question names it; null: the adapter's choice. */
  readonly model: string | null;
  /** Milliseconds since 1970, UTC: of its day are the prices. */
  readonly at: number;
}

/** What something cost. */
export interface Cost {
  /** Millionths of a dollar, whole. */
  readonly amountMicros: number;
  /** False: the vendor said so; true: it follows from the price list. */
  readonly estimated: boolean;
  /** Whether the price is that of another model, since the list has none of this one. */
  readonly isAssumed: boolean;
}

/** A job as it is estimated. */
interface EstimatedJob extends PricedQuestion {
  readonly surface: Surface;
}

/** What jobs of a provider on a surface are expected to use and cost. */
export interface Estimate {
  readonly provider: Provider;
  readonly surface: Surface;
  readonly vendor: Vendor;
  readonly jobs: number;
  /** Paid requests. */
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly searches: number;
  /** Millionths of a dollar. */
  readonly micros: number;
  /** Whether a price was not found in a copy of the vendor's own page. */
  readonly isUnverified: boolean;
  /** Models without a price of their own: they are priced as the vendor's dearest. */
  readonly unlistedModels: readonly string[];
}

/** What answers of earlier sweeps cost on the average. */
interface MeanCost {
  /** Millionths of a dollar. */
  readonly micros: number;
  /** Of how many answers. */
  readonly answers: number;
}

/** Means of earlier sweeps; null: there is none of this. */
export type Means = (job: EstimatedJob) => MeanCost | null;

/** So many answers tell the cost of the next ones; fewer are weighed with the list. */
const answersOfMean = 30;

/** A price, and whether it is of the model that was asked for. */
interface FoundPrice extends ListedPrice {
  readonly isOfAnother: boolean;
}

/** Dated names of a model are of the model: its price is theirs. */
const dated = /^-(?:\d{4}-?\d{2}-?\d{2}|\d{2}-\d{4}|latest|preview)$/;

/** What vendors ask for. Data that can be sent to a thread: `new Prices(prices.list)`. */
export class Prices {
  readonly list: PriceList;

  constructor(list: PriceList) {
    this.list = list;
  }

  /** What a usage cost: what the vendor says, else by the list, rounded up. */
  costOf(usage: Usage, asked: PricedQuestion): Cost {
    if (usage.cost !== null) {
      const amountMicros = Math.round(usage.cost.amount * 1_000_000);
      return { amountMicros, estimated: false, isAssumed: false };
    }
    const amountMicros = Math.ceil(this.#microsOf(usage, asked));
    return { amountMicros, estimated: true, isAssumed: this.priceOf(asked).isOfAnother };
  }

  /**
   * The most that a paid request costs, in millionths of a dollar.
   * @param before of one that continues a question: what its replies used; omitted: the first.
   */
  reserveMicrosOf(asked: PricedQuestion, before?: UsedBefore): number {
    const { inputTokens, outputTokens, searches } = largestUsage(asked, before);
    const read = { outputTokens, searches, cachedInputTokens: 0 };
    // A vendor writes to its cache without being told to, and some charge more for it.
    const written = [0, inputTokens].map((cacheWriteTokens) =>
      this.#microsOf({ ...read, inputTokens, cacheWriteTokens }, asked),
    );
    return Math.ceil(Math.max(...written));
  }

  /** What a question is expected to cost, in millionths of a dollar. */
  expectedMicrosOf(asked: PricedQuestion): number {
    return Math.ceil(this.#microsOf(expectedUsage(asked), asked));
  }

  /** What jobs are expected to cost, by provider, surface and vendor, in their order. */
  estimate(jobs: Iterable<EstimatedJob>, means: Means = () => null): readonly Estimate[] {
    const kinds = new Map<string, { readonly job: EstimatedJob; jobs: number }>();
    for (const job of jobs) {
      const { provider, surface, vendor, model } = job;
      const key = JSON.stringify([provider, surface, vendor, model]);
      const kind = kinds.get(key) ?? { job, jobs: 0 };
      kind.jobs++;
      kinds.set(key, kind);
    }
    const estimates = new Map<string, Estimate>();
    for (const { job, jobs: count } of kinds.values()) {
      const estimate = this.#estimateOf(job, count, means(job));
      const key = JSON.stringify([job.provider, job.surface, job.vendor]);
      const earlier = estimates.get(key);
      estimates.set(key, earlier === undefined ? estimate : sumOf(earlier, estimate));
    }
    return [...estimates.values()];
  }

  #estimateOf(job: EstimatedJob, jobs: number, mean: MeanCost | null): Estimate {
    const { provider, surface, vendor } = job;
    const usage = expectedUsage(job);
    const listed = this.#microsOf(usage, job);
    const share = Math.min(1, (mean?.answers ?? 0) / answersOfMean);
    const micros = rounded(share * (mean?.micros ?? 0) + (1 - share) * listed);
    const { verified, isOfAnother } = this.priceOf(job);
    const isLearned = share === 1 && vendorsTellingCost.has(vendor);
    return {
      provider,
      surface,
      vendor,
      jobs,
      calls: Math.round(jobs * usage.calls),
      inputTokens: Math.round(jobs * usage.inputTokens),
      outputTokens: Math.round(jobs * usage.outputTokens),
      searches: Math.round(jobs * usage.searches),
      micros: Math.ceil(rounded(jobs * micros)),
      isUnverified: !verified && !isLearned,
      unlistedModels: isOfAnother && job.model !== null ? [job.model] : [],
    };
  }

  #microsOf(used: PricedUsage, asked: PricedQuestion): number {
    const { long, oneSearch, search, nextSearch, ...price } = this.priceOf(asked);
    const { cachedInputTokens: read = 0, cacheWriteTokens: write = 0 } = used;
    const { input, output } = long !== null && used.inputTokens > long.aboveTokens ? long : price;
    // A long input raises the prices of caches in the same proportion.
    const rise = price.input === 0 ? 1 : input / price.input;
    const searches = oneSearch ? Math.min(1, used.searches) : used.searches;
    const first = Math.min(1, searches);
    // A dollar per million tokens is a millionth of a dollar per token.
    const tokens =
      Math.max(0, used.inputTokens - read - write) * input +
      read * (price.cacheRead ?? price.input) * rise +
      write * (price.cacheWrite ?? price.input) * rise +
      used.outputTokens * output;
    const ofSearches = first * search + (searches - first) * (nextSearch ?? search);
    return rounded(tokens + ofSearches * 1_000_000);
  }

  /**
   * The price of a model on a day: its own, that of the model it is a dated name of, or of the
   * vendor's others; else the dearest of the vendor, unverified, so that no spending is taken for
   * less than it is.
   */
  priceOf({ vendor, provider, model, at }: PricedQuestion): FoundPrice {
    const day = new Date(at).toISOString().slice(0, 10);
    const known = this.list.prices.filter((price) => {
      const isHere = price.provider === null || price.provider === provider;
      return price.vendor === vendor && isHere && (price.from ?? "") <= day;
    });
    const prices = known.filter((price) => known.every((each) => !isReplacedBy(price, each)));
    const chosen = model ?? (defaultModels as Readonly<Partial<Record<Vendor, string>>>)[vendor];
    const named = prices.filter((price) => chosen !== undefined && isOf(chosen, price.model));
    const own = named.reduce<ListedPrice | undefined>(longerNamed, undefined);
    const found = own ?? prices.find((price) => price.model === "*");
    if (found !== undefined) return { ...found, isOfAnother: false };
    const other = dearest(prices);
    if (other === undefined) throw new Error(`The price list has no price of ${vendor}.`);
    const source = `unverified: price of another model (${other.model})`;
    return { ...other, source, verified: false, isOfAnother: true };
  }
}

/** Usage as far as it is billed. */
type PricedUsage = Pick<Usage, "inputTokens" | "outputTokens" | "searches"> &
  Partial<Pick<Usage, "cachedInputTokens" | "cacheWriteTokens">>;

function isReplacedBy(price: ListedPrice, other: ListedPrice): boolean {
  const isSame = price.model === other.model && price.provider === other.provider;
  return isSame && (other.from ?? "") > (price.from ?? "");
}

function isOf(model: string, name: string): boolean {
  return model === name || (model.startsWith(name) && dated.test(model.slice(name.length)));
}

function longerNamed(one: ListedPrice | undefined, other: ListedPrice): ListedPrice {
  return one !== undefined && one.model.length >= other.model.length ? one : other;
}

function dearest(prices: readonly ListedPrice[]): ListedPrice | undefined {
  const weight = ({ input, output, search }: ListedPrice) => input + output + search;
  return prices.toSorted((one, other) => weight(other) - weight(one))[0];
}

/** Without what binary fractions add: 0.1 times 3 is 0.3. */
function rounded(micros: number): number {
  return Math.round(micros * 1_000) / 1_000;
}

function sumOf(one: Estimate, other: Estimate): Estimate {
  return {
    ...one,
    jobs: one.jobs + other.jobs,
    calls: one.calls + other.calls,
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    searches: one.searches + other.searches,
    micros: one.micros + other.micros,
    isUnverified: one.isUnverified || other.isUnverified,
    unlistedModels: [...new Set([...one.unlistedModels, ...other.unlistedModels])],
  };
}

/** What a question uses. */
interface QuestionUsage {
  /** Paid requests. */
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In the vendor's own unit: searches, requests of pages, or credits of Cloro. */
  readonly searches: number;
}

/** The vendor that is asked, and for what, as far as usage depends on it. */
interface PricedVendor {
  readonly vendor: Vendor;
  readonly provider: Provider;
}

/** Tokens of the replies before a request that continues a question. */
type UsedBefore = Pick<QuestionUsage, "inputTokens" | "outputTokens">;

type ByVendor = Readonly<Record<Vendor, QuestionUsage>>;

/**
 * What a question uses on the average, roundly, until sweeps tell: the medians of recorded replies
 * with a search. 37 % of overviews need a second request, or a surcharge.
 */
const means: ByVendor = {
  openai: { calls: 1, inputTokens: 10_000, outputTokens: 900, searches: 2 },
  anthropic: { calls: 1, inputTokens: 11_000, outputTokens: 700, searches: 2 },
  gemini: { calls: 1, inputTokens: 150, outputTokens: 600, searches: 2 },
  perplexity: { calls: 1, inputTokens: 4_000, outputTokens: 500, searches: 1 },
  xai: { calls: 1, inputTokens: 6_000, outputTokens: 800, searches: 2 },
  dataforseo: { calls: 1, inputTokens: 0, outputTokens: 0, searches: 1 },
  serpapi: { calls: 1, inputTokens: 0, outputTokens: 0, searches: 1 },
  cloro: { calls: 1, inputTokens: 0, outputTokens: 0, searches: 5 },
};

/**
 * The most that a request uses, so that a cap holds while it is asked: the longest output that is
 * asked for, the searches that it allows, and more input than any recorded reply.
 */
const bounds: ByVendor = {
  openai: { calls: 1, inputTokens: 150_000, outputTokens: 8_000, searches: 10 },
  anthropic: { calls: 1, inputTokens: 150_000, outputTokens: 8_000, searches: 5 },
  gemini: { calls: 1, inputTokens: 50_000, outputTokens: 16_000, searches: 10 },
  perplexity: { calls: 1, inputTokens: 60_000, outputTokens: 8_000, searches: 5 },
  xai: { calls: 1, inputTokens: 150_000, outputTokens: 16_000, searches: 10 },
  dataforseo: { calls: 1, inputTokens: 0, outputTokens: 0, searches: 1 },
  serpapi: { calls: 1, inputTokens: 0, outputTokens: 0, searches: 1 },
  cloro: { calls: 1, inputTokens: 0, outputTokens: 0, searches: 7 },
};

/** Those whose replies say what they cost. */
export const vendorsTellingCost: ReadonlySet<Vendor> = new Set(["perplexity", "xai", "dataforseo"]);

/** Credits of a task, by the page (https://cloro.dev/pricing, 2026-10-07). */
const cloroCredits: Partial<Readonly<Record<Provider, number>>> = {
  OPENAI: 5,
  COPILOT: 5,
  PERPLEXITY: 4,
  GEMINI: 4,
  GROK: 4,
};

/** What a question uses on the average, unless sweeps tell otherwise. */
function expectedUsage({ vendor, provider }: PricedVendor): QuestionUsage {
  const mean = means[vendor];
  if (vendor === "cloro") return { ...mean, searches: cloroCredits[provider] ?? mean.searches };
  if (provider !== "GOOGLE_AI_OVERVIEW") return mean;
  return { ...mean, searches: 1.37, calls: vendor === "serpapi" ? 1.37 : 1 };
}

/**
 * The most that a paid request of a question uses.
 * @param before what the replies so far used: one that continues them may be sent all of it again.
 */
export function largestUsage(
  { vendor, provider }: PricedVendor,
  before: UsedBefore = { inputTokens: 0, outputTokens: 0 },
): QuestionUsage {
  const bound = bounds[vendor];
  const inputTokens = bound.inputTokens + before.inputTokens + before.outputTokens;
  // An overview that loads late is a surcharge of the same request at DataForSEO.
  const isLoadedLate = provider === "GOOGLE_AI_OVERVIEW" && vendor === "dataforseo";
  return { ...bound, inputTokens, searches: isLoadedLate ? 2 : bound.searches };
}
