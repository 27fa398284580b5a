import { getDomain, parse } from "tldts";
import { canonicalForm } from "./canonical-url.ts";
import type { EntityRule } from "./entity-rule.ts";

const options = { allowPrivateDomains: true, extractHostname: false, validateHostname: false };

/** Where the host of a canonical URL starts. */
const hostStart = "https://".length;

/** The host of a canonical URL, without its port. */
function hostOf(canonical: string): string {
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

/**
 * A longer label is prose. The bound also keeps nested links linear: each level's label contains
 * all inner ones.
 */
const labelCharactersMax = 300;

const decoration = /^[\s*_~`"'([<]+|[\s*_~`"')\]>.,:;]+$/g;
const invisible = /\p{Default_Ignorable_Code_Point}/gu;
const scheme = /(?:[a-z][a-z0-9+.-]*:\/\/)?/;
const dottedName = /((?:[\p{L}\p{M}\p{N}_-]+\.)+[\p{L}\p{M}\p{N}-]+)\.?/u;
const portAndPath = /(?::\d+)?(?:[/?#]\S*)?/;
const address = new RegExp(`^${scheme.source}${dottedName.source}${portAndPath.source}$`, "iu");

/** A label without the emphasis, quotes and brackets around it; "" when it is prose. */
export function plainLabel(label: string): string {
  if (label.length > labelCharactersMax || !label.includes(".")) return "";
  return label.replace(invisible, "").replace(decoration, "");
}

/**
 * The host of a plain label that is only a host name or URL (`samsung.com`,
 * `www.acme.com/phones`): it names a source and mentions nobody. Null for other labels. The host
 * must end in a known public suffix: `Node.js` is a name.
 */
export function publicHost(plain: string): string | null {
  const host = address.exec(plain)?.[1];
  if (host === undefined) return null;
  const parsed = parse(host, { allowPrivateDomains: true, extractHostname: false });
  const isPublic = parsed.isIp === true || parsed.isIcann === true || parsed.isPrivate === true;
  return isPublic ? host : null;
}

const schemes = /^([a-z][a-z0-9+.-]*):\/\//i;
const dottedHost = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/;

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
  if (!dottedHost.test(host) && !host.startsWith("[")) return null;
  const query = canonical.indexOf("?");
  const path = canonical.slice(canonical.indexOf("/", 8), query === -1 ? undefined : query);
  return path === "/" ? host : host + path;
}

/** An entity, and the rule by which it owns a URL. */
export interface UrlOwner {
  /** The index of the entity. */
  readonly entity: number;
  /** A host, with a path prefix where the rule has one: `linkedin.com/company/acme`. */
  readonly rule: string;
}

/** The rules about one host. */
interface HostRules {
  /** Owners of the whole host. */
  readonly owners: UrlOwner[];
  /** Owners of a path prefix, such as `/company/acme`. */
  readonly pathOwners: Map<string, UrlOwner[]>;
  /** The number of segments of the longest prefix: no more of a URL's path is read. */
  segmentsMax: number;
}

/** Returns the owners of a canonical URL, once per matching rule. */
type DomainTable = (canonical: string) => readonly UrlOwner[];

/**
 * Compiles the domains of entities. A lookup costs the labels of the host and the segments of the
 * path, regardless of the number of rules. A URL belongs to every entity with a matching domain.
 */
export function compileDomainTable(entities: readonly EntityRule[]): DomainTable {
  const hosts = new Map<string, HostRules>();
  entities.forEach(({ domains }, entity) => {
    for (const domain of domains) addRule(hosts, domain, entity);
  });
  return (canonical) => {
    const found: UrlOwner[] = [];
    const host = hostOf(canonical);
    for (let at = 0; at !== -1; at = nextLabel(host, at)) {
      const rules = hosts.get(at === 0 ? host : host.slice(at));
      if (rules === undefined) continue;
      found.push(...rules.owners);
      if (rules.segmentsMax > 0) found.push(...pathOwnersOf(rules, pathOf(canonical)));
    }
    return found;
  };
}

function addRule(hosts: Map<string, HostRules>, domain: string, entity: number): void {
  const rule = normalizeDomainRule(domain);
  if (rule === null) return;
  const slash = rule.indexOf("/");
  const host = slash === -1 ? rule : rule.slice(0, slash);
  const rules: HostRules = hosts.get(host) ?? { owners: [], pathOwners: new Map(), segmentsMax: 0 };
  hosts.set(host, rules);
  const owner = { entity, rule };
  if (slash === -1) {
    rules.owners.push(owner);
    return;
  }
  const path = rule.slice(slash);
  rules.pathOwners.set(path, [...(rules.pathOwners.get(path) ?? []), owner]);
  rules.segmentsMax = Math.max(rules.segmentsMax, path.split("/").length - 1);
}

function nextLabel(host: string, from: number): number {
  const dot = host.indexOf(".", from);
  return dot === -1 ? -1 : dot + 1;
}

function pathOf(canonical: string): string {
  const query = canonical.indexOf("?");
  return canonical.slice(canonical.indexOf("/", 8), query === -1 ? undefined : query);
}

/** Looks up each prefix of the path that ends with a whole segment. Paths are case-sensitive. */
function* pathOwnersOf(rules: HostRules, path: string): Generator<UrlOwner> {
  let end = 0;
  for (let segments = 1; segments <= rules.segmentsMax && end < path.length; segments += 1) {
    const slash = path.indexOf("/", end + 1);
    end = slash === -1 ? path.length : slash;
    yield* rules.pathOwners.get(path.slice(0, end)) ?? [];
  }
}
