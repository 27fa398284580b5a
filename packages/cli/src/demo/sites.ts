import { type Region, regions } from "./market.ts";

/** What a site publishes; it decides how its addresses look. */
export type SiteKind = "magazine" | "review" | "forum" | "shop" | "wiki" | "video";

/** A site that assistants cite and that belongs to no tracked company. */
export interface Site {
  readonly host: string;
  readonly kind: SiteKind;
  /** The market that it writes for; it is cited far more there than elsewhere. */
  readonly region?: Region;
}

// `.example` is reserved (RFC 2606): none of these can be somebody's site. The order is the
// popularity, and some are subdomains, so that domains and hosts differ.
const hosts: Readonly<Record<SiteKind, readonly string[]>> = {
  review: [
    "trailproof.example",
    "gearbench.example",
    "packlab.example",
    "bergtest.example:DE",
    "fieldverdict.example",
    "essaisplein-air.example:FR",
    "stiftung-ausruestung.example:DE",
    "ninepeaks.example",
    "honestkit.example",
    "ounceweigher.example",
    "lab.wetwool.example",
  ],
  forum: [
    "hikerboard.example",
    "forum.ultraleicht-treff.example:DE",
    "trailtalk.example",
    "forum.randonneurs.example:FR",
    "boards.fellwalkers.example:GB",
    "askthecamp.example",
    "quiltmakers.example",
    "community.hutlist.example",
  ],
  magazine: [
    "uplandpost.example",
    "thelongpath.example",
    "outsidealmanac.example",
    "berge-und-wege.example:DE",
    "fellandford.example:GB",
    "carnetderandonnee.example:FR",
    "slowmiles.example",
    "basecampweekly.example",
    "draussenblatt.example:DE",
    "thewetweekend.example:GB",
    "sentiers-magazine.example:FR",
    "northridgereview.example:US",
    "switchbackjournal.example:US",
    "saltandscree.example",
  ],
  shop: [
    "campbasar.example",
    "gearhall.example:US",
    "bergladen.example:DE",
    "summitstores.example:GB",
    "auvieuxcamping.example:FR",
    "trailbarn.example:US",
    "shop.hutandhill.example:GB",
    "ausruester24.example:DE",
    "lecomptoirdessentiers.example:FR",
    "secondascent.example",
    "rucksackhaus.example:DE",
    "packhorse.example",
  ],
  video: ["clipvista.example", "watch.trailreel.example", "campcast.example"],
  wiki: ["openlexicon.example", "gearwiki.example", "hikepedia.example"],
};

const kinds = Object.keys(hosts) as SiteKind[];

function siteOf(entry: string, kind: SiteKind): Site {
  const [host = entry, code] = entry.split(":");
  const region = regions.find((known) => known === code);
  return region === undefined ? { host, kind } : { host, kind, region };
}

const longest = Math.max(...kinds.map((kind) => hosts[kind].length));

/** All sites, from the most cited: the kinds' lists dealt out like cards, one of each in turn. */
export const sites: readonly Site[] = Array.from({ length: longest }, (_, place) =>
  kinds.flatMap((kind) => hosts[kind].slice(place, place + 1).map((entry) => siteOf(entry, kind))),
).flat();
