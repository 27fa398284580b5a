import { canonicalForm } from "./canonical-url.ts";
import { hostOf } from "./domain-of.ts";

const schemes = /^([a-z][a-z0-9+.-]*):\/\//i;
const dottedName = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/;

/**
 * A domain in the form that is compared: host, and path prefix if any.
 * `https://www.LinkedIn.com/company/acme/` becomes `linkedin.com/company/acme`. Scheme, `www.`,
 * port, query and fragment are dropped, and so is a leading `*.`, since a domain includes its
 * subdomains. Null when it is not a domain: a single word, an e-mail address, another scheme.
 */
export function normalizeDomainRule(raw: string): string | null {
  const text = raw.trim();
  const address = schemes.test(text) ? text : `https://${text.replace(/^\*?\./, "")}`;
  const authority = address.slice(address.indexOf("://") + 3).split(/[/?#\\]/, 1)[0] ?? "";
  if (authority.includes("@")) return null;
  const canonical = canonicalForm(address);
  if (canonical === null) return null;
  const host = hostOf(canonical);
  if (!dottedName.test(host) && !host.startsWith("[")) return null;
  const query = canonical.indexOf("?");
  const path = canonical.slice(canonical.indexOf("/", 8), query === -1 ? undefined : query);
  return path === "/" ? host : host + path;
}
