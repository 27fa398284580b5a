import { vendors } from "@sightline/contract";
import { z } from "zod";
import type { Draws } from "./answers.ts";

const rate = z.number().min(0).max(1);

/** How often what happens to a paid request, each a share from 0 to 1 of them. */
const rates = {
  /** 429 with Retry-After. */
  limited: rate,
  /** 500. */
  serverError: rate,
  /** 529 of Anthropic; 503 of the others. */
  overloaded: rate,
  /** 404: the model is retired; of vendors of models. */
  retiredModel: rate,
  /** The quota of a day is used up: Google's beside a wait of seconds, OpenAI's in the message. */
  dailyQuota: rate,
  /** 400: web search is not enabled; of Anthropic. */
  searchDisabled: rate,
  /** The connection is reset, and nothing is billed. */
  resetBefore: rate,
  /** The connection is reset after the request was billed. */
  resetAfter: rate,
  /** Half of the body, then a reset; billed. */
  cutBody: rate,
  /** 200 with invalid JSON; billed. */
  malformed: rate,
  /** Half of the input comes from the vendor's cache, which is billed less, and some goes to it. */
  cached: rate,
  /** 200 without what the request used; billed. */
  noUsage: rate,
  /** The list of what is cited has another name; billed. */
  renamedList: rate,
  /**
   * Google's `groundingMetadata` has another name, which reads as an answer that did not search;
   * billed.
   */
  renamedGrounding: rate,
  /** A refusal; of Perplexity and the page vendors there is none. */
  refused: rate,
  /** The answer is cut off by its limit, or the page could not be captured. */
  incomplete: rate,
  /** A page without an overview. */
  absent: rate,
  /** An overview that the page loads later. 37 % of real ones do. */
  secondRequest: rate,
  /** Anthropic's `pause_turn`. */
  pauseTurn: rate,
  /** Anthropic's error of a search inside a 200. */
  searchError: rate,
  /** A model that reads changes its quotes, as by completing a sentence; billed. */
  wrongQuote: rate,
  /** What a model wrote as JSON ends in the middle, and it says that it is whole; billed. */
  cutJson: rate,
  /** What a model wrote as JSON has fields of other names; billed. */
  renamedFinding: rate,
  /** 500 to a request for a task's result. */
  pollError: rate,
} as const;
/** What can happen to a request. */
export type Fault = keyof typeof rates;

const rateSchema = z.strictObject(rates).partial();
const waitSchema = z.int().min(0).max(3_600_000);
const vendorSchema = z
  .strictObject({
    rates: rateSchema,
    /** The account has no money left. */
    outOfMoney: z.boolean(),
    limits: z.strictObject({ inFlight: z.int().min(0), perSecond: z.int().min(0) }).partial(),
  })
  .partial();

/** How the stand-in behaves. What is omitted is at its default: no fault, no limit, no wait. */
export const faultsSchema = z
  .strictObject({
    /** The median of how long a paid request takes; one in a hundred takes four times as long. */
    latencyMs: waitSchema,
    retryAfterSeconds: z.int().min(0).max(86_400),
    /** How long tasks are queued and how long they run: medians. */
    tasks: z.strictObject({ queueMs: waitSchema, runMs: waitSchema }).partial(),
    rates: rateSchema,
    /** By vendor, in place of the rates of all. */
    vendors: z.partialRecord(z.enum(vendors), vendorSchema),
  })
  .partial();
/** How the stand-in behaves, as a caller gives it. */
export type StandInFaults = z.infer<typeof faultsSchema>;

/** 37 of 100 real pages with an overview loaded it by a request of its own. */
const defaultRates: Partial<Record<Fault, number>> = { secondRequest: 0.37 };

/** How often a fault happens at a vendor. */
export function rateOf(faults: StandInFaults, vendor: (typeof vendors)[number], fault: Fault) {
  const own = faults.vendors?.[vendor]?.rates?.[fault];
  return own ?? faults.rates?.[fault] ?? defaultRates[fault] ?? 0;
}

/** A time around a median, log-normal: one in a hundred is above four times the median. */
export function waitAround(medianMs: number, draws: Draws): number {
  if (medianMs === 0) return 0;
  // Box and Muller: two even draws give a normal one.
  const even = Math.max(draws.of("wait one"), Number.EPSILON);
  const normal = Math.sqrt(-2 * Math.log(even)) * Math.cos(2 * Math.PI * draws.of("wait two"));
  return Math.round(medianMs * Math.exp(normal * 0.6));
}

/** Faults by which a vendor does not take a request that it took before. */
export const modelFaults = ["retiredModel", "dailyQuota", "searchDisabled"] as const;

/** What cites in the replies of each vendor, and what it is called by the fault. */
const renamedLists: Readonly<Record<(typeof vendors)[number], string>> = {
  openai: "annotations",
  xai: "annotations",
  perplexity: "results",
  anthropic: "citations",
  gemini: "groundingSupports",
  dataforseo: "references",
  serpapi: "references",
  cloro: "sources",
  reader: "choices",
};
const usageFields = ["usage", "usageMetadata", "tool_usage", "cost", "credits"];

/** A reply after faults of what it says, wherever in it that stands. */
export function changedReply(
  value: unknown,
  vendor: (typeof vendors)[number],
  happens: (fault: Fault) => boolean,
): unknown {
  const renamed = [
    ...(happens("renamedList") ? [renamedLists[vendor]] : []),
    ...(happens("renamedGrounding") ? ["groundingMetadata"] : []),
  ];
  const omitted = happens("noUsage") ? usageFields : [];
  const change = (inner: unknown): unknown => {
    if (Array.isArray(inner)) return inner.map(change);
    if (typeof inner !== "object" || inner === null) return inner;
    const kept = Object.entries(inner).filter(([field]) => !omitted.includes(field));
    return Object.fromEntries(
      kept.map(([field, each]) => [renamed.includes(field) ? `${field}_2` : field, change(each)]),
    );
  };
  return renamed.length + omitted.length === 0 ? value : change(value);
}

/** How many requests a vendor takes. Omitted: any number. */
interface RequestLimits {
  readonly inFlight?: number | undefined;
  readonly perSecond?: number | undefined;
}

const secondMs = 1_000;

/** Counts the requests of one vendor. Time is passed in, in milliseconds that never step. */
export class OpenRequests {
  #inFlight = 0;
  readonly #began: number[] = [];

  /**
   * Counts a request as under way: null. Or does not, and says after how many milliseconds it may
   * be sent again.
   */
  begin(limits: RequestLimits, elapsedMs: number): number | null {
    const isOver = (at: number | undefined) => at !== undefined && elapsedMs - at >= secondMs;
    while (isOver(this.#began[0])) this.#began.shift();
    if (this.#inFlight >= (limits.inFlight ?? Number.POSITIVE_INFINITY)) return secondMs;
    if (this.#began.length >= (limits.perSecond ?? Number.POSITIVE_INFINITY)) {
      return secondMs - (elapsedMs - (this.#began[0] ?? elapsedMs));
    }
    this.#inFlight += 1;
    this.#began.push(elapsedMs);
    return null;
  }

  /** A request that was under way has its reply, or lost its connection. */
  end(): void {
    this.#inFlight -= 1;
  }
}
