import type { Provider, Vendor } from "@sightline/contract";

/** The results of requests, as labels of a metric. */
const requestResults = ["replied", "failed", "limited", "not-sent", "cut-off"] as const;
/** One of the closed list of results. */
type RequestResult = (typeof requestResults)[number];

/** A finished request. */
export interface CountedRequest {
  readonly vendor: Vendor;
  readonly result: RequestResult;
  readonly ms: number;
}

/** A job that ended or was put back into the queue. */
export interface CountedJob {
  readonly provider: Provider;
  readonly result: "done" | "failed" | "retried";
}

/** The counts since the last report. */
export interface CollectionTally {
  readonly requests: readonly CountedRequest[];
  readonly jobs: readonly CountedJob[];
  readonly spent: readonly { readonly vendor: Vendor; readonly micros: number }[];
  readonly published: readonly { readonly provider: Provider; readonly isFailed: boolean }[];
}

/** Whether a vendor is queried now. */
export interface VendorState {
  /**
   * `waiting`: until `until`; `stopped`: until its credential or balance is fixed, which is tested
   * at `until`.
   */
  readonly state: "ready" | "waiting" | "stopped";
  /** Milliseconds since 1970; null: ready. */
  readonly until: number | null;
  /** Why it is not queried; null: ready. */
  readonly reason: string | null;
}

/** The state of a vendor on this node, and its counts since the thread started. */
export interface VendorHealth extends Omit<VendorState, "state"> {
  readonly vendor: Vendor;
  /** `no-credential`: this node has none and leaves its jobs to others. */
  readonly state: VendorState["state"] | "no-credential";
  readonly requests: number;
  /** How many of the requests failed. */
  readonly failed: number;
  /** Answers whose replies did not report their usage. */
  readonly untold: number;
  /** The median latency of the latest 100 requests; null: there were none. */
  readonly medianMs: number | null;
  readonly lastError: { readonly at: number; readonly reason: string } | null;
}

interface VendorCounts {
  requests: number;
  failed: number;
  untold: number;
  readonly latencies: number[];
  lastError: VendorHealth["lastError"];
}

const latenciesMax = 100;
/** The most entries of a report: none are taken while the other thread is busy for long. */
const countedMax = 10_000;

/** Counts the collector's work, for metrics and health. */
export class CollectionCounts {
  #tally = emptyTally();
  readonly #vendors = new Map<Vendor, VendorCounts>();

  /**
   * Counts a request for the metrics, and for the vendor's health, which all accounts see, if the
   * credential was the service's.
   */
  request(counted: CountedRequest, { isOfService }: { readonly isOfService: boolean }): void {
    add(this.#tally.requests, counted);
    if (!isOfService) return;
    const counts = this.#of(counted.vendor);
    counts.requests++;
    if (counted.result !== "replied") counts.failed++;
    counts.latencies.push(counted.ms);
    if (counts.latencies.length > latenciesMax) counts.latencies.shift();
  }

  error(vendor: Vendor, at: number, reason: string): void {
    this.#of(vendor).lastError = { at, reason };
  }

  /** Counts an answer whose replies did not report their usage. */
  untold(vendor: Vendor): void {
    this.#of(vendor).untold++;
  }

  job(counted: CountedJob): void {
    add(this.#tally.jobs, counted);
  }

  spent(vendor: Vendor, micros: number): void {
    if (micros > 0) add(this.#tally.spent, { vendor, micros });
  }

  published(provider: Provider, isFailed: boolean): void {
    add(this.#tally.published, { provider, isFailed });
  }

  /** Takes the counts since the last call. */
  take(): CollectionTally {
    const taken = this.#tally;
    this.#tally = emptyTally();
    return taken;
  }

  /** The health of a vendor. @param state null: this node has no credential. */
  health(vendor: Vendor, state: VendorState | null): VendorHealth {
    const { requests, failed, untold, latencies, lastError } = this.#of(vendor);
    const stands = state ?? { state: "no-credential", until: null, reason: null };
    const sorted = latencies.toSorted((a, b) => a - b);
    const medianMs = sorted[Math.floor(sorted.length / 2)] ?? null;
    return { vendor, ...stands, requests, failed, untold, medianMs, lastError };
  }

  #of(vendor: Vendor): VendorCounts {
    const found = this.#vendors.get(vendor);
    if (found !== undefined) return found;
    const made: VendorCounts = {
      requests: 0,
      failed: 0,
      untold: 0,
      latencies: [],
      lastError: null,
    };
    this.#vendors.set(vendor, made);
    return made;
  }
}

function add<Counted>(list: Counted[], counted: Counted): void {
  if (list.length < countedMax) list.push(counted);
}

function emptyTally() {
  return {
    requests: [] as CountedRequest[],
    jobs: [] as CountedJob[],
    spent: [] as { vendor: Vendor; micros: number }[],
    published: [] as { provider: Provider; isFailed: boolean }[],
  };
}
