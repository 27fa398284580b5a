/** The markets in which prompts are asked; one in thirteen answers has no region. */
export const regions = ["US", "GB", "DE", "FR"] as const;

/** A region's ISO 3166 code. */
export type Region = (typeof regions)[number];

/** The topics of the demo account. */
export const topics = [
  "Tents",
  "Sleeping bags",
  "Backpacks",
  "Rain jackets",
  "Hiking boots",
  "Camp cooking",
  "Headlamps",
  "Repair and care",
] as const;

/** A topic's name. */
export type Topic = (typeof topics)[number];

/** Another name of an entity, as the workspace file has it. */
export type Alias = string | { readonly name: string; readonly caseSensitive: boolean };

/** A tracked company of the demo's market: outdoor equipment. Every one is invented. */
export interface Company {
  readonly name: string;
  readonly aliases: readonly Alias[];
  /** Hosts, or hosts with a path prefix, whose pages are the company's own. */
  readonly domains: readonly string[];
  /** What assistants also write instead of the name; all of it is matched by name or alias. */
  readonly writtenAs: readonly string[];
}

/** The brand of the demo account. */
export const brand: Company = {
  name: "Tarnfell",
  aliases: ["Tarnfell Outdoor", "Skerry 2"],
  domains: ["tarnfell.example"],
  writtenAs: ["Tarnfell Outdoor", "TARNFELL", "Tarnfell Outdoor"],
};

/** The brand's six competitors, from the largest to the smallest. */
export const competitors: readonly Company[] = [
  {
    name: "Stonewhit & Pike",
    aliases: ["Stonewhit", "Stonewhit and Pike"],
    domains: ["stonewhit.example"],
    // An entity and a no-break space: what a page's HTML leaves in an assistant's text.
    writtenAs: ["Stonewhit", "Stonewhit &amp; Pike", "Stonewhit\u00a0& Pike", "Stonewhit and Pike"],
  },
  {
    name: "Ridgeloom",
    aliases: [],
    // A brand shop inside a market place: only pages below this path are Ridgeloom's own.
    domains: ["ridgeloom.example", "campbasar.example/brands/ridgeloom"],
    writtenAs: ["RidgeLoom", "Ridgeloom"],
  },
  {
    name: "Höhenbrandt",
    aliases: ["Hoehenbrandt"],
    domains: ["hoehenbrandt.example"],
    // The third is the decomposed spelling: o and a combining diaeresis.
    writtenAs: ["Hohenbrandt", "Hoehenbrandt", "Ho\u0308henbrandt"],
  },
  {
    name: "Éclivaux",
    aliases: [],
    domains: ["eclivaux.example", "boutique-eclivaux.example"],
    writtenAs: ["Eclivaux", "ÉCLIVAUX"],
  },
  {
    name: "Quillmarsh",
    aliases: ["Quillmarsh Waterproofs"],
    domains: ["quillmarsh.example"],
    writtenAs: ["Quillmarsh Waterproofs", "Quillmarsh"],
  },
  {
    name: "Osierline",
    // The common word "osier" (a willow) is not the company: only the capital letter is.
    aliases: [{ name: "Osier", caseSensitive: true }],
    domains: ["osierline.example"],
    writtenAs: ["Osier"],
  },
];

/** The brand first, then the competitors. */
export const companies: readonly Company[] = [brand, ...competitors];
