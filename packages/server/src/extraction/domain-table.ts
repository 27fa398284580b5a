import { hostOf } from "./domain-of.ts";
import type { EntityRule } from "./entity-rule.ts";
import { normalizeDomainRule } from "./normalize-domain-rule.ts";

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
export type DomainTable = (canonical: string) => readonly UrlOwner[];

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
