import type { Provider, Vendor } from "@sightline/contract";

/** A surface is spelled as in the record. */
type Surface = "api" | "web";

/** The states of a job. `submitted`: the vendor works on it, and its task is known. */
const jobStates = ["queued", "leased", "submitted", "done", "failed"] as const;
/** One of the closed list of states. */
export type JobState = (typeof jobStates)[number];

/** A state and a city, for vendors that take them. */
interface JobPlace {
  readonly state: string | null;
  readonly city: string | null;
}

/** One question of a sweep. Unique by account, prompt, provider, surface, region, slot, sample. */
export interface NewJob {
  /** Derived from what makes it unique, and the id of its answer. */
  readonly id: string;
  readonly promptId: string;
  readonly provider: Provider;
  readonly surface: Surface;
  readonly vendor: Vendor;
  /** Null: the adapter's choice. */
  readonly model: string | null;
  readonly region: string | null;
  /** Where in the region it is asked, by names; omitted: anywhere. */
  readonly place?: JobPlace;
  readonly sample: number;
  /** The most that an attempt may cost with all its requests, in millionths of a dollar. */
  readonly reserveMicros: number;
}

/** A run of the questions that were due at one time. Times in milliseconds since 1970, UTC. */
export interface NewSweep {
  /** Derived from account, slot and cadence, or random when somebody asked for it. */
  readonly id: string;
  readonly slot: number;
  readonly source: "schedule" | "now";
  /** When what is not done is given up. */
  readonly deadline: number;
  /** Those of a provider on a surface are all of one vendor. */
  readonly jobs: Iterable<NewJob>;
}

/** How many of a part's jobs stand how, and what they cost. A part is a provider on a surface. */
export interface SweepPart {
  readonly provider: Provider;
  readonly surface: Surface;
  readonly vendor: Vendor;
  readonly jobs: number;
  readonly queued: number;
  /** Leased or submitted. */
  readonly underWay: number;
  readonly done: number;
  /** By reason, the most frequent first, at most ten. */
  readonly failed: readonly { readonly reason: string; readonly jobs: number }[];
  readonly spentMicros: number;
  /** What could not be read of its answers, the most frequent first; empty until they were read. */
  readonly warnings: PartReading["warnings"];
  /** Why its answers look wrong, so that they do not count until somebody accepts them. */
  readonly suspicious: readonly string[];
  /** A cap is reached: what is queued waits until then, or for another cap; null: it does not. */
  readonly heldUntil: number | null;
  /** When its answers were recorded; null: they do not count yet. */
  readonly publishedAt: number | null;
}

/** What the answers of a part are like, as they were read. */
export interface PartReading {
  /** By reason: how many answers have a source that was dropped for it. */
  readonly warnings: readonly { readonly reason: string; readonly answers: number }[];
  readonly models: readonly ModelReading[];
}

/** Sums of a model's answers, refusals and pages without an answer left out. */
export interface ModelReading {
  /** As the replies name it; null: they do not. */
  readonly model: string | null;
  readonly answers: number;
  /** That cite a page. */
  readonly citing: number;
  /** Whose vendor says what they used. */
  readonly priced: number;
  /** Of the texts together, in UTF-16 code units. */
  readonly length: number;
}

/** What a part is compared with. */
export interface EarlierReadings {
  /** Somebody looked at it and accepted it. */
  readonly isAccepted: boolean;
  /** Why the part is held back, and what its answers were like then; null: it is not. */
  readonly held: {
    readonly suspicious: readonly string[];
    readonly models: readonly ModelReading[];
  } | null;
  /**
   * Of published parts of the same provider, surface and vendor, newest first: back to one that was
   * accepted, which is the new normal.
   */
  readonly before: readonly (readonly ModelReading[])[];
}

/** A sweep, and how it stands. */
export interface SweepRecord extends Omit<NewSweep, "jobs"> {
  readonly accountId: string;
  readonly createdAt: number;
  readonly cancelledAt: number | null;
  /** By provider, then surface. */
  readonly parts: readonly SweepPart[];
}

