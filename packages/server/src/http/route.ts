import type { IncomingHttpHeaders } from "node:http";
import type { Scope } from "@sightline/contract";
import type { FastifyRequest } from "fastify";
import type { FileWork } from "../accounts/apply-thread.ts";
import type { KeyRecord } from "../keys/key-store.ts";
import type { ServiceError } from "../platform/service-error.ts";
import type { AppServices, CallerServices } from "./app-services.ts";

/** A reply that went well. */
export interface Reply {
  /** 200 unless said otherwise. */
  readonly status?: 202 | 303 | 304 | 308;
  readonly contentType: string;
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A question to an account's facts: POST, JSON, and a session (interface, section 5). */
export interface QuestionRoute {
  readonly access: "session";
  readonly scope: Scope;
  readonly method: "POST";
  readonly path: string;
  /**
   * What a body, JSON of any shape, asks.
   * @throws ServiceError invalid_request when its shape is wrong.
   */
  readonly parse: (body: unknown, caller: Caller) => ParsedRequest | Promise<ParsedRequest>;
}

/** Who asks, and by what the question is understood. */
export interface Caller {
  readonly services: AppServices;
  readonly accountId: string;
}

/** A question without a body, about the account or one thing of it: GET, and a session. */
export interface AccountRoute {
  readonly access: "session";
  readonly scope: Scope;
  readonly method: "GET";
  readonly path: string;
  readonly parse: (
    services: AppServices,
    accountId: string,
    parameters: RouteParameters,
  ) => Promise<ParsedRequest>;
}

/** A request that was validated. */
export interface ParsedRequest {
  /** Equal keys of a route ask the same, and equal facts give them the same reply. */
  readonly key: string;
  /** The reply shows texts, which may be removed while the facts stay: it is made each time. */
  readonly showsTexts?: true;
  /** The reply, as JSON. */
  readonly reply: (call: ReplyCall) => Promise<Buffer>;
  /** More header fields of the reply. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** For whom a reply is made, and with what. */
export interface ReplyCall {
  readonly services: CallerServices;
  readonly accountId: string;
  /** Aborts when nobody waits for the reply any more. */
  readonly signal: AbortSignal;
}

/** A stream of answers that is recorded: POST, NDJSON of any length, and a session. */
export interface ImportRoute {
  readonly access: "import";
  readonly scope: Scope;
  readonly method: "POST";
  readonly path: string;
}

/** A file of a few megabytes that says what an account has: PUT, and a session. */
export interface FileRoute {
  readonly access: "file";
  readonly scope: Scope;
  readonly method: "PUT";
  readonly path: string;
  readonly bytesMax: number;
  /** Why a file is refused for what its fields say of it; null: it is taken. */
  readonly fault: (headers: IncomingHttpHeaders) => ServiceError | null;
  readonly reply: (services: AppServices, call: FileCall) => Promise<Reply>;
}

/** A file as it came. */
export interface FileCall {
  readonly caller: KeyRecord;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly work: FileWork;
  readonly headers: IncomingHttpHeaders;
  readonly query: Readonly<Record<string, unknown>>;
}

/** Lists or changes what an account has: a session, and nothing of the reply is kept. */
export interface OperationRoute {
  readonly access: "operation";
  readonly scope: Scope;
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  /** Whether a POST has a body, which is JSON; true unless it is said. */
  readonly hasBody?: boolean;
  readonly reply: (services: AppServices, call: OperationCall) => Promise<Reply>;
}

/** An operation as it was asked for. */
export interface OperationCall {
  readonly caller: KeyRecord;
  /** JSON of any shape; undefined when the operation has none. */
  readonly body: unknown;
  readonly parameters: RouteParameters;
}

/** The exchange of a static key; its body, if any, is not looked at. */
export interface ExchangeRoute {
  readonly access: "key";
  readonly method: "POST";
  readonly path: string;
  /** @throws ServiceError key_invalid, or that of a limit. */
  readonly reply: (services: AppServices, call: ExchangeCall) => Promise<Reply>;
}

/** An exchange as it came in. */
export interface ExchangeCall {
  /** The header field as it was sent. */
  readonly authorization: string | undefined;
  /** The caller's address; that which a trusted proxy says. */
  readonly address: string;
}

/** Signs a browser in to the console, or out: the console's page alone may ask. */
export interface ConsoleRoute {
  readonly access: "console";
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  /** Whether it takes a body, of JSON. */
  readonly hasBody: boolean;
  /** @throws ServiceError */
  readonly reply: (services: AppServices, call: ConsoleCall) => Promise<Reply>;
}

/** What the console's page asks. */
export interface ConsoleCall {
  readonly request: Pick<FastifyRequest, "headers" | "params" | "protocol">;
  /** The caller's address; that which a trusted proxy says. */
  readonly address: string;
  /** Whether it came over https, as a trusted proxy says. */
  readonly isSecure: boolean;
  /** JSON of any shape; undefined unless the route takes one. */
  readonly body: unknown;
}

/** What anybody may read. */
export interface OpenRoute {
  readonly access: "open";
  readonly method: "GET";
  readonly path: string;
  readonly reply: (
    services: AppServices,
    parameters: RouteParameters,
    headers: IncomingHttpHeaders,
  ) => Promise<Reply>;
}

/** The variable parts of an address. */
export type RouteParameters = Readonly<Record<string, string>>;

/** One address of the service. */
export type Route =
  | QuestionRoute
  | AccountRoute
  | ImportRoute
  | FileRoute
  | OperationRoute
  | ExchangeRoute
  | ConsoleRoute
  | OpenRoute;

/** A JSON reply. */
export function jsonReply(body: object): Reply {
  return { contentType: "application/json", body: JSON.stringify(body) };
}
