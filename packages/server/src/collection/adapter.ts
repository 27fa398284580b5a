import type { Provider, Vendor } from "@sightline/contract";
import type { Surface } from "../answers/answer.ts";

/** A question to a vendor: one prompt for one provider, in one region or none. */
export interface VendorQuestion {
  /** The id of the job and of its answer: a UUID. Vendors that accept a reference get it. */
  readonly id: string;
  readonly prompt: string;
  readonly provider: Provider;
  readonly surface: Surface;
  /** ISO 3166-1 alpha-2, upper case; null: no region. */
  readonly region: string | null;
  /** A city of the region, for vendors that accept one; the others get the region alone. */
  readonly city?: string | null;
  /** The name of a state or province, such as California; otherwise as `city`. */
  readonly state?: string | null;
  /** Null: the adapter's default. */
  readonly model: string | null;
}

/** A request to a vendor, without credentials. */
export interface VendorRequest {
  readonly method: "GET" | "POST";
  /** One of the adapter's hosts. */
  readonly host: string;
  /** Path and query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; omitted: no body. */
  readonly body?: unknown;
  /**
   * Whether the vendor bills the request: it is then recorded before it is sent, and never sent
   * twice.
   */
  readonly isPaid: boolean;
  /** The timeout of the reply. */
  readonly withinMs: number;
}

/** A vendor's reply; its body has at most `replyBytesMax`. */
export interface VendorReply {
  readonly status: number;
  /**
   * The header fields that adapters read: `retry-after`, `location`, limits and ids. Names in lower
   * case.
   */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A request and its reply as they are stored with the answers. It contains no secrets. */
export interface Exchange {
  readonly request: Pick<VendorRequest, "method" | "host" | "path" | "body" | "isPaid">;
  readonly reply: VendorReply;
  /** When the reply arrived, in milliseconds since 1970. */
  readonly at: number;
}

/** The usage of a question as the vendor reports it; 0: none, or not reported. */
export interface Usage {
  /** All input tokens, including those read from or written to a cache. */
  readonly inputTokens: number;
  /** The part of `inputTokens` read from the vendor's cache, which is cheaper. */
  readonly cachedInputTokens: number;
  /** The part of `inputTokens` written to the vendor's cache, which may be dearer. */
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  readonly searches: number;
  /** The cost that the vendor reports; null: not reported, so the price list applies. */
  readonly cost: { readonly amount: number; readonly currency: "USD" } | null;
  /**
   * Whether the replies report their usage. If not, the zeros above are unknown: otherwise a vendor
   * that renamed its fields would seem to cost nothing.
   */
  readonly isReported: boolean;
}

/** A page that an answer cites or that was retrieved for it; once per URL. */
export interface CollectedCitation {
  /** As the provider gave it; redirects of the provider itself are resolved. */
  readonly url: string;
  readonly title: string | null;
  /** False: retrieved but not cited. */
  readonly cited: boolean;
  /** The ranges of the text that cite it, in UTF-16 code units; half-open, ordered, disjoint. */
  readonly spans: readonly { readonly start: number; readonly end: number }[];
}

/** A part of a reply that could not be read, although its text is complete. */
export interface AnswerWarning {
  /** For people. It never quotes the vendor, so that equal warnings are counted together. */
  readonly reason: string;
  /** The number of occurrences. */
  readonly count: number;
}

/** A provider's answer. */
export interface CollectedAnswer {
  readonly outcome: "answered" | "absent" | "refused";
  /** Empty when the outcome is `absent`. */
  readonly text: string;
  readonly citations: readonly CollectedCitation[];
  /** The provider's search queries, in order. */
  readonly searchQueries: readonly string[];
  /** As the reply names it; null: not named. */
  readonly model: string | null;
  readonly usage: Usage;
  /** Unreadable sources that were dropped; usually none. */
  readonly warnings: readonly AnswerWarning[];
}

/** The classes of failures, by what happens next. */
export const failureClasses = [
  /** Send the request again, with a growing delay. */
  "retry",
  /** Pause the vendor for `afterMs`: its rate limit is reached. */
  "wait",
  /** Stop the vendor until its credential or balance is fixed. */
  "stop-vendor",
  /** Stop the account for today: a cap is reached. */
  "stop-account",
  /**
   * Fail this question and the others of its part with the same model: the model does not exist.
   */
  "stop-part",
  /** Fail this question. */
  "give-up",
] as const;
/** One of the closed list of failure classes. */
export type FailureClass = (typeof failureClasses)[number];

/** Why there is no answer. */
export interface Failure {
  readonly class: FailureClass;
  /** For people: the vendor's message, at most 300 characters, without secrets. */
  readonly reason: string;
  /** The delay that the vendor requests (`Retry-After`, a reset); null: none. */
  readonly afterMs: number | null;
}

/** The next step of a job. */
export type Step =
  | { readonly kind: "send"; readonly request: VendorRequest }
  /**
   * The task of the last reply is not finished: the reply is dropped and its request sent again.
   * `isQueued`: the vendor has not started, so the time does not count against a deadline.
   */
  | { readonly kind: "pending"; readonly afterMs: number; readonly isQueued?: boolean }
  | { readonly kind: "answered"; readonly answer: CollectedAnswer }
  /** `usage`: that of all replies so far, which may have been billed. */
  | { readonly kind: "failed"; readonly failure: Failure; readonly usage: Usage };

/**
 * How a vendor is queried and how its replies are read. An adapter is pure: its steps depend only
 * on the question and the exchanges so far, so any worker can continue a job or read it again.
 */
export interface Adapter {
  readonly vendor: Vendor;
  /** All hosts of its requests. */
  readonly hosts: readonly string[];
  /** The providers and surfaces that it can query. */
  readonly asks: readonly { readonly provider: Provider; readonly surface: Surface }[];
  /** The effective region: the question's, or the vendor's default. */
  readonly regionOf: (question: VendorQuestion) => string | null;
  /** Why the vendor cannot be asked this, such as an unknown region; null: it can. */
  readonly refusal: (question: VendorQuestion) => string | null;
  /**
   * The first request if there are no exchanges; otherwise the step that follows from the replies.
   * It never throws: a reply that is not understood is a failure, never an answer.
   */
  readonly step: (question: VendorQuestion, exchanges: readonly Exchange[]) => Step;
  /** Where all of its requests go, instead of port 443 of a public host; omitted: there. */
  readonly endpoint?: VendorEndpoint;
  /** What is kept of a request's body; omitted: all of it. */
  readonly kept?: (body: unknown) => unknown;
  /** Adds the credential to the header fields or the query. */
  readonly authorize: (request: VendorRequest, credential: string) => AuthorizedRequest;
}

/** An address that the operator chose. */
export interface VendorEndpoint {
  readonly host: string;
  readonly port: number;
  /** Whether requests are sent in clear text. */
  readonly isPlain: boolean;
  /** Whether private addresses are allowed. */
  readonly toPrivate: boolean;
}

/** A request with its credential; never stored or logged. */
export interface AuthorizedRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}
