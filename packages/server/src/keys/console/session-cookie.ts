import type { IncomingHttpHeaders } from "node:http";

/** A cookie that a browser is given. */
export interface GivenCookie {
  readonly accountId: string;
  readonly token: string;
  readonly maxAgeSeconds: number;
  /** Whether the browser asked over https, and is to send the cookie only so. */
  readonly isSecure: boolean;
}

/** Nothing else of an address gets into a header field. */
const accountIdShape = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Each is looked up; a browser has one of ours, and what others of its host have set. */
const cookiesMax = 16;

/**
 * What a browser sends as the session of an account; empty: nothing, or no account has such an id.
 * Another service on the host may have set a cookie of the same name, and its own may come first.
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

/** The Set-Cookie field of a session. Scripts cannot read it, and no other page sends it. */
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

/** Several accounts in one browser: each has its own. */
function cookieName(accountId: string): string {
  return `sightline-${accountId}`;
}
