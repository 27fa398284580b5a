import type { IncomingHttpHeaders } from "node:http";
import { type OperationName, operations, type Scope } from "@sightline/contract";
import type { FastifyRequest } from "fastify";
import type { Actor } from "../platform/actor.ts";
import type { ServiceError } from "../platform/service-error.ts";
import type { PendingReplyBytes } from "./pending-reply-bytes.ts";

/** A reply that is not a problem: 403 is a form that has to be filled in again. */
export interface Reply {
  /** 200 unless said otherwise. */
  readonly status?: 202 | 303 | 304 | 308 | 403;
  readonly contentType: string;
  readonly body: string | Buffer;
  /** A field with several values is sent several times. */
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

/** A JSON reply. */
export function jsonReply(body: object): Reply {
  return { contentType: "application/json", body: JSON.stringify(body) };
}

/** The key of a caller who is known, and what it may do. A person and a link are callers, too. */
export interface CallerKey {
  /** Omitted: a key of the account. */
  readonly kind?: "person" | "link";
  /** Of the key, person or link: calls are counted by it. */
  readonly id: string;
  readonly name: string;
  readonly accountId: string;
  readonly scopes: readonly Scope[];
  /** Calls per second; null: the service's default. */
  readonly ratePerSecond: number | "off" | null;
  /** Calls per UTC day; null: the service's default. */
  readonly dailyQuota: number | "off" | null;
}

/** A caller, as the audit log has it. */
export function actorOf({ kind, id, name }: CallerKey, requestId: string): Actor {
  return { kind: kind ?? "key", id, name, requestId };
}

/** A way in which callers are known. No way takes the credentials of another one. */
export interface CallerKind {
  /** What precedes the addresses of the API. */
  readonly prefix: string;
  /** The key of a request's session. @throws ServiceError when there is no valid session. */
  readonly identify: (request: FastifyRequest) => Promise<CallerKey>;
  /**
   * Whether a caller who was identified may go on with what needs the scope: a token that expired
   * since does not matter.
   */
  readonly isStillGood: (
    request: FastifyRequest,
    caller: CallerKey,
    scope: Scope,
  ) => Promise<boolean>;
}

/** The variable parts of an address. */
export type PathParameters = Readonly<Record<string, string>>;

/** A call of a known caller. */
export interface Call {
  readonly caller: CallerKey;
  /** As the audit log has the caller. */
  readonly actor: Actor;
  /** JSON of any shape; undefined when the operation has none. */
  readonly body: unknown;
  readonly parameters: PathParameters;
  readonly headers: IncomingHttpHeaders;
  readonly query: Readonly<Record<string, unknown>>;
  /** Where it was asked, such as https://sightline.example; omitted: by the service itself. */
  readonly origin?: string;
}

/** An operation of a known caller: a session, and a scope of its key. */
interface Known {
  readonly scope: Scope;
  /** Its address; a variable part is `:name`. */
  readonly path: string;
}

/** What an operation of the contract is served by: its method, address, scope and kind of body. */
export function declared<Name extends OperationName>(name: Name) {
  const { method, scope, path }: Pick<(typeof operations)[Name], "method" | "scope" | "path"> =
    operations[name];
  return {
    method,
    scope,
    path: path.replaceAll(/\{(\w+)\}/g, ":$1"),
    hasBody: "body" in operations[name],
  } as const;
}

/** Asks an account's facts: replies are cached, and end at the deadline (interface, section 5). */
export interface Question<Services> extends Known {
  readonly kind: "question";
  readonly method: "GET" | "POST";
  /**
   * What a call asks.
   * @throws ServiceError invalid_request when the body has another shape.
   */
  readonly parse: (services: Services, call: Call) => ParsedQuestion | Promise<ParsedQuestion>;
}

/** A question that was validated. */
export interface ParsedQuestion {
  /** Equal keys of an operation ask the same, and equal facts give them the same reply. */
  readonly key: string;
  /** The reply shows texts, which may be removed while the facts stay: it is made each time. */
  readonly showsTexts?: true;
  /** The reply, as JSON. */
  readonly reply: (call: ReplyCall) => Promise<Buffer>;
  /** More header fields of the reply. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** For whom the reply to a question is made. */
export interface ReplyCall {
  readonly accountId: string;
  /** Aborts when nobody waits for the reply any more. */
  readonly signal: AbortSignal;
  readonly pendingReplyBytes: PendingReplyBytes;
}

/** Lists what an account has; nothing of the reply is kept. */
export interface List<Services> extends Known {
  readonly kind: "list";
  readonly method: "GET";
  readonly reply: (services: Services, call: Call) => Promise<Reply>;
}

/** A call that may take long before it changes anything. */
export interface EndableCall extends Call {
  /** Aborts when the call has to end. */
  readonly ended: AbortSignal;
}

/** Changes what an account has. A change that has begun is completed, even if its call ends. */
export interface Change<Services> extends Known {
  readonly kind: "change";
  readonly method: "POST" | "PUT" | "DELETE";
  /** Whether it has a body, which is JSON. */
  readonly hasBody: boolean;
  readonly reply: (services: Services, call: EndableCall) => Promise<Reply>;
}

/** A file of a few megabytes that says what an account has. */
export interface FileUpload<Services> extends Known {
  readonly kind: "file";
  readonly method: "PUT";
  readonly bytesMax: number;
  /** Why a file is refused for what its fields say of it; null: it is taken. */
  readonly fault: (headers: IncomingHttpHeaders) => ServiceError | null;
  /** How much work a file of so many bytes is. */
  readonly workOf: (services: Services, accountId: string, bytes: number) => Promise<FileSize>;
  readonly reply: (services: Services, call: FileCall) => Promise<Reply>;
}

/** Small files have a place that large ones never take. */
export type FileSize = "small" | "large";

/** A file as it came. */
interface FileCall extends Call {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly work: FileSize;
}

/** A body of any length, which is read as it comes. */
export interface StreamUpload<Services> extends Known {
  readonly kind: "stream";
  readonly method: "POST";
  /** Why a stream is refused for what its fields say of it; null: it is taken. */
  readonly fault: (headers: IncomingHttpHeaders) => ServiceError | null;
  readonly reply: (services: Services, call: StreamCall) => Promise<Reply>;
}

/** A stream as it comes. */
interface StreamCall extends EndableCall {
  readonly stream: AsyncIterable<Buffer>;
}

/** The exchange of a static key; its body, if any, is not looked at. */
export interface Exchange<Services> {
  readonly kind: "exchange";
  readonly method: "POST";
  readonly path: string;
  /** @throws ServiceError key_invalid, or that of a limit. */
  readonly reply: (services: Services, call: ExchangeCall) => Promise<Reply>;
}

/** An exchange as it came in. */
interface ExchangeCall {
  /** The header field as it was sent. */
  readonly authorization: string | undefined;
  /** The caller's address; that which a trusted proxy says. */
  readonly address: string;
}

/** Signs a browser in to the console, or out: the console's page alone may ask. */
export interface ConsoleOperation<Services> {
  readonly kind: "console";
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  /** Whether it has a body, which is JSON. */
  readonly hasBody: boolean;
  /** @throws ServiceError */
  readonly reply: (services: Services, call: ConsoleCall) => Promise<Reply>;
}

/** What the console's page asks. */
interface ConsoleCall {
  readonly request: Pick<FastifyRequest, "headers" | "params" | "protocol" | "socket">;
  readonly requestId: string;
  /** The caller's address; that which a trusted proxy says. */
  readonly address: string;
  /** Whether it came over https, as a trusted proxy says. */
  readonly isSecure: boolean;
  /** JSON of any shape; undefined unless the operation has a body. */
  readonly body: unknown;
  /** Aborts when the call has to end: when `isStillGood` gives false, as of a known caller. */
  readonly endedUnless: (isStillGood: () => Promise<boolean>) => AbortSignal;
}

/**
 * What everybody may read who has its address: the address has a secret, and so no log has it.
 * People and programs that only fetch addresses ask, so a failure is a page, too.
 */
export interface SharedOperation<Services> {
  readonly kind: "shared";
  readonly method: "GET" | "POST";
  readonly path: string;
  /** Whether it has a body, which is a form of few bytes. */
  readonly hasForm: boolean;
  /** @throws ServiceError */
  readonly reply: (services: Services, call: SharedCall) => Promise<Reply>;
  /** What is shown in place of the reply; its status and the error's fields are added. */
  readonly failure: (error: ServiceError) => Omit<Reply, "status">;
}

/** What is asked with a shared address. */
export interface SharedCall {
  readonly parameters: PathParameters;
  readonly headers: IncomingHttpHeaders;
  /** The caller's address; that which a trusted proxy says. */
  readonly address: string;
  /** Whether it came over https, as a trusted proxy says. */
  readonly isSecure: boolean;
  /** The fields of the form; null: there is none. */
  readonly form: URLSearchParams | null;
  /**
   * Counts the call as one of this caller.
   * @throws ServiceError rate_limited or quota_exhausted.
   */
  readonly take: (caller: CallerKey) => Promise<void>;
  /** As that of a `ConsoleCall`: for what is shown without a question. */
  readonly endedUnless: (isStillGood: () => Promise<boolean>) => AbortSignal;
  /**
   * The reply to a question of the caller that was taken, under the deadline of questions. It ends
   * when `isStillGood` gives false.
   */
  readonly ask: (question: SharedQuestion) => Promise<Buffer>;
}

/** A question that a shared address asks. */
export interface SharedQuestion {
  readonly accountId: string;
  /** Equal keys ask the same of equal facts. */
  readonly parsed: ParsedQuestion;
  readonly isStillGood: () => Promise<boolean>;
}

/** What anybody may read. */
export interface OpenOperation<Services> {
  readonly kind: "open";
  readonly method: "GET";
  readonly path: string;
  /** Replies under any host: it tells nothing that a foreign page could use. */
  readonly anyHost?: true;
  readonly reply: (
    services: Services,
    parameters: PathParameters,
    headers: IncomingHttpHeaders,
    call: OpenCall,
  ) => Promise<Reply>;
}

/** What is known of anybody who asks. */
interface OpenCall {
  readonly requestId: string;
  /** The query with its question mark; empty: there is none. */
  readonly search: string;
  /** Whether it came over https, as a trusted proxy says. */
  readonly isSecure: boolean;
}

/** One address of the service, with all that it does: what needs less of the services fits too. */
export type Operation<Services> =
  | Question<Services>
  | List<Services>
  | Change<Services>
  | FileUpload<Services>
  | StreamUpload<Services>
  | Exchange<Services>
  | ConsoleOperation<Services>
  | SharedOperation<Services>
  | OpenOperation<Services>;

/** The operations of callers who are known. */
export type KnownOperation<Services> = Extract<Operation<Services>, Known>;
