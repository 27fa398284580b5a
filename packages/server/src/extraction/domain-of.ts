import { getDomain } from "tldts";

const options = { allowPrivateDomains: true, extractHostname: false, validateHostname: false };

/** Where the host of a canonical URL starts. */
const hostStart = "https://".length;

/** The host of a canonical URL, without its port. */
export function hostOf(canonical: string): string {
  const slash = canonical.indexOf("/", hostStart);
  const authority = canonical.slice(hostStart, slash === -1 ? canonical.length : slash);
  const colon = authority.indexOf(":", authority.lastIndexOf("]") + 1);
  return colon === -1 ? authority : authority.slice(0, colon);
}

/**
 * The domain of a canonical URL: the registrable domain by the public suffix list, including its
 * private section (`user.github.io`). An IP address, a single-label host and a host that is itself
 * a public suffix (`github.io`) are their own domain.
 */
export function domainOf(canonical: string): string {
  const host = hostOf(canonical);
  return getDomain(host, options) ?? host;
}
