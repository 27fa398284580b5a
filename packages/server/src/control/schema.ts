import type { ColumnType, Generated } from "kysely";
import type { CollectionTables } from "../collection/store/collection-tables.ts";

/** 0 or 1: SQLite has no boolean. */
export type Flag = 0 | 1;

/** The tables of control, as Kysely sees them. Times are milliseconds since 1970, UTC. */
export interface ControlTables extends CollectionTables {
  accounts: {
    id: string;
    name: string;
    /** Incremented whenever the workspace changes. */
    revision: Generated<number>;
    created_at: number;
    /** Hash of everything that the account declares; null: applied before hashes existed. */
    rows_hash: string | null;
    /** The last place in the record; null: recorded by a version that did not note it. */
    recorded: number | null;
    /** When the newest answer was recorded; null: there is none. */
    recorded_at: number | null;
    /** The place, the revision and the rules that the facts are derived by; null: no facts. */
    projected: number | null;
    projected_revision: number | null;
    projected_rules: string | null;
    /** Texts of answers before this instant were removed; null: none were. */
    texts_removed_before: number | null;
    /** JSON: when its prompts are asked, of whom, within which caps; null: it does not say. */
    collection: string | null;
    /** Raised above that of every account whenever the workspace or the record changed. */
    change: Generated<number>;
  };
  /** Imports that record answers now, or were killed while they did. */
  recordings: { id: string; account_id: string; at: number };
  /** Imports that recorded or judged answers, as far as they noted it. */
  imports: {
    id: string;
    account_id: string;
    started_at: number;
    /** A file's name, or how the answers came. */
    source: string;
    accepted: number;
    duplicates: number;
    rejected: number;
    /** 1: every line was read. */
    complete: ColumnType<Flag, Flag, Flag>;
    undone_at: number | null;
  };
  /**
   * Accounts that were deleted lately, by when: what is left of them anywhere is removed by who
   * finds it. `ended`: when their files were gone for the first time; `revision`: their last one.
   */
  deletions: { account_id: string; at: number; revision: number; ended: number | null };
  /** Accounts that are being moved here; the hash is of the file that they come from. */
  moves: { account_id: string; file_hash: string };
  entities: {
    account_id: string;
    id: string;
    kind: "brand" | "competitor";
    name: string;
    case_sensitive: Flag;
    /** JSON: [{ "name", "caseSensitive" }]. */
    aliases: string;
    /** JSON: normalised domains, each with or without a path prefix. */
    domains: string;
    /** JSON: phrases inside which its names are not mentions; null: none. */
    except_phrases: string | null;
    retired: Flag;
  };
  topics: {
    account_id: string;
    id: string;
    name: string;
    retired: Flag;
    /** JSON: in what it differs from the account's; null: in nothing. */
    collection: string | null;
  };
  prompts: {
    account_id: string;
    id: string;
    text: string;
    topic_id: string | null;
    branded: Flag;
    paused: Flag;
    retired: Flag;
    /** JSON: in what it differs from the topic's; null: in nothing. */
    collection: string | null;
  };
  keys: {
    id: string;
    account_id: string;
    name: string;
    /** HMAC-SHA-256 of the whole key under the pepper. */
    hash: ColumnType<Buffer, Buffer, never>;
    created_at: number;
    expires_at: number | null;
    revoked_at: number | null;
    last_used_at: number | null;
    /** Calls per second as text, or `off`; null: the service's default. */
    rate_limit: string | null;
    /** Calls per UTC day as text, or `off`; null: the service's default. */
    daily_quota: string | null;
    /** Words separated by spaces, in the contract's order. */
    scopes: Generated<string>;
    /** Hash of the row's constant parts; null: created before hashes existed. */
    row_hash: string | null;
  };
  hooks: {
    id: string;
    account_id: string;
    url: string;
    name: string;
    /** Words separated by spaces, in the contract's order. */
    events: string;
    /** Encrypted under a key derived from the pepper. */
    secret: ColumnType<Buffer, Buffer, never>;
    created_at: number;
    /** Null: active. */
    disabled_at: number | null;
    /** When somebody is to look next whether there is an event. */
    look_at: number;
    /** The end of the week of the last digest; null: there was none. */
    digested_to: number | null;
    /** JSON: what was told last of each metric that moved. */
    told: string;
  };
  /** Events of webhooks, and how their deliveries went. */
  hook_deliveries: {
    /** As receivers know it. */
    id: string;
    account_id: string;
    hook_id: string;
    event: string;
    created_at: number;
    /** JSON as it is sent; null: there is no further attempt. */
    body: string | null;
    state: string;
    /** Null: there is no further attempt. */
    next_at: number | null;
    /** JSON: [{ "at", "status", "durationMs", "error" }]. */
    attempts: string;
  };
  /** Browsers that are signed in to the console. Times in milliseconds since 1970. */
  console_sessions: {
    /** SHA-256 of what the browser has. */
    hash: string;
    account_id: string;
    /** The key that the browser signed in with. */
    key_id: string;
    started_at: number;
    expires_at: number;
  };
  /** Calls of a key on a UTC day (days since 1970-01-01). */
  key_usage: { key_id: string; day: number; calls: number };
  signing_keys: {
    kid: string;
    /** JWK, JSON. */
    private_key: string;
    public_key: string;
    created_at: number;
    /** Hash of the row; null: created before hashes existed. */
    row_hash: string | null;
  };
}
