/**
 * Why a text is not a host as a Host field has it, and what to write in its place; null when it is
 * one. Hosts are compared as texts, so another spelling never matches.
 */
export function hostFault(text: string): string | null {
  if (text.includes("*")) return "each host must be named, without patterns";
  if (text.includes("://")) return "a host has no scheme";
  if (/^[\da-f]*:[\da-f]*:/i.test(text)) return "an IPv6 address stands in brackets";
  if (!URL.canParse(`http://${text}`)) return "no host name";
  const { hostname } = new URL(`http://${text}`);
  return hostname === text ? null : `write ${hostname}`;
}
