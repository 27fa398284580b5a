import { type Codes, type RowSelection, rowsOf, type SourcesPlan } from "./plan.ts";
import type { Selection } from "./question.ts";

/** Citations of any of these domains or pages; negated: of no such domain, or of these pages. */
export interface ListedNames {
  readonly domains: readonly string[];
  readonly isNegated: boolean;
  /** Of other domains. */
  readonly pages: readonly string[];
}

/** How the names of cited sources are read with their citations. */
export interface CitedNamesPlan {
  readonly rows: RowSelection;
  readonly groupBy: SourcesPlan["groupBy"];
  /** Only pages of these domains; null: all. */
  readonly domains: readonly string[] | null;
  /** No more rows are read. */
  readonly rowsMax: number;
}

/** A cited source. */
export interface CitedName {
  readonly name: string;
  readonly citations: number;
}

/** How lives of citations are computed from the facts. */
export interface LifePlan {
  /** Citations. */
  readonly rows: RowSelection;
  /** The same answers, by appearances. */
  readonly answers: RowSelection;
  readonly groupBy: "provider" | "domain" | "page";
  /** No more rows are read. */
  readonly rowsMax: number;
}

/** Lives of citations of a group that have one length, and ended or did not. */
export interface CitationLives {
  /** The number of a provider as a text, a domain, or a page. */
  readonly key: string;
  readonly days: number;
  /** 1: they ended; 0: they lasted until the end of the answers. */
  readonly gone: number;
  /** 1: they began after the first day of answers. */
  readonly won: number;
  readonly lives: number;
}

/** The plan of lives of citations; null when no row can pass the filters. */
export function planLife(
  selection: Selection,
  groupBy: LifePlan["groupBy"],
  codes: Codes,
): LifePlan | null {
  const rows = rowsOf(selection, "citations", codes);
  const answers = rowsOf(selection, "appearances", codes);
  return rows && answers && { rows, answers, groupBy, rowsMax: namesMax };
}

/** How a page of search queries is computed from the facts. */
export interface QueriesPlan {
  /** Rows of queries. */
  readonly rows: RowSelection;
  /** The same answers, by appearances. */
  readonly answers: RowSelection;
  readonly limit: number;
  /** Only queries after it, in the order of the list; null: from the first. */
  readonly after: QueryPlace | null;
  /** The numbers of the entities that are told of. */
  readonly entities: readonly number[];
}

/** Where a query stands in a list: those of the most answers first, then by key. */
export interface QueryPlace {
  readonly answers: number;
  /** See queryKey. */
  readonly key: string;
}

/** What the facts say of the answers to one prompt by one provider that searched for a query. */
interface QueryAnswers {
  readonly key: string;
  readonly prompt: number;
  readonly provider: number;
  readonly answers: number;
  readonly firstMs: number;
  readonly lastMs: number;
  /** Where the record has one of them. */
  readonly sequence: number;
}

/** What answers to a prompt that searched for a query say of an entity. */
interface QueryAppearances {
  readonly key: string;
  readonly prompt: number;
  readonly entity: number;
  readonly mentioned: number;
  readonly cited: number;
}

/** A page of queries, and which answers searched at all. */
export interface QueriesFound {
  /** In order. */
  readonly page: readonly QueryPlace[];
  /** Queries on all pages. */
  readonly total: number;
  /** Of the page's, in no order. */
  readonly answers: readonly QueryAnswers[];
  readonly appearances: readonly QueryAppearances[];
  /** Of each provider with answers. */
  readonly searched: readonly {
    readonly provider: number;
    readonly answers: number;
    readonly searched: number;
  }[];
}

/** The plan of a page of search queries; null when no row can pass the filters. */
export function planQueries(
  selection: Selection,
  {
    textsFromMs,
    ...page
  }: Pick<QueriesPlan, "limit" | "after" | "entities"> & { readonly textsFromMs: number },
  codes: Codes,
): QueriesPlan | null {
  // Queries are texts: those that were removed do not count, whether facts were rebuilt or not.
  const fromMs = Math.min(Math.max(selection.fromMs, textsFromMs), selection.toMs);
  const rows = rowsOf({ ...selection, fromMs }, "queries", codes);
  const answers = rowsOf(selection, "appearances", codes);
  return rows && answers && { rows, answers, ...page };
}

/** The most names: some 50 MB of memory. */
const namesMax = 500_000;

/** The plan of the names of cited sources; null when no row can pass the filters. */
export function planCitedNames(
  selection: Selection,
  { groupBy, domains }: Pick<CitedNamesPlan, "groupBy" | "domains">,
  codes: Codes,
): CitedNamesPlan | null {
  const rows = rowsOf(selection, "citations", codes);
  return rows && { rows, groupBy, domains, rowsMax: namesMax };
}
