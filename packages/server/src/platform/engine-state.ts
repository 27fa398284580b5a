/** The size of a table, or of all that an engine holds. */
export interface TableSize {
  /** With its database or schema, such as `system.query_log`. */
  readonly table: string;
  readonly bytes: number;
  /** Of the engine itself: not of ours. */
  readonly isOfEngine: boolean;
}

/** What the doctor asks an engine of a cluster. Each question fails when it is not answered. */
export interface EngineState {
  readonly kind: "ClickHouse" | "PostgreSQL" | "Redis";
  /** Host and port, without user and password. */
  readonly address: string;
  /** Its version, such as 15.4; the text before and after it does not count. */
  readonly version: () => Promise<string>;
  /** Its time of day: milliseconds since 1970, UTC. */
  readonly nowMs: () => Promise<number>;
  readonly sizes: () => Promise<readonly TableSize[]>;
  /** What `sightline migrate` would make, by name. */
  readonly missing: () => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

/** The ports of addresses that name none. */
const defaultPorts: Readonly<Record<string, number>> = {
  "http:": 80,
  "https:": 443,
  "redis:": 6379,
  "rediss:": 6379,
  "postgres:": 5432,
  "postgresql:": 5432,
};

/** Host and port of a URL, for people: without the user and the password. */
export function hostOf(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port || defaultPorts[protocol]}`;
}
