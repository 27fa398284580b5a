import type { IncomingHttpHeaders } from "node:http";

/** The properties of a session cookie. */
export interface GivenCookie {
  readonly accountId: string;
  readonly token: string;
  readonly maxAgeSeconds: number;
  /** Whether the request came over https; the cookie is then sent over https only. */
  readonly isSecure: boolean;
}

/** Only ids of this shape are copied from a path into a header field. */
const accountIdShape = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Each is looked up. A browser has one of ours, and those that other services of the host set. */
const cookiesMax = 16;

/**
 * The values of a browser's session cookies for an account; empty: none, or the id is malformed.
 * Another service on the host may have set a cookie of the same name, which may come first.
 */
export function sessionCookies(
  { cookie = "" }: IncomingHttpHeaders,
  accountId: string,
): readonly string[] {
  if (!accountIdShape.test(accountId)) return [];
  const start = `${cookieName(accountId)}=`;
  return cookie
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start))
    .slice(0, cookiesMax)
    .map((pair) => pair.slice(start.length));
}

/** The Set-Cookie field of a session. Scripts cannot read it, and other sites do not send it. */
export function givenCookie({ accountId, token, maxAgeSeconds, isSecure }: GivenCookie): string {
  return [
    `${cookieName(accountId)}=${token}`,
    `Path=/console/accounts/${accountId}/`,
    `Max-Age=${maxAgeSeconds}`,
    "HttpOnly",
    "SameSite=Strict",
    ...(isSecure ? ["Secure"] : []),
  ].join("; ");
}

/** A cookie per account, since a browser may be signed in to several. */
function cookieName(accountId: string): string {
  return `sightline-${accountId}`;
}
