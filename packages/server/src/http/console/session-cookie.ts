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

/** The session that a browser sends for an account; null: none, or no account has such an id. */
export function sessionCookie(
  { cookie = "" }: IncomingHttpHeaders,
  accountId: string,
): string | null {
  if (!accountIdShape.test(accountId)) return null;
  const start = `${cookieName(accountId)}=`;
  const found = cookie
    .split(";")
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(start));
  return found === undefined ? null : found.slice(start.length);
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
