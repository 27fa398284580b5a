import type { Provider, Vendor } from "@sightline/contract";

/** Spelled as in the record. */
type Surface = "api" | "web";

/** The states of a job. `submitted`: the vendor works on a known task. */
const jobStates = ["queued", "leased", "submitted", "done", "failed"] as const;
/** One of the closed list of states. */
export type JobState = (typeof jobStates)[number];

/** A state and a city, for vendors that accept them. */
interface JobPlace {
  readonly state: string | null;
  readonly city: string | null;
}

/** A question of a sweep. Unique by account, prompt, provider, surface, region, slot and sample. */
export interface NewJob {
  /** Derived from the unique fields; also the id of its answer. */
  readonly id: string;
  readonly promptId: string;
  readonly provider: Provider;
  readonly surface: Surface;
  readonly vendor: Vendor;
  /** Null: the adapter's default. */
  readonly model: string | null;
  readonly region: string | null;
  /** A place within the region; omitted: anywhere. */
  readonly place?: JobPlace;
  readonly sample: number;
  /** The highest cost of an attempt with all its requests, in millionths of a dollar. */
  readonly reserveMicros: number;
}

/** A run of the questions of one slot. Times in milliseconds since 1970, UTC. */
export interface NewSweep {
  /** Derived from account, slot and cadence; random for a sweep on demand. */
  readonly id: string;
  readonly slot: number;
  readonly source: "schedule" | "now";
  /** When unfinished jobs fail. */
  readonly deadline: number;
  /** All jobs of a provider on a surface have the same vendor. */
  readonly jobs: Iterable<NewJob>;
}

/** A part of a sweep, which is a provider on a surface: its jobs by state, and their cost. */
export interface SweepPart {
  readonly provider: Provider;
  readonly surface: Surface;
  readonly vendor: Vendor;
  readonly jobs: number;
  readonly queued: number;
  /** Jobs that are leased or submitted. */
  readonly underWay: number;
  readonly done: number;
  /** Failed jobs by reason, the most frequent first; at most ten reasons. */
  readonly failed: readonly { readonly reason: string; readonly jobs: number }[];
  readonly spentMicros: number;
  /**
   * Parts of its answers that could not be read, the most frequent first; empty until it is
   * published or held back.
   */
  readonly warnings: PartReading["warnings"];
  /** Why its answers look wrong and are held back until they are accepted; empty: they do not. */
  readonly suspicious: readonly string[];
  /** Until when a reached cap holds its queued jobs; null: none does. */
  readonly heldUntil: number | null;
  /** When its answers were published; null: not yet. */
  readonly publishedAt: number | null;
}

/** A summary of the answers of a part. */
export interface PartReading {
  /** By reason: the number of answers with a dropped source. */
  readonly warnings: readonly { readonly reason: string; readonly answers: number }[];
  readonly models: readonly ModelReading[];
}

/** Sums over a model's answers, without refusals and absent answers. */
export interface ModelReading {
  /** As the replies name it; null: not named. */
  readonly model: string | null;
  readonly answers: number;
  /** Answers that cite a page. */
  readonly citing: number;
  /** Answers whose usage the vendor reported. */
  readonly priced: number;
  /** The total length of the texts, in UTF-16 code units. */
  readonly length: number;
}

/** The readings that a part is compared with. */
export interface EarlierReadings {
  /** Whether the part was accepted by a person. */
  readonly isAccepted: boolean;
  /** Why the part is held back, and its models at that time; null: it is not. */
  readonly held: {
    readonly suspicious: readonly string[];
    readonly models: readonly ModelReading[];
  } | null;
  /**
   * Those of published parts of the same provider, surface and vendor, newest first, back to the
   * latest accepted one, which is the new normal.
   */
  readonly before: readonly (readonly ModelReading[])[];
}

/** A sweep and its state. */
export interface SweepRecord extends Omit<NewSweep, "jobs"> {
  readonly accountId: string;
  readonly createdAt: number;
  readonly cancelledAt: number | null;
  /** By provider, then surface. */
  readonly parts: readonly SweepPart[];
}

