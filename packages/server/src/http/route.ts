import type { IncomingHttpHeaders } from "node:http";
import type { Facts } from "../facts/facts.ts";
import type { Pieces } from "../platform/pieces.ts";
import type { AppServices } from "./app-services.ts";

/** A reply that went well. */
export interface Reply {
  /** 200 unless said otherwise. */
  readonly status?: 303 | 304 | 308;
  readonly contentType: string;
  readonly body: string | Buffer | Pieces;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A question to an account's facts: POST, JSON, and a session (interface, section 5). */
export interface AnalyticsRoute {
  readonly access: "session";
  readonly method: "POST";
  readonly path: string;
  /**
   * What a body, JSON of any shape, asks.
   * @throws ServiceError invalid_request when its shape is wrong.
   */
  readonly read: (body: unknown) => AskedQuestion;
}

/** A question without a body, about the whole account: GET, and a session. */
export interface AccountRoute {
  readonly access: "session";
  readonly method: "GET";
  readonly path: string;
  readonly ask: (services: AppServices, accountId: string) => Promise<AskedQuestion>;
}

/** A question that was read. */
export interface AskedQuestion {
  /** Equal keys of a route ask the same, and equal facts give them the same reply. */
  readonly key: string;
  /** The reply, as JSON. The signal aborts when nobody waits for it any more. */
  readonly answer: (
    facts: Facts,
    accountId: string,
    signal: AbortSignal,
  ) => Promise<Pieces | UnwrittenReply>;
}

/** A reply whose facts are there, and that may take long to write. */
export interface UnwrittenReply {
  /** The most bytes that it takes, about. */
  readonly bytesMost: number;
  /** Writes it; may be paused at each step. */
  readonly write: () => Iterator<void, Pieces>;
}

/** The exchange of a static key; its body, if any, is not looked at. */
export interface ExchangeRoute {
  readonly access: "key";
  readonly method: "POST";
  readonly path: string;
  /** @throws ServiceError key_invalid, or that of a limit. */
  readonly answer: (services: AppServices, call: ExchangeCall) => Promise<Reply>;
}

/** An exchange as it came in. */
export interface ExchangeCall {
  /** The header field as it was sent. */
  readonly authorization: string | undefined;
  /** The caller's address; that which a trusted proxy says. */
  readonly address: string;
}

/** What anybody may read. */
export interface OpenRoute {
  readonly access: "open";
  readonly method: "GET";
  readonly path: string;
  readonly answer: (
    services: AppServices,
    parameters: RouteParameters,
    headers: IncomingHttpHeaders,
  ) => Promise<Reply>;
}

/** The variable parts of an address. */
export type RouteParameters = Readonly<Record<string, string>>;

/** One address of the service. */
export type Route = AnalyticsRoute | AccountRoute | ExchangeRoute | OpenRoute;

/** A JSON reply. */
export function jsonReply(body: object): Reply {
  return { contentType: "application/json", body: JSON.stringify(body) };
}
