/** The parts of Setup, in their order, by the name that addresses have in `_tab`. */
export const sections = {
  start: "First steps",
  brand: "Brand and competitors",
  prompts: "Topics and prompts",
  collection: "Collection",
  imports: "Imports",
  labels: "Labels",
  reports: "Reports",
  keys: "API keys",
  links: "Share links",
  hooks: "Webhooks",
  audit: "Audit log",
  service: "Usage and health",
} as const;

/** One of the closed list of parts. */
export type Section = keyof typeof sections;