/** A job that this worker has leased until `leaseUntil`. */
export interface LeasedJob extends NewJob {
  readonly accountId: string;
  readonly sweepId: string;
  readonly slot: number;
  readonly deadline: number;
  /**
   * The fencing number, which rises with each lease: a write with an older one comes from a worker
   * that lost the job.
   */
  readonly fence: number;
  readonly leaseUntil: number;
  /** `submitted`: the vendor works on a known task. */
  readonly state: "leased" | "submitted";
  /** The number of attempts that ended with a retried failure. */
  readonly attempts: number;
  /**
   * Paid requests that were recorded before they were sent, over all leases; without settled ones
   * whose exchanges were dropped. Compared with the stored paid exchanges.
   */
  readonly sent: number;
  /** How many of them have a recorded reply. */
  readonly replied: number;
  /** The cost of earlier attempts. */
  readonly spentMicros: number;
}

/** Limits per UTC day; null: unlimited. Calls are paid requests, retries included. */
export interface Cap {
  readonly calls: number | null;
  readonly micros: number | null;
}

/** The caps of an account: for all its calls, and by provider. */
export interface AccountCaps {
  readonly all: Cap;
  readonly byProvider: Partial<Readonly<Record<Provider, Cap>>>;
}

/** The cost of an attempt with a further paid request, in millionths of a dollar. */
export interface RequestCost {
  /** The cost of the attempt's replies so far. */
  readonly usedMicros: number;
  /** The highest cost of this request. */
  readonly reserveMicros: number;
  /** The expected cost of this request. */
  readonly expectedMicros: number;
}

/** The spending on a UTC day (days since 1970-01-01). */
export interface SpendRow {
  readonly day: number;
  readonly provider: Provider;
  readonly vendor: Vendor;
  readonly calls: number;
  /** Settled cost. */
  readonly spentMicros: number;
  /** The assumed part of `spentMicros`: from expected usage, or another model's price. */
  readonly assumedMicros: number;
  /** Reserved by running jobs. */
  readonly reservedMicros: number;
  /** The highest cost of calls without a reply: the vendor may have billed them. */
  readonly unsettledMicros: number;
  /** The expected part of `unsettledMicros`. */
  readonly expectedMicros: number;
}

/**
 * The outcome of a job that ended or is put back. `spentMicros`: the cost of the requests since the
 * last outcome, which is added to that of earlier ones.
 */
export type JobOutcome =
  | ({ readonly state: "done" } & Settled)
  | ({ readonly state: "failed"; readonly reason: string } & Settled)
  /** The worker crashed or the reply never arrived: the cost is unknown and stays unsettled. */
  | { readonly state: "failed"; readonly reason: string; readonly spentMicros: null }
  /** Retried as another attempt, not before `nextAt`; failed when its sweep was cancelled. */
  | ({
      readonly state: "queued";
      readonly nextAt: number;
      readonly reason: string;
      /** How many paid exchanges are kept for the retry: its `sent` and `replied`. */
      readonly kept: number;
    } & Settled);

/** A settled cost. */
interface Settled {
  readonly spentMicros: number;
  /** The assumed part of it; omitted: none. */
  readonly assumedMicros?: number;
}

/** An account whose schedule is due. */
export interface DueSchedule {
  readonly accountId: string;
  readonly nextAt: number;
  /** Cadence key → slots up to here have been planned. A missing cadence is new. */
  readonly plannedTo: Readonly<Record<string, number>>;
}

/** A part to publish. */
export interface PartToPublish {
  readonly accountId: string;
  readonly sweepId: string;
  readonly slot: number;
  readonly provider: Provider;
  readonly surface: Surface;
}

/** A finished part, as a worker read or claimed it. */
export interface ReadyPart extends PartToPublish {
  readonly vendor: Vendor;
  readonly deadline: number;
  /** The end of the current claim. */
  readonly claimedUntil: number;
}

/** An ended job. */
export interface EndedJob extends NewJob {
  readonly state: "done" | "failed";
  /** Why it failed; null: it is done. */
  readonly reason: string | null;
  readonly spentMicros: number;
  readonly endedAt: number;
}
