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
