import { Socket } from "node:net";
import type { ClientConfig, Pool, PoolClient } from "pg";
import { ServiceError } from "./service-error.ts";

/** How PostgreSQL is used. */
export interface PostgresOptions {
  /** How long a statement may take. It also ends a connection on which no whole reply comes. */
  readonly statementMs: number;
  readonly connectionsMax: number;
}

const connectMs = 3_000;
/** Less than any statement may take: a connection of the pool that is idle is closed first. */
const idleMs = 4_000;
/** PostgreSQL ends a late statement itself; without its word by then, the network is at fault. */
const replyGraceMs = 1_000;
/**
 * A process that sleeps within a transaction must not keep the others from its rows: a node that
 * serves waits for 3 s, and would fail.
 */
export const idleInTransactionMs = 2_000;
const keepAliveMs = 10_000;

/** PostgreSQL's number of the type int8. */
const int8 = 20;

/**
 * A pool of connections. The driver is loaded here, and so when an address is given. `int8` is read
 * as a number. An idle connection that breaks leaves the pool, and nothing else happens.
 */
export async function openPostgres(url: string, options: PostgresOptions): Promise<Pool> {
  const { default: pg } = await import("pg");
  const pool = new pg.Pool({
    ...(await postgresClientConfig(url, options)),
    max: options.connectionsMax,
    idleTimeoutMillis: idleMs,
  });
  pool.on("error", () => undefined);
  pool.on("connect", (client) => {
    // Also of a connection in use: its statement fails, and says why.
    client.on("error", () => undefined);
    endWhenLate(client, options.statementMs + replyGraceMs);
  });
  return pool;
}

/** How one connection is configured. */
export async function postgresClientConfig(
  url: string,
  { statementMs }: Pick<PostgresOptions, "statementMs">,
): Promise<ClientConfig> {
  const { default: pg } = await import("pg");
  return {
    connectionString: url,
    application_name: "sightline",
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    stream: () => silentlyBounded(statementMs + replyGraceMs),
    types: {
      getTypeParser: (oid: number, format?: "text" | "binary") =>
        oid === int8 && format !== "binary" ? exactNumber : pg.types.getTypeParser(oid, format),
    } as NonNullable<ClientConfig["types"]>,
  };
}

/** A socket that ends when nothing comes for so long, as over a network that swallows packets. */
function silentlyBounded(silentMs: number): Socket {
  const socket = new Socket();
  socket.setTimeout(silentMs, () => {
    socket.destroy(new Error(`PostgreSQL did not reply within ${silentMs} ms`));
  });
  return socket;
}

/**
 * Ends a connection whose replies are not complete in time, even if some bytes of them keep coming.
 * The driver's own bound would leave the connection in the pool, with the reply still to come.
 */
function endWhenLate(client: PoolClient, lateMs: number): void {
  const { connection } = client as PoolClient & { readonly connection: { stream: Socket } };
  let timer: NodeJS.Timeout | null = null;
  let isOpen = true;
  const late = () => {
    connection.stream.destroy(new Error(`PostgreSQL took longer than ${lateMs} ms to reply`));
  };
  const ended = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };
  const query = client.query.bind(client) as (...parameters: readonly unknown[]) => unknown;
  const timed = (...parameters: readonly unknown[]) => {
    // Of a connection that has ended, a statement fails immediately.
    if (isOpen) timer ??= setTimeout(late, lateMs);
    return query(...parameters);
  };
  Object.assign(client, { query: timed });
  client.on("drain", ended); // nothing is asked any more
  client.on("end", () => {
    isOpen = false;
    ended();
  });
}

function exactNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`${text} is too large for a number`);
  return value;
}

/** PostgreSQL cannot be reached, or could not do now what it was asked. */
export class PostgresUnavailableError extends ServiceError {
  constructor(cause: unknown) {
    super("overloaded", "A database of the service is unavailable. Retry after Retry-After.", {
      headers: { "Retry-After": "1" },
      cause,
    });
    this.name = "PostgresUnavailableError";
    this.message = `PostgreSQL is unavailable: ${reasonOf(cause)}`;
  }
}

/** Several addresses of a host fail together, without a message. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  if (cause instanceof AggregateError && cause.message === "") {
    return cause.errors.map((each) => reasonOf(each)).join(", ");
  }
  return cause.message;
}

/**
 * SQLSTATEs of a server that goes away or has no resources, of a statement that took too long, and
 * of one that was in the way of another: all may work when they are tried again.
 */
const passing = /^(08|53|57|40|55P03|25P03|25006)/;

/** SQLSTATEs of a wrong user, password or database, and of a user who may not do it. */
const refusing = /^(28|3D|42501)/;

/** The same error, or that PostgreSQL is unavailable or refuses when that is what it says. */
export function withUnavailable(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ServiceError) return error;
  if (error instanceof TypeError || error instanceof RangeError) return error;
  const isReply = "severity" in error && "code" in error;
  if (isReply && refusing.test(String(error.code))) {
    return new Error(`PostgreSQL refuses: ${error.message}`, { cause: error });
  }
  if (isReply && !passing.test(String(error.code))) return error;
  return new PostgresUnavailableError(error);
}

/**
 * PostgreSQL's texts have every character but U+0000, which a name or a prompt may have. It is
 * stored as an escape of two characters, and so is the character that begins the escape: one of
 * Unicode's private use, so that texts without either are stored as they are.
 */
const mark = "\u{e000}";
const nul = "\u{0}";

/** A text as it is stored. */
export function toStored(text: string): string {
  if (!text.includes(nul) && !text.includes(mark)) return text;
  return text.replaceAll(mark, `${mark}1`).replaceAll(nul, `${mark}0`);
}

/** The text that was stored. */
export function fromStored(text: string): string {
  if (!text.includes(mark)) return text;
  return text.replaceAll(`${mark}0`, nul).replaceAll(`${mark}1`, mark);
}
