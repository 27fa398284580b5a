import type { Provider, Vendor } from "@sightline/contract";
import type { Surface } from "../answers/answer.ts";

/** What is asked: one prompt of one provider, in one region or none. */
export interface VendorQuestion {
  /** Of the job, and of the answer that it gives: a UUID. Vendors that take a reference get it. */
  readonly id: string;
  readonly prompt: string;
  readonly provider: Provider;
  readonly surface: Surface;
  /** Two upper-case letters; null: none is asked for. */
  readonly region: string | null;
  /** A city of the region, for vendors that take one; the others are asked for the region. */
  readonly city?: string | null;
  /** A state or province of the region by its name, such as California; as `city`. */
  readonly state?: string | null;
  /** Null: the adapter's own choice. */
  readonly model: string | null;
}

/** A request to a vendor, without what authorises it. */
export interface VendorRequest {
  readonly method: "GET" | "POST";
  /** One of the adapter's hosts. */
  readonly host: string;
  /** With its query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; omitted: there is no body. */
  readonly body?: unknown;
  /** Whether the vendor bills it: it is noted before it is sent, and not sent twice. */
  readonly isPaid: boolean;
  /** How long the reply may take. */
  readonly withinMs: number;
}

/** A vendor's reply; its text has at most `replyBytesMax`. */
export interface VendorReply {
  readonly status: number;
  /** Those that are read: `retry-after`, `location`, limits and ids. Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A request and its reply, as they are kept beside the record. Nothing of it is secret. */
export interface Exchange {
  readonly request: Pick<VendorRequest, "method" | "host" | "path" | "body" | "isPaid">;
  readonly reply: VendorReply;
  /** When the reply came, in milliseconds since 1970. */
  readonly at: number;
}

/** What a question used, as the vendor counts it; 0: nothing, or it does not say. */
export interface Usage {
  /** All that was read, those from and to a cache included. */
  readonly inputTokens: number;
  /** The part of `inputTokens` that the vendor read from its cache, which costs less. */
  readonly cachedInputTokens: number;
  /** The part of `inputTokens` that the vendor wrote to its cache, which may cost more. */
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  readonly searches: number;
  /** What the vendor says that it cost; null: it does not say, and the price list tells. */
  readonly cost: { readonly amount: number; readonly currency: "USD" } | null;
  /**
   * Whether the replies say what they used; false: the zeros above are unknown, and a vendor that
   * renamed its fields would seem to ask for nothing.
   */
  readonly isReported: boolean;
}

/** A page that an answer cites or retrieved, once per URL. */
export interface CollectedCitation {
  /** As the provider gave it; a redirect of the provider's own is resolved. */
  readonly url: string;
  readonly title: string | null;
  /** False: retrieved, not cited. */
  readonly cited: boolean;
  /** The parts of the text that cite it, in UTF-16 code units; half-open, ordered, disjoint. */
  readonly spans: readonly { readonly start: number; readonly end: number }[];
}

/** What of a reply could not be read, although its text is whole. */
export interface AnswerWarning {
  /** For people; never with a vendor's own words, so that equal ones are counted together. */
  readonly reason: string;
  /** How often. */
  readonly count: number;
}

/** What a provider answered. */
export interface CollectedAnswer {
  readonly outcome: "answered" | "absent" | "refused";
  /** Empty when the outcome is `absent`. */
  readonly text: string;
  readonly citations: readonly CollectedCitation[];
  /** What the provider searched for, in order. */
  readonly searchQueries: readonly string[];
  /** As the reply names it; null: it does not. */
  readonly model: string | null;
  readonly usage: Usage;
  /** Sources that were dropped since they cannot be read; most often none. */
  readonly warnings: readonly AnswerWarning[];
}

/** What a failure asks for. */
export const failureClasses = [
  /** The same request again, after a while that grows. */
  "retry",
  /** Nothing of this vendor until `afterMs` have passed: its limit is reached. */
  "wait",
  /** Nothing of this vendor until somebody mends it: the credential, the balance. */
  "stop-vendor",
  /** Nothing of this account today: a cap is reached. */
  "stop-account",
  /** Neither this question nor the others of its part to the same model: there is no such model. */
  "stop-part",
  /** This question will not be answered. */
  "give-up",
] as const;
/** One of the closed list of failure classes. */
export type FailureClass = (typeof failureClasses)[number];

/** Why there is no answer. */
export interface Failure {
  readonly class: FailureClass;
  /** For people: what the vendor said, in at most 300 characters, without secrets. */
  readonly reason: string;
  /** What the vendor asks for (`Retry-After`, a reset); null: it does not say. */
  readonly afterMs: number | null;
}

/** What is to be done next. */
export type Step =
  | { readonly kind: "send"; readonly request: VendorRequest }
  /**
   * The last reply says that a task is not done: it is not kept, and its request sent again.
   * `isQueued`: the vendor has not begun, so that this does not count against a deadline.
   */
  | { readonly kind: "pending"; readonly afterMs: number; readonly isQueued?: boolean }
  | { readonly kind: "answered"; readonly answer: CollectedAnswer }
  /** `usage`: of the replies so far, which may have been billed. */
  | { readonly kind: "failed"; readonly failure: Failure; readonly usage: Usage };

/**
 * How a vendor is asked, and what its replies mean. It is pure: all that it knows of a question is
 * the question and the exchanges so far, so that a worker that has these can go on, or read them
 * again.
 */
export interface Adapter {
  readonly vendor: Vendor;
  /** Every host of its requests. */
  readonly hosts: readonly string[];
  /** What it can be asked for. */
  readonly asks: readonly { readonly provider: Provider; readonly surface: Surface }[];
  /** The region that is asked in effect: the question's, or that which the vendor assumes. */
  readonly regionOf: (question: VendorQuestion) => string | null;
  /** Why this cannot be asked, such as a region that the vendor does not know; null: it can. */
  readonly refusal: (question: VendorQuestion) => string | null;
  /**
   * The first request when there are no exchanges; otherwise what the replies so far ask for.
   * Never throws: a reply that is not understood is a failure, and never an answer.
   */
  readonly step: (question: VendorQuestion, exchanges: readonly Exchange[]) => Step;
  /** Puts what authorises a request into its header fields or its query. */
  readonly authorize: (request: VendorRequest, credential: string) => AuthorizedRequest;
}

/** A request as it is sent; it is never kept or logged. */
export interface AuthorizedRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}
