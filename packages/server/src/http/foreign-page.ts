import type { FastifyRequest } from "fastify";

/** What a browser says of the page that asks, and how the request came, as a trusted proxy says. */
export type PageRequest = Pick<FastifyRequest, "headers" | "protocol">;

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
