import { openApiPath } from "@sightline/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ServiceError } from "../platform/service-error.ts";
import { afterParsing, beforeSending, refuse } from "./hooks.ts";

/** Below this address is the API. */
const apiPrefix = "/v1/";

/** How long a browser may remember a preflight: the most that Chromium takes. */
const preflightSeconds = 7_200;

/** What clients wait by, and what finds a call in the log; a page sees the body without these. */
const exposed = "Date, ETag, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id";

const preflightFields = {
  // An address that takes other methods says so itself: to a page too.
  "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, DELETE",
  "Access-Control-Allow-Headers": "Authorization, Content-Type, If-Match",
  "Access-Control-Max-Age": String(preflightSeconds),
};

/**
 * Lets pages of these origins read the replies of the API (the Fetch standard, 3.3); nothing is
 * changed when there are none. Credentials of the browser are not allowed: a session is sent.
 */
export function addCors(app: FastifyInstance, origins: ReadonlySet<string>): void {
  if (origins.size === 0) return;
  app.addHook("onRequest", (request, reply, done) => {
    if (isPreflight(request) && isOpen(request) && isAllowed(origins, request)) {
      afterParsing(() => reply.code(204).headers(preflightFields).send());
    } else done();
  });
  // As late as this, so that refusals have the fields, and what a reply sets of Vary is known.
  beforeSending(app, (request, reply) => addCorsFields(origins, request, reply));
}

/** The fields of any reply, refusals included; a foreign origin gets `Vary` alone. */
export function addCorsFields(
  origins: ReadonlySet<string>,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  if (origins.size === 0 || !isOpen(request)) return;
  // Also where no origin was sent: a cache must not give that reply to a page.
  reply.header("Vary", [reply.getHeader("Vary") ?? [], "Origin"].flat().join(", "));
  if (!isAllowed(origins, request)) return;
  reply.header("Access-Control-Allow-Origin", request.headers.origin);
  reply.header("Access-Control-Expose-Headers", exposed);
}

/** Before a page may send a session, its browser asks with OPTIONS and without one. */
function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
}

/**
 * Whether an address is for pages of other origins: all below /v1, known or not, so that a page can
 * read that there is nothing; and the document that describes it.
 */
function isOpen({ routeOptions, url }: FastifyRequest): boolean {
  const address = routeOptions.url ?? url.split("?")[0] ?? "";
  return address === openApiPath || address.startsWith(apiPrefix);
}

function isAllowed(origins: ReadonlySet<string>, { headers }: FastifyRequest): boolean {
  return headers.origin !== undefined && origins.has(headers.origin);
}

/** What a browser says of the page that asks, and how the request came, as a trusted proxy says. */
type PageRequest = Pick<FastifyRequest, "headers" | "protocol">;

/**
 * Whether a browser says that it asks for a page of an origin that is neither set nor this
 * service's own. Browsers send `Sec-Fetch-Site` to addresses they trust (https, this machine), and
 * `Origin` with every POST to others. Programs send neither.
 */
export function isForeignPage(
  { headers, protocol }: PageRequest,
  origins: readonly string[],
): boolean {
  const { origin, host = "", "sec-fetch-site": site } = headers;
  if (origin !== undefined && origins.includes(origin)) return false;
  if (site !== undefined) return site !== "same-origin" && site !== "none";
  // Over another scheme the same host is another origin, and may be another service.
  return origin !== undefined && !isOrigin(origin, `${protocol}://${host}`);
}

/** Whether a field names the origin of an address, in whose spelling a default port may stand. */
function isOrigin(field: string, address: string): boolean {
  return URL.canParse(address) && new URL(address).origin === field;
}

const notFromConsole =
  "Only the console's own page may ask here: with the header field `Sightline-Console: 1`, and " +
  "from the same origin. Programs use /v1 with a session token.";

/**
 * Why a request to the console's addresses is refused; null: the console's page sent it. Cookies
 * are sent for whatever page asks, and a form needs no consent. A field of our own does: a browser
 * asks the service first (CORS), which consents to no origin here. Another port of the same host is
 * the same site to SameSite cookies, but another origin.
 */
export function consoleFault(request: PageRequest): ServiceError | null {
  const isMarked = request.headers["sightline-console"] === "1";
  if (isMarked && !isForeignPage(request, [])) return null;
  return new ServiceError("not_from_console", notFromConsole);
}

/**
 * Refuses requests to other hosts than these; nothing is changed when there are none. A page whose
 * own name was made to lead here (DNS rebinding) is of the same origin for its browser, but it
 * cannot choose the Host field.
 */
export function addAllowedHosts(app: FastifyInstance, hosts: ReadonlySet<string>): void {
  if (hosts.size === 0) return;
  app.addHook("onRequest", ({ headers, routeOptions }, _reply, done) => {
    const { anyHost } = routeOptions.config;
    if (anyHost === true || hosts.has(hostOf(headers.host ?? ""))) done();
    else refuse(done, new ServiceError("host_not_allowed", notAllowedHost));
  });
}

const notAllowedHost =
  "This host is not in --allowed-hosts. Use a host name that the operator configured.";

/** The host of a Host field, without its port. */
function hostOf(field: string): string {
  return field.toLowerCase().replace(/:\d*$/, "");
}

/**
 * Why a text is not a host as a Host field has it, and what to write in its place; null when it is
 * one. Hosts are compared as texts, so another spelling never matches.
 */
export function hostFault(text: string): string | null {
  if (text.includes("*")) return "patterns are not supported";
  if (text.includes("://")) return "leave out the scheme";
  if (/^[\da-f]*:[\da-f]*:/i.test(text)) return "write an IPv6 address in brackets";
  if (!URL.canParse(`http://${text}`)) return "not a host name";
  const { hostname } = new URL(`http://${text}`);
  return hostname === text ? null : `write ${hostname}`;
}

/**
 * Why a text is not an origin as browsers send it in `Origin` (RFC 6454, 6.2), and what to write in
 * its place; null when it is one. Origins are compared as texts, so another spelling never matches.
 */
export function originFault(text: string): string | null {
  if (text === "*") return "list each origin";
  if (!/^https?:\/\//i.test(text)) return "must begin with http:// or https://";
  if (!URL.canParse(text)) return "invalid host or port";
  const { origin, host } = new URL(text);
  // The URL standard lets a star stand in a host.
  if (host.includes("*")) return "patterns are not supported";
  return origin === text ? null : `write ${origin}`;
}
