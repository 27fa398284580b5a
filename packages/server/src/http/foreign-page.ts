import type { IncomingHttpHeaders } from "node:http";

/**
 * Whether a browser says that it asks for a page of an origin that is neither set nor this
 * service's own. Browsers send `Sec-Fetch-Site` to addresses they trust (https, this machine), and
 * `Origin` with every POST to others. Programs send neither.
 */
export function isForeignPage(headers: IncomingHttpHeaders, origins: readonly string[]): boolean {
  const { origin, host, "sec-fetch-site": site } = headers;
  if (origin !== undefined && origins.includes(origin)) return false;
  if (site !== undefined) return site !== "same-origin" && site !== "none";
  return origin !== undefined && !isOriginOf(origin, host ?? "");
}

function isOriginOf(origin: string, host: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
}
