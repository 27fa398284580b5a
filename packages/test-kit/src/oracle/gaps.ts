import {
  type Adds,
  type Asked,
  type Comparison,
  comparedOf,
  emptyOf,
  sideOf,
  Tests,
} from "./compared.ts";
import type { OracleAccount, OracleEntity, Page } from "./model.ts";
import { byCodeUnit, type Reading, seriesOrder } from "./oracle.ts";

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
  return readings.filter(({ pages, mentioned, cited }) => {
    const isMentioned = mentioned.includes(entityId);
    const isCited = cited.includes(entityId);
    const roles = {
      mentioned: isMentioned,
      cited: isCited,
      visible: isMentioned || isCited,
      notVisible: !isMentioned && !isCited,
      any: true,
    };
    return roles[role] && pages.some(isOf(source));
  }).length;
}

/** A question for the answers that cite a source. */
export interface CitingAsked {
  readonly source: SourceAsked;
  readonly entityId: string;
  readonly role: "mentioned" | "cited" | "visible" | "notVisible" | "any";
}

/** A question for a page of sources with gaps. */
export interface GapsAsked extends Comparison {
  /** Null: all sources are listed. */
  readonly listed: SourceAsked | null;
  readonly groupBy: "domain" | "url";
  readonly limit: number;
  readonly offset: number;
}

/** What POST /v1/insights/sources has to reply. */
export function expectedGaps(account: OracleAccount, asked: GapsAsked): object {
  const { groupBy, limit, offset, listed } = asked;
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
  const isListed = (source: string) =>
    listed === null ||
    pages
      .filter(isOf(listed))
      .some(({ url, domain }) => source === (groupBy === "url" ? url : domain));
  const ranked = [...new Set(all)]
    .filter(isListed)
    .map((source) => ({ source, citations: all.filter((each) => each === source).length }))
    .sort((a, b) => b.citations - a.citations || byCodeUnit(a.source, b.source));
  const isVisible = ({ mentioned, cited }: Reading, ids: readonly string[]) =>
    ids.some((id) => mentioned.includes(id) || cited.includes(id));
  const others = entities.slice(1).map(({ id }) => id);
  const sources = ranked.slice(offset, offset + limit).map(({ source, citations }) => {
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

function classOf(owner: OracleEntity | undefined): string {
  if (owner === undefined) return "thirdParty";
  return owner.isBrand ? "own" : "competitor";
}

/** Without a page it is a domain, and the whole of it. */
function owns({ domains }: OracleEntity, source: string, page: Page | undefined): boolean {
  if (page === undefined) return domains.includes(source);
  return domains.some((domain) => page.within.includes(domain));
}
