import type {
  Grouping,
  InsightsSourcesQuestion,
  InsightsSourcesResponse,
  Sightline,
  SourceOrder,
} from "@sightline/client";
import { sent, type ViewFilters } from "../data/filters.ts";
import type { ViewQuestion } from "../data/use-question.ts";
import type { GrowingList } from "./use-growing.ts";

/** A cited domain or page, whose it is, and who is visible where it is cited. */
export type ListedSource = InsightsSourcesResponse["sources"][number];

/** Sources of one call. The p of changes are adjusted over them, so it is the same everywhere. */
export const callSources = 100;
/** Sources that are searched and sorted here, since the service does neither. */
export const listedMax = 2_000;

/** The sources of a view. */
export function sourcesOf(
  { filters, comparedFilters }: ViewQuestion,
  groupBy: Grouping,
  orderBy: SourceOrder = "citations",
): Required<Pick<InsightsSourcesQuestion, "groupBy" | "filters">> & InsightsSourcesQuestion {
  const compare = comparedFilters === null ? {} : { compare: { filters: comparedFilters } };
  return { groupBy, filters, ...compare, ...(orderBy === "citations" ? {} : { orderBy }) };
}

/** Of a list of sources: its order, and the domain whose pages they are. */
interface ListedBy {
  readonly orderBy?: SourceOrder;
  readonly domain?: string;
}

/** What copies a list of sources: its first ones, as many as a call gives. */
export function copiedSources(
  question: ViewQuestion,
  groupBy: Grouping,
  { orderBy = "citations", domain }: ListedBy = {},
) {
  // The command has the same words and dates, and the same rule for them.
  const compare = question.compared === null ? [] : ["--compare", question.view.compare];
  const limit = ["--limit", String(callSources)];
  const of = domain === undefined ? [] : ["--source-domain", domain];
  const order = ["--order-by", orderBy];
  return {
    path: "/v1/insights/sources",
    call: "insights.sources",
    body: {
      ...sourcesOf(question, groupBy, orderBy),
      limit: callSources,
      offset: 0,
      ...(domain === undefined ? {} : { domain }),
    },
    command: ["gaps", "--group-by", groupBy, ...order, ...of, ...limit, ...compare],
  } as const;
}

/** The pages of a domain, call by call, the most cited first. */
export function pageList(
  question: ViewQuestion,
  domain: string,
): GrowingList<InsightsSourcesResponse, number> {
  return listOf({ ...sourcesOf(question, "url"), domain });
}

/** The first sources of a view, call by call. */
export function sourceList(
  question: ViewQuestion,
  groupBy: Grouping,
  orderBy?: SourceOrder,
): GrowingList<InsightsSourcesResponse, number> {
  return listOf(sourcesOf(question, groupBy, orderBy));
}

function listOf(asked: InsightsSourcesQuestion): GrowingList<InsightsSourcesResponse, number> {
  return {
    key: ["source-list", asked],
    first: 0,
    fetch: (client, offset, signal) => fetchSources(client, { asked, offset, signal }),
    next: ({ pagination: { hasMore, offset } }) => {
      const after = offset + callSources;
      return hasMore && after < listedMax ? after : null;
    },
  };
}

interface SourcesCall {
  readonly asked: InsightsSourcesQuestion;
  readonly offset: number;
  readonly signal?: AbortSignal;
}

function fetchSources(client: Sightline, { asked, offset, signal }: SourcesCall) {
  const options = signal === undefined ? {} : { signal };
  return client.insights.sources({ ...sent(asked), limit: callSources, offset }, options);
}

/** All sources of a view, as many as are listed here at most. */
export async function allSources(
  client: Sightline,
  asked: InsightsSourcesQuestion,
): Promise<readonly ListedSource[]> {
  const sources: ListedSource[] = [];
  for (let offset = 0; offset < listedMax; offset += callSources) {
    const page = await fetchSources(client, { asked, offset });
    sources.push(...page.sources);
    if (!page.pagination.hasMore) break;
  }
  return sources;
}

/** A page without the part that all pages of its domain share: /blog/first?x=1, or shop.a.com/b. */
export function pathOf(url: string, domain: string): string {
  const rest = url.replace(/^https?:\/\//, "");
  return rest.startsWith(`${domain}/`) ? rest.slice(domain.length) : rest;
}

/** Which of the answers that cite a source are meant. */
const citingSides = ["all", "withoutBrand", "withoutCompetitor"] as const;
/** withoutBrand: with a competitor and not the brand. withoutCompetitor: the reverse. */
export type CitingSide = (typeof citingSides)[number];

/** The answers behind a number of a source. */
export interface CitingQuestion {
  readonly source: string;
  readonly groupBy: Grouping;
  readonly side: CitingSide;
  readonly filters: ViewFilters;
  readonly brandId: string;
  readonly competitorIds: readonly string[];
  /** As many as the source's number says. */
  readonly count: number;
}
