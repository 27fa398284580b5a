import type { Provider, Vendor } from "@sightline/contract";
import type { Generated } from "kysely";
import type { JobState } from "./collection-store.ts";

/** The tables of collection for Kysely. Times are milliseconds since 1970, UTC. */
export interface CollectionTables {
  sweeps: {
    account_id: string;
    id: string;
    slot: number;
    source: "schedule" | "now";
    deadline: number;
    created_at: number;
    cancelled_at: number | null;
  };
  /** The parts of sweeps: a provider on a surface, which is published as a whole. */
  sweep_parts: {
    account_id: string;
    sweep_id: string;
    provider: Provider;
    surface: "api" | "web";
    vendor: Vendor;
    slot: number;
    deadline: number;
    /** 1: all jobs have been added. */
    planned: Generated<number>;
    /** The round-robin turn, set with each lease: the part with the lowest is next. */
    turn: Generated<number>;
    /** The end of a worker's claim. */
    claimed_until: Generated<number>;
    published_at: number | null;
    /** JSON: `PartSummary`, from publication or holding on; null: to be counted. */
    counts: string | null;
    /** 1: all jobs failed; null: not published, or cancelled. */
    all_failed: number | null;
    /** 0: its jobs have been deleted. */
    has_jobs: Generated<number>;
  };
  jobs: {
    account_id: string;
    sweep_id: string;
    /** Derived from what the job asks. */
    id: string;
    prompt_id: string;
    provider: Provider;
    surface: "api" | "web";
    vendor: Vendor;
    model: string | null;
    /** Empty: none. A unique index does not treat nulls as equal. */
    region: string;
    /** The state and the city within the region; null: none. */
    state_name: string | null;
    city: string | null;
    slot: number;
    sample: number;
    reserve_micros: number;
    state: JobState;
    /** When the job may be leased; the end of the lease of a leased one; null: ended. */
    due_at: number | null;
    fence: Generated<number>;
    attempts: Generated<number>;
    sent: Generated<number>;
    replied: Generated<number>;
    /** The current reserve, in the ledger of `reserve_day`. */
    reserved_micros: Generated<number>;
    /** The expected part of the reserve; null: all of it, by an earlier version. */
    expected_micros: number | null;
    /** Null: nothing is reserved. */
    reserve_day: number | null;
    spent_micros: Generated<number>;
    /** Why it failed, or was put back. */
    reason: string | null;
    ended_at: number | null;
  };
  /** The ledger: an account's spending on a UTC day (days since 1970-01-01). */
  spend: {
    account_id: string;
    day: number;
    provider: Provider;
    vendor: Vendor;
    calls: number;
    spent_micros: number;
    reserved_micros: number;
    unsettled_micros: number;
    /** The part of `unsettled_micros` above the expected cost, which caps count for an hour. */
    excess_micros: Generated<number>;
    /** The assumed part of `spent_micros`. */
    assumed_micros: Generated<number>;
  };
  /** The part of `excess_micros` that the day's caps still count, until an instant. */
  spend_doubts: {
    account_id: string;
    day: number;
    provider: Provider;
    until: number;
    micros: number;
  };
  /** Reached caps, until an instant; an empty provider: the account's own cap. */
  spend_holds: { account_id: string; provider: Provider | ""; until: number };
  /** Collecting processes. */
  collectors: {
    id: string;
    noted_at: number;
    /** JSON: the state of its vendors (`VendorHealth`). */
    report: string;
  };
  /** The accounts' own credentials. */
  vendor_credentials: {
    account_id: string;
    vendor: Vendor;
    /** Encrypted by a `SecretBox`; the owner is account and vendor. */
    sealed: Buffer;
    stored_at: number;
    /** Whether the vendor is asked with it, `until` when and why it is not. */
    state: "ready" | "waiting" | "stopped";
    until: number | null;
    reason: string | null;
  };
  /** Accounts with a cadence. */
  schedules: {
    account_id: string;
    next_at: number;
    /** JSON: cadence key → slots up to here have been planned. */
    planned_to: string;
  };
}
