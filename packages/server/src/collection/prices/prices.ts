import type { Provider, Vendor } from "@sightline/contract";
import type { Surface } from "../../answers/answer.ts";
import type { Usage } from "../adapter.ts";
import { defaultModels } from "../providers/default-models.ts";
import {
  type AskedVendorOf,
  expectedUsage,
  largestUsage,
  type QuestionUsage,
} from "./expected-usage.ts";
import type { ListedPrice, PriceList } from "./price-list.ts";

/** What a cost depends on in addition to the usage. */
export interface PricedQuestion extends AskedVendorOf {
  /** As the reply or the question names it; null: the adapter's choice. */
  readonly model: string | null;
}

/** What something cost. */
export interface Cost {
  /** Millionths of a dollar, whole. */
  readonly amountMicros: number;
  /** False: the vendor said so; true: it follows from the price list. */
  readonly estimated: boolean;
}

/** A job as it is estimated. */
export interface EstimatedJob extends PricedQuestion {
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
}

/** What earlier sweeps used and cost on the average. */
export interface MeanUsage extends QuestionUsage {
  /** Millionths of a dollar; null: it follows from the price list. */
  readonly micros: number | null;
}

/** Means of earlier sweeps; null: there is none of this. */
export type Means = (job: EstimatedJob) => MeanUsage | null;

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
      return { amountMicros: Math.round(usage.cost.amount * 1_000_000), estimated: false };
    }
    return { amountMicros: Math.ceil(this.#microsOf(usage, asked)), estimated: true };
  }

  /** The most that a question costs, in millionths of a dollar. */
  reserveMicrosOf(asked: PricedQuestion): number {
    return Math.ceil(this.#microsOf(largestUsage(asked), asked));
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

  #estimateOf(job: EstimatedJob, jobs: number, mean: MeanUsage | null): Estimate {
    const { provider, surface, vendor } = job;
    const usage = mean ?? { ...expectedUsage(job), micros: null };
    const micros = usage.micros ?? this.#microsOf(usage, job);
    return {
      ...{ provider, surface, vendor, jobs },
      calls: Math.round(jobs * usage.calls),
      inputTokens: Math.round(jobs * usage.inputTokens),
      outputTokens: Math.round(jobs * usage.outputTokens),
      searches: Math.round(jobs * usage.searches),
      micros: Math.ceil(jobs * micros),
      isUnverified: usage.micros === null && !this.priceOf(job).verified,
    };
  }

  #microsOf(used: Omit<QuestionUsage, "calls">, asked: PricedQuestion): number {
    const { long, oneSearch, ...price } = this.priceOf(asked);
    const { input, output } = long !== null && used.inputTokens > long.aboveTokens ? long : price;
    const searches = oneSearch ? Math.min(1, used.searches) : used.searches;
    // A dollar per million tokens is a millionth of a dollar per token.
    const tokens = used.inputTokens * input + used.outputTokens * output;
    return rounded(tokens + searches * price.search * 1_000_000);
  }

  /**
   * The price of a model: its own, that of the model it is a dated name of, or of the vendor's
   * others; else the dearest of the vendor, so that no spending is taken for less than it is.
   */
  priceOf({ vendor, provider, model }: PricedQuestion): ListedPrice {
    const prices = this.list.prices.filter((price) => {
      return price.vendor === vendor && (price.provider === null || price.provider === provider);
    });
    const chosen = model ?? (defaultModels as Readonly<Partial<Record<Vendor, string>>>)[vendor];
    const named = prices.filter((price) => chosen !== undefined && isOf(chosen, price.model));
    const own = named.reduce<ListedPrice | undefined>(longerNamed, undefined);
    const found = own ?? prices.find((price) => price.model === "*") ?? dearest(prices);
    if (found === undefined) throw new Error(`The price list has no price of ${vendor}.`);
    return found;
  }
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
  };
}
