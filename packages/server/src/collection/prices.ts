import type { Provider, Vendor } from "@sightline/contract";
import type { Surface } from "../answers/answer.ts";
import type { Usage } from "./adapter.ts";
import type { ListedPrice, PriceList } from "./price-list.ts";
import { defaultModels } from "./vendors/default-models.ts";

/** The question that a price is for. */
export interface PricedQuestion extends PricedVendor {
  /** As the reply or the question names it; null: the adapter's default. */
  readonly model: string | null;
  /** Milliseconds since 1970: the prices of this UTC day apply. */
  readonly at: number;
}

/** A cost. */
export interface Cost {
  /** Millionths of a dollar, a whole number. */
  readonly amountMicros: number;
  /** False: reported by the vendor; true: computed from the price list. */
  readonly estimated: boolean;
  /** Whether the price is another model's, because the list lacks this one. */
  readonly isAssumed: boolean;
}

/** A job to estimate. */
interface EstimatedJob extends PricedQuestion {
  readonly surface: Surface;
}

/** The expected usage and cost of the jobs of a provider on a surface. */
export interface Estimate {
  readonly provider: Provider;
  readonly surface: Surface;
  readonly vendor: Vendor;
  readonly jobs: number;
  /** The number of paid requests. */
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly searches: number;
  /** Millionths of a dollar. */
  readonly micros: number;
  /** Whether a price was not found on the vendor's own page. */
  readonly isUnverified: boolean;
  /** Models without a price of their own, which are priced as the vendor's dearest. */
  readonly unlistedModels: readonly string[];
}

/** The mean cost of answers in earlier sweeps. */
interface MeanCost {
  /** Millionths of a dollar. */
  readonly micros: number;
  /** The number of answers. */
  readonly answers: number;
}

/** The mean cost of a job in earlier sweeps; null: unknown. */
export type Means = (job: EstimatedJob) => MeanCost | null;

/** From this many answers on, their mean replaces the list's price; fewer are weighted with it. */
const answersOfMean = 30;

/** A price, and whether it is another model's. */
interface FoundPrice extends ListedPrice {
  readonly isOfAnother: boolean;
}

/** Suffixes of a model's dated names, which have the model's price. */
const dated = /^-(?:\d{4}-?\d{2}-?\d{2}|\d{2}-\d{4}|latest|preview)$/;

/** Computes costs from a price list. To send it to a thread: `new Prices(prices.list)`. */
export class Prices {
  readonly list: PriceList;

  constructor(list: PriceList) {
    this.list = list;
  }

  /** The cost of a usage: as the vendor reports it, else by the list, rounded up. */
  costOf(usage: Usage, asked: PricedQuestion): Cost {
    if (usage.cost !== null) {
      const amountMicros = Math.round(usage.cost.amount * 1_000_000);
      return { amountMicros, estimated: false, isAssumed: false };
    }
    const amountMicros = Math.ceil(this.#microsOf(usage, asked));
    return { amountMicros, estimated: true, isAssumed: this.priceOf(asked).isOfAnother };
  }

  /**
   * The highest cost of a paid request, in millionths of a dollar.
   * @param before for a request that continues a question: the usage of its replies; omitted: the
   * first.
   */
  reserveMicrosOf(asked: PricedQuestion, before?: UsedBefore): number {
    const { inputTokens, outputTokens, searches } = largestUsage(asked, before);
    const read = { outputTokens, searches, cachedInputTokens: 0 };
    // Vendors write to their cache by themselves, and some charge more for it.
    const written = [0, inputTokens].map((cacheWriteTokens) =>
      this.#microsOf({ ...read, inputTokens, cacheWriteTokens }, asked),
    );
    return Math.ceil(Math.max(...written));
  }

  /** The expected cost of a question, in millionths of a dollar. */
  expectedMicrosOf(asked: PricedQuestion): number {
    return Math.ceil(this.#microsOf(expectedUsage(asked), asked));
  }

  /** The expected cost of jobs by provider, surface and vendor, in the order of the jobs. */
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
    const isLearned = share === 1 && vendorsReportingCost.has(vendor);
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
    // A long input raises the cache's prices in the same proportion.
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
   * The price of a model on a day: its own, that of the model whose dated name it is, or the
   * vendor's general one; else the vendor's dearest, unverified, so that spending is never
   * underestimated.
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

/** The billed part of a usage. */
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

/** Removes the error of binary fractions: 0.1 times 3 is 0.3. */
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

/** The usage of a question. */
interface QuestionUsage {
  /** The number of paid requests. */
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In the vendor's unit: searches, requests of pages, or credits of Cloro. */
  readonly searches: number;
}

/** The vendor and the provider, on which usage depends. */
interface PricedVendor {
  readonly vendor: Vendor;
  readonly provider: Provider;
}

/** The tokens of the replies before a request that continues a question. */
type UsedBefore = Pick<QuestionUsage, "inputTokens" | "outputTokens">;

type ByVendor = Readonly<Record<Vendor, QuestionUsage>>;

/**
 * The mean usage of a question, rounded: medians of recorded replies with a search, used until
 * sweeps provide a mean. 37 % of overviews need a second request or a surcharge.
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
  // Of which a job knows better: by the length of its answer.
  reader: { calls: 1, inputTokens: 2_000, outputTokens: 500, searches: 0 },
};

/**
 * The highest usage of a request, so that caps hold while it runs: the longest allowed output, the
 * allowed searches, and more input than any recorded reply.
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
  reader: { calls: 1, inputTokens: 150_000, outputTokens: 32_000, searches: 0 },
};

/** Vendors whose replies report their cost. */
export const vendorsReportingCost: ReadonlySet<Vendor> = new Set([
  "perplexity",
  "xai",
  "dataforseo",
]);

/** Credits per task, by page (https://cloro.dev/pricing, 2026-10-07). */
const cloroCredits: Partial<Readonly<Record<Provider, number>>> = {
  OPENAI: 5,
  COPILOT: 5,
  PERPLEXITY: 4,
  GEMINI: 4,
  GROK: 4,
};

/** The mean usage of a question. */
function expectedUsage({ vendor, provider }: PricedVendor): QuestionUsage {
  const mean = means[vendor];
  if (vendor === "cloro") return { ...mean, searches: cloroCredits[provider] ?? mean.searches };
  if (provider !== "GOOGLE_AI_OVERVIEW") return mean;
  return { ...mean, searches: 1.37, calls: vendor === "serpapi" ? 1.37 : 1 };
}

/**
 * The highest usage of a paid request of a question.
 * @param before the usage of the replies so far: a request that continues them may send all of it
 * again.
 */
export function largestUsage(
  { vendor, provider }: PricedVendor,
  before: UsedBefore = { inputTokens: 0, outputTokens: 0 },
): QuestionUsage {
  const bound = bounds[vendor];
  const inputTokens = bound.inputTokens + before.inputTokens + before.outputTokens;
  // At DataForSEO, a late overview is a surcharge on the same request.
  const isLoadedLate = provider === "GOOGLE_AI_OVERVIEW" && vendor === "dataforseo";
  return { ...bound, inputTokens, searches: isLoadedLate ? 2 : bound.searches };
}
