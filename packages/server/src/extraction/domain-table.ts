import { hostOf } from "./domain-of.ts";
import type { EntityRule } from "./entity-rule.ts";
import { normalizeDomainRule } from "./normalize-domain-rule.ts";

/** The rules about one host. */
interface HostRules {
  /** Entities that own the whole host. */
  readonly owners: number[];
  /** Entities that own a path prefix, such as `/company/acme`. */
  readonly pathOwners: Map<string, number[]>;
  /** The segments of the longest prefix: no more of a URL's path is read. */
  segmentsMax: number;
}

/** Adds to `owners` the entities that own a canonical URL. */
export type DomainTable = (canonical: string, owners: Set<number>) => void;

/**
 * Compiles the own domains of entities. A look-up costs the labels of the host and the segments of
 * the path, however many rules there are. A URL belongs to each entity one of whose domains it is
 * on.
 */
export function compileDomainTable(entities: readonly EntityRule[]): DomainTable {
  const hosts = new Map<string, HostRules>();
  entities.forEach(({ domains }, entity) => {
    for (const domain of domains) addRule(hosts, domain, entity);
  });
  return (canonical, owners) => {
    const host = hostOf(canonical);
    for (let at = 0; at !== -1; at = nextLabel(host, at)) {
      const rules = hosts.get(at === 0 ? host : host.slice(at));
      if (rules === undefined) continue;
      for (const owner of rules.owners) owners.add(owner);
      if (rules.segmentsMax > 0) addPathOwners(rules, pathOf(canonical), owners);
    }
  };
}

function addRule(hosts: Map<string, HostRules>, domain: string, entity: number): void {
  const rule = normalizeDomainRule(domain);
  if (rule === null) return;
  const slash = rule.indexOf("/");
  const host = slash === -1 ? rule : rule.slice(0, slash);
  const rules: HostRules = hosts.get(host) ?? { owners: [], pathOwners: new Map(), segmentsMax: 0 };
  hosts.set(host, rules);
  if (slash === -1) {
    rules.owners.push(entity);
    return;
  }
  const path = rule.slice(slash);
  rules.pathOwners.set(path, [...(rules.pathOwners.get(path) ?? []), entity]);
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

/** Looks up each prefix of the path that ends with a whole segment. The path's case counts. */
function addPathOwners(rules: HostRules, path: string, owners: Set<number>): void {
  let end = 0;
  for (let segments = 1; segments <= rules.segmentsMax && end < path.length; segments += 1) {
    const slash = path.indexOf("/", end + 1);
    end = slash === -1 ? path.length : slash;
    for (const owner of rules.pathOwners.get(path.slice(0, end)) ?? []) owners.add(owner);
  }
}
