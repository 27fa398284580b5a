import { catalogueOf, padded } from "./catalogue.ts";
import { Random } from "./random.ts";
import type { Workload } from "./workload.ts";

/** A page that answers cite. */
export interface Source {
  /** In canonical form. */
  readonly url: string;
  readonly domain: string;
  /** Number of the entity that owns the domain; -1: none. */
  readonly owner: number;
}

/** Zipf's shifts: the first page has a quarter of a percent, the first domain some percent. */
const urlShift = 50;
const domainShift = 5;
/** The entities own domains that are cited often, though not most. */
const firstOwned = 3;
const ownedEvery = 5;
/** Coprime to every number of pages that is used, so that steps of it reach each page. */
const coverageStride = 1_000_003;

const hostWords = ["clear", "north", "daily", "open", "smart", "green", "prime", "true"] as const;
const hostEnds = ["guide", "review", "post", "wire", "hub", "report", "lab", "forum"] as const;
const sections = ["guides", "reviews", "blog", "compare", "news", "questions"] as const;
const pageWords = ["choosing", "reliable", "best", "storage", "pricing", "tools", "teams"] as const;

/** Every page of a workload: domains and pages are cited by Zipf's law. */
export class Sources {
  readonly pages: readonly Source[];

  constructor(workload: Workload) {
    const random = new Random(workload.seed ^ 0x5eed);
    const owners = new Map<number, number>();
    const domains = Array.from({ length: workload.domains }, (_, number) => hostOf(number, random));
    for (const [entity, { domain }] of catalogueOf(workload).entities.entries()) {
      const number = firstOwned + entity * ownedEvery;
      if (number >= domains.length) break;
      domains[number] = domain;
      owners.set(number, entity);
    }
    // Of each domain one page is rarely cited; which domain the others are on is Zipf's choice.
    const rare = workload.urls - workload.domains;
    this.pages = Array.from({ length: workload.urls }, (_, number) => {
      const drawn = random.skewed(workload.domains, domainShift);
      const domainNumber = number >= rare ? number - rare : drawn;
      const domain = domains[domainNumber] ?? "";
      return {
        url: `https://${domain}/${pathOf(number, random)}`,
        domain,
        owner: owners.get(domainNumber) ?? -1,
      };
    });
  }

  /** A page, by Zipf's law. */
  draw(random: Random): Source {
    return this.#page(random.skewed(this.pages.length, urlShift));
  }

  /** For places from 0 to the number of pages: each page once, in no order of weight. */
  covered(place: number): Source {
    return this.#page((place * coverageStride) % this.pages.length);
  }

  #page(number: number): Source {
    const page = this.pages[number];
    if (page === undefined) throw new RangeError(`no page ${number}`);
    return page;
  }
}

function hostOf(number: number, random: Random): string {
  return `${pick(hostWords, random)}${pick(hostEnds, random)}-${padded(number, 5)}.com`;
}

function pathOf(number: number, random: Random): string {
  const words = [pick(pageWords, random), pick(pageWords, random), pick(pageWords, random)];
  return `${pick(sections, random)}/${words.join("-")}-${number}`;
}

function pick(words: readonly string[], random: Random): string {
  return words[random.below(words.length)] ?? "";
}
