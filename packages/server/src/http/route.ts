import type { Services } from "../services.ts";

/** A reply that went well. */
export interface Reply {
  readonly contentType: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A question to an account's facts: POST, JSON, and a session (interface, section 5). */
export interface AnalyticsRoute {
  readonly access: "session";
  readonly method: "POST";
  readonly path: string;
  /** `body` is JSON of any shape. @throws ServiceError invalid_request when its shape is wrong. */
  readonly answer: (services: Services, accountId: string, body: unknown) => Promise<Reply>;
}

/** The exchange of a static key; its body, if any, is not looked at. */
export interface ExchangeRoute {
  readonly access: "key";
  readonly method: "POST";
  readonly path: string;
  /** `authorization`: the header field as it was sent. @throws ServiceError key_invalid. */
  readonly answer: (services: Services, authorization: string | undefined) => Promise<Reply>;
}

/** What anybody may read. */
export interface OpenRoute {
  readonly access: "open";
  readonly method: "GET";
  readonly path: string;
  readonly answer: (services: Services, parameters: RouteParameters) => Promise<Reply>;
}

/** The variable parts of an address. */
export type RouteParameters = Readonly<Record<string, string>>;

/** One address of the service. */
export type Route = AnalyticsRoute | ExchangeRoute | OpenRoute;

/** A JSON reply. */
export function jsonReply(body: object): Reply {
  return { contentType: "application/json", body: JSON.stringify(body) };
}
