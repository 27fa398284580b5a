import {
  type Adds,
  type Asked,
  type Comparison,
  comparedOf,
  emptyOf,
  sideOf,
  Tests,
} from "./compared.ts";
import { effective } from "./estimates.ts";
import type { OracleAccount, OracleEntity, Page } from "./model.ts";
import { byCodeUnit, type Reading, says, seriesOrder } from "./oracle.ts";
import type { SaidName } from "./said.ts";

/** A source: its domain, its page's canonical URL, or both; null: any. */
export interface SourceAsked {
  readonly domain: string | null;
  readonly url: string | null;
}

/** Whether a page is of a source. */
const isOf =
  ({ domain, url }: SourceAsked) =>
  (page: Page): boolean =>
    (domain ?? page.domain) === page.domain && (url ?? page.url) === page.url;

/** How many answers have a role and cite a source. */
export function expectedCiting(
  account: OracleAccount,
  asked: Asked,
  { source, entityId, role }: CitingAsked,
): number {
  const { readings } = sideOf(account, asked);
  return readings.filter((reading) => {
    const { pages, mentioned, cited } = reading;
    const isMentioned = mentioned.includes(entityId);
    const isCited = cited.includes(entityId);
    const roles = {
      mentioned: isMentioned,
      cited: isCited,
      visible: isMentioned || isCited,
      notVisible: !isMentioned && !isCited,
      any: true,
      both: isMentioned && isCited,
      mentionedOnly: isMentioned && !isCited,
      citedOnly: isCited && !isMentioned,
      recommended: says(reading, entityId, "recommended"),
      praised: says(reading, entityId, "praised"),
      criticized: says(reading, entityId, "criticized"),
      discouraged: says(reading, entityId, "discouraged"),
      notFound: says(reading, entityId, "notFound"),
    };
    return roles[role] && pages.some(isOf(source));
  }).length;
}

/** A question for the answers that cite a source. */
export interface CitingAsked {
  readonly source: SourceAsked;
  readonly entityId: string;
  readonly role:
    | "mentioned"
    | "cited"
    | "visible"
    | "notVisible"
    | "any"
    | "both"
    | "mentionedOnly"
    | "citedOnly"
    | SaidName;
}

/** A question for a page of sources with gaps. */
export interface GapsAsked extends Comparison {
  /** Null: all sources are listed. */
  readonly listed: SourceAsked | null;
  /** Classes and forms that are listed; null: all. */
  readonly classes: readonly string[] | null;
  readonly forms: readonly string[] | null;
  readonly groupBy: "domain" | "url";
  readonly orderBy: "citations" | "opportunity";
  readonly limit: number;
  readonly offset: number;
}

