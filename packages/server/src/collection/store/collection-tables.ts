import type { Provider, Vendor } from "@sightline/contract";
import type { Generated } from "kysely";
import type { JobState } from "./collection-store.ts";

/** The tables of sweeps, as Kysely sees them. Times are milliseconds since 1970, UTC. */
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
  /** A provider on a surface of a sweep: what is published as a whole. */
  sweep_parts: {
    account_id: string;
    sweep_id: string;
    provider: Provider;
    surface: "api" | "web";
    vendor: Vendor;
    slot: number;
    deadline: number;
    /** 1: all jobs are added. */
    planned: Generated<number>;
    /** Rises with each lease of a job of any part: who has the lowest is next. */
    turn: Generated<number>;
    /** Until when a worker publishes it. */
    claimed_until: Generated<number>;
    published_at: number | null;
    /** JSON: how its jobs ended, from then on; null: to be counted. */
    counts: string | null;
    /** 1: none of its jobs was done; null: not published, or cancelled. */
    all_failed: number | null;
    /** 0: its jobs were forgotten. */
    has_jobs: Generated<number>;
  };
  jobs: {
    account_id: string;
    sweep_id: string;
    /** Unique by what the job asks. */
    id: string;
    prompt_id: string;
    provider: Provider;
    surface: "api" | "web";
    vendor: Vendor;
    model: string | null;
    /** Empty: none. A unique index takes no two nulls for equal. */
    region: string;
    /** The state and the city of the region; null: none. */
    state_name: string | null;
    city: string | null;
    slot: number;
    sample: number;
    reserve_micros: number;
    state: JobState;
    /** When somebody may lease it: of a leased one the lease's end; null: it ended. */
    due_at: number | null;
    fence: Generated<number>;
    attempts: Generated<number>;
    sent: Generated<number>;
    replied: Generated<number>;
    /** Reserved now, in the ledger of `reserve_day`. */
    reserved_micros: Generated<number>;
    /** What that is expected to cost; null: as reserved, of an earlier version. */
    expected_micros: number | null;
    /** Null: nothing is reserved. */
    reserve_day: number | null;
    spent_micros: Generated<number>;
    /** Why it ended, or was put back. */
    reason: string | null;
    ended_at: number | null;
  };
  /** The ledger: what an account spent on a UTC day (days since 1970-01-01). */
  spend: {
    account_id: string;
    day: number;
    provider: Provider;
    vendor: Vendor;
    calls: number;
    spent_micros: number;
    reserved_micros: number;
    unsettled_micros: number;
    /** Of `unsettled_micros`, what is above the expected cost: caps stop counting it. */
    excess_micros: Generated<number>;
    /** Of `spent_micros`, what nobody told. */
    assumed_micros: Generated<number>;
  };
  /** Of `excess_micros`, what caps of the day still count, until an instant. */
  spend_doubts: {
    account_id: string;
    day: number;
    provider: Provider;
    until: number;
    micros: number;
  };
  /** Whose caps are reached until then; an empty provider: the account's own. */
  spend_holds: { account_id: string; provider: Provider | ""; until: number };
  /** Processes that collect. */
  collectors: {
    id: string;
    noted_at: number;
    /** JSON: how vendors stand with it. */
    report: string;
  };
  /** Accounts with a cadence. */
  schedules: {
    account_id: string;
    next_at: number;
    /** JSON: by cadence, up to when its slots were planned. */
    planned_to: string;
  };
}
