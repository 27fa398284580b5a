/** A failure of ClickHouse, or of the way to it. */
export class ClickhouseError extends Error {
  /**
   * "unavailable": it is away, overloaded or too slow, and the same may work later; "refused": it
   * understood, and says no.
   */
  readonly fault: "unavailable" | "refused";

  constructor(fault: ClickhouseError["fault"], cause: unknown) {
    super(messageOf(fault, cause), { cause });
    this.name = "ClickhouseError";
    this.fault = fault;
  }
}

/** ClickHouse is named, being one engine of several; what is not its reply is said in our words. */
function messageOf(fault: ClickhouseError["fault"], cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause);
  if (text.startsWith("ClickHouse")) return text;
  return `ClickHouse ${fault === "refused" ? "refuses" : "is unavailable"}: ${reasonIn(text)}`;
}

function reasonIn(text: string): string {
  if (/wrong version number|packet length too long/.test(text)) {
    return "its address says https:, and the port speaks http:";
  }
  // Of a proxy, or of a port that only speaks TLS.
  return text.trimStart().startsWith("<")
    ? "it replied with a web page: is the address right?"
    : text;
}

/** What the server says when the same statement may work later, by the numbers of its errors. */
const passing: ReadonlySet<string> = new Set([
  "3", // UNEXPECTED_END_OF_FILE: the request was cut
  "32", // ATTEMPT_TO_READ_AFTER_EOF: a shard died
  "33", // CANNOT_READ_ALL_DATA: as above
  "159", // TIMEOUT_EXCEEDED
  "160", // TOO_SLOW
  "164", // READONLY: also a replica without Keeper
  "173", // CANNOT_ALLOCATE_MEMORY
  "198", // DNS_ERROR
  "202", // TOO_MANY_SIMULTANEOUS_QUERIES
  "203", // NO_FREE_CONNECTION
  "209", // SOCKET_TIMEOUT
  "210", // NETWORK_ERROR
  "225", // NO_ZOOKEEPER
  "236", // ABORTED
  "241", // MEMORY_LIMIT_EXCEEDED
  "242", // TABLE_IS_READ_ONLY
  "243", // NOT_ENOUGH_SPACE
  "252", // TOO_MANY_PARTS
  "279", // ALL_CONNECTION_TRIES_FAILED
  "285", // TOO_FEW_LIVE_REPLICAS
  "286", // UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE
  "319", // UNKNOWN_STATUS_OF_INSERT
  "394", // QUERY_WAS_CANCELLED
  "439", // CANNOT_SCHEDULE_TASK
  "516", // AUTHENTICATION_FAILED: users are not loaded yet, or the password was changed
  "519", // ALL_REPLICAS_LOST
  "999", // KEEPER_EXCEPTION
  "1000", // POCO_EXCEPTION: of a connection
]);

/** NO_SUCH_COLUMN_IN_TABLE, UNKNOWN_IDENTIFIER, UNKNOWN_TABLE, UNKNOWN_DATABASE. */
const missing: ReadonlySet<string> = new Set(["16", "47", "60", "81"]);

/** What a failed request says. */
export function clickhouseError(error: unknown): ClickhouseError {
  if (error instanceof ClickhouseError) return error;
  const isServers = error instanceof Error && error.constructor.name === "ClickHouseError";
  const code = isServers && "code" in error ? String(error.code) : null;
  // Whatever the server did not say itself came from the connection: cut, refused, too late.
  const isPassing = code === null || passing.has(code);
  if (code !== null && missing.has(code)) {
    const message = "ClickHouse lacks tables or columns of this version: run sightline migrate";
    return new ClickhouseError("refused", new Error(message, { cause: error }));
  }
  return new ClickhouseError(isPassing ? "unavailable" : "refused", error);
}