/** What POST /v1/insights/sources has to reply. */
export function expectedGaps(account: OracleAccount, asked: GapsAsked): object {
  const { groupBy, orderBy, limit, offset, listed } = asked;
  const entities = [...account.workspace.entities].sort(seriesOrder);
  const [brand] = entities;
  const after = sideOf(account, asked.after);
  const before = asked.before && sideOf(account, asked.before);
  const tests = new Tests(asked);
  const sourcesOf = ({ pages }: Reading) =>
    [...new Map(pages.map((page) => [page.url, page])).values()].map((page) =>
      groupBy === "url" ? page.url : page.domain,
    );
  const all = after.readings.flatMap(sourcesOf);
  const pages = after.readings.flatMap((reading) => reading.pages);
  const { classes, forms } = asked;
  const isWanted = (page: Page) =>
    (listed === null || isOf(listed)(page)) &&
    (classes === null || classes.includes(kindOf(page.domain))) &&
    (forms === null || forms.includes(formOf(page.url)));
  const isListed = (source: string) =>
    pages.filter(isWanted).some(({ url, domain }) => source === (groupBy === "url" ? url : domain));
  const isVisible = ({ mentioned, cited }: Reading, ids: readonly string[]) =>
    ids.some((id) => mentioned.includes(id) || cited.includes(id));
  const others = entities.slice(1).map(({ id }) => id);
  const isGap = (reading: Reading) =>
    isVisible(reading, others) && !isVisible(reading, [brand?.id ?? ""]);
  const cited = [...new Set(all)].map((source): CitedGap => {
    const citing = after.readings.filter((reading) => sourcesOf(reading).includes(source));
    const prompts = [...Map.groupBy(citing, ({ promptId }) => promptId).values()];
    return {
      source,
      citations: all.filter((each) => each === source).length,
      answers: citing.length,
      gaps: citing.filter(isGap).length,
      prompts: effective(prompts.map(({ length }) => length)),
    };
  });
  const ranked = rankedBy(orderBy, cited, after.readings.length).filter((each) =>
    isListed(each.source),
  );
  const sources = ranked.slice(offset, offset + limit).map(({ source, citations, value }) => {
    const citing = after.readings.filter((reading) => sourcesOf(reading).includes(source));
    const withBrand = citing.filter((reading) => isVisible(reading, [brand?.id ?? ""]));
    const withOthers = citing.filter((reading) => isVisible(reading, others));
    const page = citing.flatMap(({ pages }) => pages).find(({ url }) => url === source);
    const owner = entities.find((entity) => owns(entity, source, page));
    const adds: Adds = (readings) => {
      const cited = readings.flatMap(sourcesOf);
      return { a: cited.filter((each) => each === source).length, b: cited.length };
    };
    const change = before && tests.compared(before.readings, after.readings, ["rate", adds]);
    return {
      source,
      share: citations / all.length,
      citations,
      answers: citing.length,
      withBrand: withBrand.length,
      withBrandOnly: withBrand.filter((reading) => !withOthers.includes(reading)).length,
      withCompetitorOnly: withOthers.filter((reading) => !withBrand.includes(reading)).length,
      class: classOf(owner),
      entityId: owner?.id ?? null,
      sourceClass: kindOf(groupBy === "url" ? (page?.domain ?? "") : source),
      form: groupBy === "url" ? formOf(source) : null,
      firstCitedAt: instantOf(Math.min(...citing.map(({ at }) => at))),
      lastCitedAt: instantOf(Math.max(...citing.map(({ at }) => at))),
      opportunity: value,
      ...(change === null ? {} : { change }),
    };
  });
  const hasMore = offset + sources.length < ranked.length;
  return {
    groupBy,
    sources,
    pagination: { total: ranked.length, limit, offset, hasMore },
    tests: tests.end(),
    empty: all.length > 0 ? null : emptyOf(account, after, true),
    ...(before === null ? {} : { compare: comparedOf(account, before, after) }),
  };
}

const instantOf = (ms: number) => new Date(ms).toISOString();

/** Of the pages of oracles only these say anything by their names. */
const kindOf = (domain: string) => (domain.endsWith(".github.io") ? "code" : "other");
const formOf = (url: string) => (url.startsWith("https://docs.") ? "documentation" : "other");

interface GapCounts {
  readonly answers: number;
  readonly gaps: number;
  readonly prompts: number;
}

interface CitedGap extends GapCounts {
  readonly source: string;
  readonly citations: number;
}

function rankedBy(orderBy: GapsAsked["orderBy"], cited: readonly CitedGap[], answers: number) {
  const opportunity = opportunityAmong(cited, answers);
  return cited
    .map((each) => ({ source: each.source, citations: each.citations, ...opportunity(each) }))
    .sort(
      (a, b) =>
        (orderBy === "opportunity" ? Number(b.exact - a.exact) : 0) ||
        b.citations - a.citations ||
        byCodeUnit(a.source, b.source),
    );
}

/**
 * The opportunity of each of some sources, and a whole number in the same proportion: no rounding
 * puts one of two equal ones before the other.
 */
export function opportunityAmong(sources: readonly GapCounts[], answers: number) {
  const sum = (of: (each: GapCounts) => number) => sources.reduce((all, each) => all + of(each), 0);
  const [gaps, citing] = [sum((each) => each.gaps), sum((each) => each.answers)];
  const mean = gaps / citing;
  const divisors = sources.map((each) => BigInt(each.prompts + 5));
  const product = divisors.reduce((all, each) => all * each, 1n);
  return (own: GapCounts) => {
    const rate = (own.prompts * (own.gaps / own.answers) + 5 * mean) / (own.prompts + 5);
    const weighed = own.prompts * own.gaps * citing + 5 * gaps * own.answers;
    return {
      value: (own.answers / answers) * rate,
      exact: BigInt(weighed) * (product / BigInt(own.prompts + 5)),
    };
  };
}

function classOf(owner: OracleEntity | undefined): string {
  if (owner === undefined) return "thirdParty";
  return owner.isBrand ? "own" : "competitor";
}

/** Without a page it is a domain, and the whole of it. */
function owns({ domains }: OracleEntity, source: string, page: Page | undefined): boolean {
  if (page === undefined) return domains.includes(source);
  return domains.some((domain) => page.within.includes(domain));
}