/** A job that this worker alone works on until `leaseUntil`. */
export interface LeasedJob extends NewJob {
  readonly accountId: string;
  readonly sweepId: string;
  readonly slot: number;
  readonly deadline: number;
  /** Rises with each lease: a write with an older one is of a worker that lost the job. */
  readonly fence: number;
  readonly leaseUntil: number;
  /** Whether the vendor works on a task of it, which is known. */
  readonly state: "leased" | "submitted";
  /** Attempts that ended with a failure that is retried. */
  readonly attempts: number;
  /**
   * Paid requests noted before they were sent, in this or an earlier lease, without those that an
   * outcome settled and that are not kept: to be compared with the paid exchanges that are kept.
   */
  readonly sent: number;
  /** How many of them were replied to, as far as it was noted. */
  readonly replied: number;
  /** What earlier attempts cost. */
  readonly spentMicros: number;
}

/** Limits per UTC day; null: none. Calls are paid requests; retries count. */
export interface Cap {
  readonly calls: number | null;
  readonly micros: number | null;
}

/** The caps of an account: of all its calls, and of those of a provider. */
export interface AccountCaps {
  readonly all: Cap;
  readonly byProvider: Partial<Readonly<Record<Provider, Cap>>>;
}

/** What a paid request may add to what its attempt costs, in millionths of a dollar. */
export interface RequestCost {
  /** What the replies of the attempt so far cost. */
  readonly usedMicros: number;
  /** The most that this request costs. */
  readonly reserveMicros: number;
  /** What it is expected to cost. */
  readonly expectedMicros: number;
}

/** What was spent on a UTC day (days since 1970-01-01). */
export interface SpendRow {
  readonly day: number;
  readonly provider: Provider;
  readonly vendor: Vendor;
  readonly calls: number;
  /** Settled. */
  readonly spentMicros: number;
  /** The part of `spentMicros` that nobody told: expected usage, or another model's price. */
  readonly assumedMicros: number;
  /** Reserved by jobs under way. */
  readonly reservedMicros: number;
  /** The most that calls cost whose reply never came: the vendor may have billed them. */
  readonly unsettledMicros: number;
  /** The part of `unsettledMicros` that those calls are expected to have cost. */
  readonly expectedMicros: number;
}

/**
 * What a job ended with, or is put back with. `spentMicros`: what the requests since the last
 * outcome cost, which is added to what those before did.
 */
export type JobOutcome =
  | ({ readonly state: "done" } & Settled)
  | ({ readonly state: "failed"; readonly reason: string } & Settled)
  /** The worker died, or the reply never came: what it cost is unknown and stays unsettled. */
  | { readonly state: "failed"; readonly reason: string; readonly spentMicros: null }
  /** Again, not before `nextAt`, as another attempt; failed when its sweep was cancelled. */
  | ({
      readonly state: "queued";
      readonly nextAt: number;
      readonly reason: string;
      /** How many paid exchanges are kept, from which it goes on: `sent` and `replied` then. */
      readonly kept: number;
    } & Settled);

/** What requests cost. */
interface Settled {
  readonly spentMicros: number;
  /** The part of it that nobody told; omitted: none. */
  readonly assumedMicros?: number;
}

/** An account whose schedule somebody is to look at. */
export interface DueSchedule {
  readonly accountId: string;
  readonly nextAt: number;
  /** By cadence: slots up to here were planned. One that is missing is new. */
  readonly plannedTo: Readonly<Record<string, number>>;
}

/** A part that is ready to be published. */
export interface PartToPublish {
  readonly accountId: string;
  readonly sweepId: string;
  readonly slot: number;
  readonly provider: Provider;
  readonly surface: Surface;
}

/** A part as a worker found it, or has claimed it. */
export interface ReadyPart extends PartToPublish {
  readonly deadline: number;
  /** Until when a worker has it alone. */
  readonly claimedUntil: number;
}

/** A job of a part that is published. */
export interface EndedJob extends NewJob {
  readonly state: "done" | "failed";
  /** Null: it is done. */
  readonly reason: string | null;
  readonly spentMicros: number;
  readonly endedAt: number;
}
