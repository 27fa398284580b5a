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
