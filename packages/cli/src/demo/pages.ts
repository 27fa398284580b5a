import { type Company, companies, type Region, regions, type Topic } from "./market.ts";
import { ownPatterns, type PagePattern, sitePatterns } from "./page-patterns.ts";
import { type Random, weightedPicker } from "./random.ts";
import { type Site, sites } from "./sites.ts";
import { topicWords } from "./topic-words.ts";
import { isLaunched, type Occasion } from "./trends.ts";

/** A page that can be cited. Its address is `https://` + host + path, in canonical form. */
export interface Page {
  readonly host: string;
  readonly path: string;
  readonly title: string;
}

function pageAt(host: string, [path, title]: PagePattern, topic: Topic): Page {
  const slug = topic.toLowerCase().replaceAll(" ", "-");
  const filled = title.replace("{goods}", topicWords[topic].goods);
  return {
    host,
    path: path.replace("{slug}", slug),
    title: filled.slice(0, 1).toUpperCase() + filled.slice(1),
  };
}

/** The more popular a site, the more of its pages are found: 7 on a topic at most, 2 at least. */
function sitePages(site: Site, popularity: number, topic: Topic): readonly Page[] {
  const count = popularity < 5 ? 7 : popularity < 13 ? 5 : popularity < 28 ? 3 : 2;
  const patterns = sitePatterns[site.kind].slice(0, count);
  return patterns.map((pattern) => pageAt(site.host, pattern, topic));
}

type PagePicker = (random: Random) => Page;

// Zipf's law twice: over the sites, and over a site's pages on a topic.
function sitePagePicker(topic: Topic, region: Region | undefined): PagePicker {
  const pickPage = sites.map((site, popularity) =>
    weightedPicker(sitePages(site, popularity, topic), (_, place) => 1 / (place + 1)),
  );
  const pickSite = weightedPicker(pickPage, (_, popularity) => {
    const audience = sites[popularity]?.region;
    const reach = audience === undefined ? 1 : audience === region ? 4 : 0.12;
    return reach / (popularity + 1);
  });
  return (random) => pickSite(random)(random);
}

const pickSitePage = new Map<string, PagePicker>();
for (const region of [...regions, undefined]) {
  for (const topic of Object.keys(topicWords) as Topic[]) {
    pickSitePage.set(`${region} ${topic}`, sitePagePicker(topic, region));
  }
}

/** A page of some site on a topic, as likely as it is popular in the region. */
export function drawSitePage(random: Random, topic: Topic, region: Region | undefined): Page {
  const pick = pickSitePage.get(`${region} ${topic}`);
  if (pick === undefined) throw new RangeError(`no pages on ${topic}`);
  return pick(random);
}

/** A company's own pages on a topic, over all its domains. */
function ownPages(company: Company, topic: Topic): readonly Page[] {
  return ownPatterns.flatMap(([path, title]) =>
    company.domains.map((domain) => {
      const [host = domain, ...prefix] = domain.split("/");
      return pageAt(host, [`${["", ...prefix].join("/")}${path}`, title], topic);
    }),
  );
}

const pickOwnPage = new Map<string, PagePicker>();
for (const company of companies) {
  for (const topic of Object.keys(topicWords) as Topic[]) {
    const picker = weightedPicker(ownPages(company, topic), (_, place) => 1 / (place + 1));
    pickOwnPage.set(`${company.name} ${topic}`, picker);
  }
}

// A host of its own below the brand's domain: the launch brings a page that was not there before.
const launchPage: Page = {
  host: "skerry.tarnfell.example",
  path: "/tents/skerry-2",
  title: "Two people, 980 grams: the new tent",
};

/** One of a company's own pages on the prompt's topic; once launched, mostly the new product's. */
export function drawOwnPage(random: Random, company: Company, occasion: Occasion): Page {
  if (isLaunched(company, occasion) && random.chance(0.6)) return launchPage;
  const pick = pickOwnPage.get(`${company.name} ${occasion.prompt.topic}`);
  if (pick === undefined) throw new RangeError(`no pages of ${company.name}`);
  return pick(random);
}
