/**
 * Why a text is not an origin as browsers send it in `Origin` (RFC 6454, 6.2), and what to write in
 * its place; null when it is one. Origins are compared as texts, so another spelling never matches.
 */
export function originFault(text: string): string | null {
  if (text === "*") return "each origin must be named";
  if (!/^https?:\/\//i.test(text)) return "an origin begins with http:// or https://";
  if (!URL.canParse(text)) return "no host, or a port that cannot be";
  const { origin, host } = new URL(text);
  // The URL standard lets a star stand in a host.
  if (host.includes("*")) return "each origin must be named, without patterns";
  return origin === text ? null : `browsers send ${origin}`;
}
