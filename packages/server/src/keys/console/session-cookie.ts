import type { IncomingHttpHeaders } from "node:http";

/** The properties of a session cookie. */
export interface GivenCookie {
  readonly name: string;
  /** Below which the browser sends it. */
  readonly path: string;
  readonly token: string;
  readonly maxAgeSeconds: number;
  /** Whether the request came over https; the cookie is then sent over https only. */
  readonly isSecure: boolean;
  /** `Lax`: it is also sent when another site leads to the path. Omitted: `Strict`. */
  readonly sameSite?: "Lax";
}

/** Only ids of this shape are copied from a path into a header field. */
const accountIdShape = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Each is looked up. A browser has one of ours, and those that other services of the host set. */
const cookiesMax = 16;

/**
 * The values of a browser's cookies of a name. Another service on the host may have set a cookie of
 * the same name, which may come first.
 */
export function cookiesNamed(
  { cookie = "" }: IncomingHttpHeaders,
  name: string,
): readonly string[] {
  const start = `${name}=`;
  return cookie
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start))
    .slice(0, cookiesMax)
    .map((pair) => pair.slice(start.length));
}

/** The Set-Cookie field of a session. Scripts cannot read it, and other sites do not send it. */
export function givenCookie(cookie: GivenCookie): string {
  const { name, path, token, maxAgeSeconds, isSecure, sameSite = "Strict" } = cookie;
  return [
    `${name}=${token}`,
    `Path=${path}`,
    `Max-Age=${maxAgeSeconds}`,
    "HttpOnly",
    `SameSite=${sameSite}`,
    ...(isSecure ? ["Secure"] : []),
  ].join("; ");
}

/** Values of the session cookies of an account; empty: none, or the id is malformed. */
export function sessionCookies(headers: IncomingHttpHeaders, accountId: string): readonly string[] {
  if (!accountIdShape.test(accountId)) return [];
  return cookiesNamed(headers, sessionCookie(accountId).name);
}

/** A cookie per account, since a browser may be signed in to several with a key each. */
export function sessionCookie(accountId: string): Pick<GivenCookie, "name" | "path"> {
  return { name: `sightline-${accountId}`, path: `/console/accounts/${accountId}/` };
}
