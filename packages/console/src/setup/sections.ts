import type { Scope } from "@sightline/client";
import type { Session } from "../data/session.ts";

/** The parts of Setup, in their order, by the name that addresses have in `_tab`. */
export const sections = {
  start: "First steps",
  brand: "Brand and competitors",
  prompts: "Topics and prompts",
  collection: "Collection",
  imports: "Imports",
  labels: "Labels",
  reports: "Reports",
  people: "People",
  keys: "API keys",
  links: "Share links",
  hooks: "Webhooks",
  audit: "Audit log",
  service: "Usage and health",
} as const;

/** One of the closed list of parts. */
export type Section = keyof typeof sections;

/** What shows nothing to somebody without a scope. */
const needed: Partial<Record<Section, Scope>> = {
  start: "manage",
  collection: "manage",
  imports: "import",
  labels: "import",
  people: "people",
  keys: "manage",
  links: "manage",
  hooks: "manage",
  audit: "manage",
};

/**
 * The parts that somebody has. To a person those are hidden that the role does not reach; a key's
 * session says in each which key it takes.
 */
export function sectionsFor(session: Session | null): readonly Section[] {
  const names = Object.keys(sections) as Section[];
  if (session?.person === undefined) return names;
  return names.filter((name) => {
    const scope = needed[name];
    return scope === undefined || session.scopes.includes(scope);
  });
}
