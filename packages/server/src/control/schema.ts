import type {
  AuditAction,
  LabelMetric,
  LinkKind,
  Provider,
  ReportLanguage,
  Role,
} from "@sightline/contract";
import type { ColumnType, Generated } from "kysely";
import type { CollectionTables } from "../collection/store/collection-tables.ts";

/** 0 or 1: SQLite has no boolean. */
export type Flag = 0 | 1;

/** The tables of control for Kysely. Times are milliseconds since 1970, UTC. */
export interface ControlTables extends CollectionTables {
  accounts: {
    id: string;
    name: string;
    /** Incremented whenever the workspace changes. */
    revision: Generated<number>;
    created_at: number;
    /** Hash of everything that the account declares; null: applied before hashes existed. */
    rows_hash: string | null;
    /** The last sequence number of the record; null: written by a version that did not store it. */
    recorded: number | null;
    /** When the newest answer was recorded; null: there are no answers. */
    recorded_at: number | null;
    /** The sequence number, revision and rules of the projected facts; null: there are no facts. */
    projected: number | null;
    projected_revision: number | null;
    projected_rules: string | null;
    /** Texts of answers before this instant have been removed; null: none have. */
    texts_removed_before: number | null;
    /** JSON: schedule, providers and caps of collection; null: not declared. */
    collection: string | null;
    /** JSON: views of the console, and notes by date; null: there are none. */
    views: string | null;
    notes: string | null;
    /** JSON: classes of cited sources; null: there are none. */
    sources: string | null;
    /** JSON: what is true of the brand; null: nothing is stated. */
    facts: string | null;
    /** JSON: names that lists leave out; null: there are none. */
    ignored_names: string | null;
    /** JSON: reports that are made; null: there are none. */
    reports: string | null;
    /** JSON: what the account is found by among others; null: nothing. */
    account_tags: string | null;
    /** When names that nobody tracks were first asked for, as ISO 8601; null: never. */
    names_asked: string | null;
    /** Incremented whenever labels of the account change. */
    labels_revision: Generated<number>;
    /** Set above every account's value whenever the workspace or the record changes. */
    change: Generated<number>;
  };
  /** Running imports, and those that were killed while they recorded answers. */
  recordings: { id: string; account_id: string; at: number };
  /** Imports with their counts, as of their last progress update. */
  imports: {
    id: string;
    account_id: string;
    started_at: number;
    /** The name of the file, or the way in which the answers arrived. */
    source: string;
    accepted: number;
    duplicates: number;
    rejected: number;
    /** 1: all lines were read. */
    complete: ColumnType<Flag, Flag, Flag>;
    undone_at: number | null;
  };
  /**
   * Recently deleted accounts. Any process that finds remaining data of one removes it. `ended`:
   * when its files were first gone; `revision`: its last one.
   */
  deletions: { account_id: string; at: number; revision: number; ended: number | null };
  /** Accounts that are being moved to this service; the hash is that of the export file. */
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
    /** JSON: phrases within which the names are not mentions; null: none. */
    except_phrases: string | null;
    retired: Flag;
  };
  topics: {
    account_id: string;
    id: string;
    name: string;
    retired: Flag;
    /** JSON: overrides of the account's collection; null: none. */
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
    /** JSON: overrides of the topic's collection; null: none. */
    collection: string | null;
    /** JSON: tags by code unit; null: none. */
    tags: string | null;
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
    /** The person whose key it is; null: nobody's. */
    person_id: string | null;
    /** Hash of the row's constant parts; null: created before hashes existed. */
    row_hash: string | null;
  };
  /** People, whatever accounts they are in. */
  people: {
    id: string;
    /** In lower case; unique. */
    email: string;
    name: string;
    created_at: number;
    /** When it was first proved that the address is the person's; null: never. */
    confirmed_at: number | null;
    /** As the provider that signs people in names the person; null: it never did. */
    subject: string | null;
  };
  /** The people of accounts. */
  memberships: {
    account_id: string;
    person_id: string;
    role: Role;
    joined_at: number;
    /** To the hour; null: never. */
    seen_at: number | null;
  };
  /** Invitations that are open; one that was accepted or withdrawn is gone. */
  invitations: {
    id: string;
    account_id: string;
    email: string;
    role: Role;
    /** SHA-256 of the code. */
    hash: string;
    invited_by: string;
    /** The person or key that invited; null: a command did. */
    maker_kind: "person" | "key" | null;
    maker_id: string | null;
    created_at: number;
    expires_at: number;
  };
  /** Sessions of people's browsers, for all their accounts. */
  person_sessions: {
    /** SHA-256 of the browser's token. */
    hash: string;
    person_id: string;
    started_at: number;
    expires_at: number;
  };
  /** Links that sign a person in once. */
  person_links: {
    /** SHA-256 of the code. */
    hash: string;
    person_id: string;
    expires_at: number;
  };
  /** The audit log: rows are only added. Empty account: the service's own log. */
  audit: {
    account_id: string;
    /** From 1, without gaps. */
    sequence: number;
    at: number;
    /** JSON: kind, id and name. */
    actor: string;
    actor_id: string | null;
    request_id: string | null;
    action: AuditAction;
    subject: string | null;
    /** JSON; null: nothing. */
    before: string | null;
    after: string | null;
    /** Of this row and the hash of the one before it. */
    hash: string;
  };
  /** What people say of answers. The answer may be gone: its labels go with the next removal. */
  labels: {
    account_id: string;
    answer_id: string;
    entity_id: string;
    metric: LabelMetric;
    labeller: string;
    value: ColumnType<Flag, Flag, Flag>;
    labelled_at: number;
  };
  /** What models read in answers; a reading goes with its answer, and with the answer's text. */
  readings: {
    account_id: string;
    answer_id: string;
    /** Identifies endpoint, model, parameters and prompt. */
    reader: string;
    /** 1: the second time that the reader was asked about the answer; else 0. */
    sample: number;
    prompt_id: string;
    provider: Provider;
    /** Empty: none. */
    region: string;
    answered_at: number;
    read_at: number;
    /** The model as the reply names it; null: it does not. */
    model: string | null;
    cost_micros: number;
    /** JSON: `ReadingLineage`. */
    lineage: string;
    /** JSON: the ids of the entities that the answer mentions. */
    mentioned: string;
    /** JSON: `ReadFinding[]`. */
    findings: string;
    /** JSON: dropped findings by reason. */
    dropped: string;
  };
  /** Accounts with a report that has a schedule. */
  report_schedules: {
    account_id: string;
    next_at: number;
    /** JSON: cadence key → slots up to here have been made. */
    planned_to: string;
  };
  /** Reports as they were made: rows are added, and superseded. */
  reports: {
    account_id: string;
    id: string;
    name: string;
    /** UTC days, both inside, of the period and of what it was compared with; null: of nothing. */
    start_date: string;
    end_date: string;
    compare_start_date: string | null;
    compare_end_date: string | null;
    language: ReportLanguage;
    made_at: number;
    /** The slot of its schedule; null: it was asked for. */
    due_at: number | null;
    /** JSON: kind, id, name and request id of the cause. */
    actor: string;
    /** JSON: everything that it shows. */
    numbers: string;
    /** The page, compressed by gzip; its bytes before that, and their SHA-256. */
    html: Buffer;
    html_bytes: number;
    html_sha256: string;
    /** The newer report of the same name and period; null: there is none. */
    superseded_by: string | null;
  };
  /** Share links: what each shows, and the hash of its address's token. */
  links: {
    id: string;
    account_id: string;
    name: string;
    kind: LinkKind;
    /** JSON: `LinkView`, or null: it shows a report. */
    view: string;
    /** The report that it shows; null: it shows a view. */
    report_id: string | null;
    shows_evidence: ColumnType<Flag, Flag, never>;
    /** SHA-256, base64url. */
    token_hash: string;
    /** Salt and scrypt, base64url; null: no password. */
    password_hash: string | null;
    created_at: number;
    /** JSON: kind, id and name of the actor. */
    created_by: string;
    /** The key that made it, and with which it ends; null: no key did. */
    key_id: string | null;
    expires_at: number | null;
    revoked_at: number | null;
    last_used_at: number | null;
    uses: number;
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
    /** When the webhook is checked next for events. */
    look_at: number;
    /** The end of the week of the last digest; null: no digest was sent. */
    digested_to: number | null;
    /** JSON: the last notification about each metric that moved (`LastNotified`). */
    told: string;
    /** What events are sent as; null: created before there were forms, as JSON. */
    form: string | null;
    /** JSON: [{ "metric", "below" or "above", "days", "filters" }]; null: none. */
    thresholds: string | null;
    /** JSON: kind, id and name of the actor; null: created before this was noted. */
    created_by: string | null;
  };
  /** How many mailboxes webhooks mailed on the last UTC day with mails (days since 1970-01-01). */
  mail_counts: { account_id: string; day: number; mailboxes: number };
  /** Events of webhooks and the state of their deliveries. */
  hook_deliveries: {
    /** The event's id, which receivers get. */
    id: string;
    account_id: string;
    hook_id: string;
    event: string;
    created_at: number;
    /** JSON, sent as it is; null: there is no further attempt. */
    body: string | null;
    state: string;
    /** When the next attempt is due; null: there is none. */
    next_at: number | null;
    /** JSON: [{ "at", "status", "durationMs", "error" }]. */
    attempts: string;
  };
  /** Sessions of browsers in the console. Times in milliseconds since 1970. */
  console_sessions: {
    /** SHA-256 of the browser's token. */
    hash: string;
    account_id: string;
    /** The API key that the browser signed in with. */
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
