import type { Grouping } from "@sightline/client";
import { useSources } from "../../data/queries.ts";
import type { ViewQuestion } from "../../data/use-question.ts";
import { pageOf, pageRows } from "../../parts/pager.tsx";
import type { PanelQuery } from "../../parts/panel.tsx";
import type { Sorting } from "../../parts/table.tsx";
import { type EmptyReply, emptyText } from "../empty-texts.tsx";
import {
  callSources,
  type ListedSource,
  listedMax,
  sourceList,
  sourcesOf,
} from "../source-questions.ts";
import { isGrowing, useGrowing } from "../use-growing.ts";
import { type Narrowed, type SourceView, serviceOrder } from "./source-view.ts";

/** The rows of a page of a list. */
export interface Listed {
  readonly rows: readonly ListedSource[];
  /** Of the list, after search and class. */
  readonly total: number;
  /** Of the service, before them. */
  readonly all: number;
  /** From 0. */
  readonly page: number;
  /** The largest share of the list, which the longest bar has. */
  readonly largestShare: number;
  /** Sources that have been fetched, of `all`; fewer while the list grows. */
  readonly fetched: number;
  readonly empty: EmptyReply | null;
}

/**
 * The sources that a view lists. In the service's own order they are asked for page by page; a
 * search, a class or another order needs all, as many as are listed here at most.
 */
export function useListed(
  question: ViewQuestion,
  groupBy: Grouping,
  { sorting, page: pageText, ...narrowed }: SourceView,
): PanelQuery<Listed> {
  const isPlain =
    narrowed.search === "" &&
    [narrowed.class, narrowed.kind, narrowed.form].every((each) => each === null) &&
    sorting.key === serviceOrder.key &&
    sorting.descending === serviceOrder.descending;
  const asked = (page: number) => ({
    ...sourcesOf(question, groupBy),
    limit: callSources,
    offset: Math.floor((page * pageRows) / callSources) * callSources,
  });
  const atAddress = useSources(isPlain ? asked(pageOf(pageText, Number.MAX_SAFE_INTEGER)) : null);
  // Other filters may leave fewer pages than the address says.
  const all = atAddress.isPlaceholderData ? undefined : atAddress.data?.pagination.total;
  const wantedPage = pageOf(pageText, all ?? Number.MAX_SAFE_INTEGER);
  const paged = useSources(isPlain ? asked(wantedPage) : null);
  const grown = useGrowing(isPlain ? null : sourceList(question, groupBy), () => true);
  if (isPlain) {
    const { data, error, isPlaceholderData, refetch } = paged;
    const listed = data && (isPlaceholderData ? standing : plainPage)(data, wantedPage * pageRows);
    return { data: listed, error, isPlaceholderData, refetch };
  }
  const { data, error, isPlaceholderData, refetch } = grown;
  const parts = data?.pages ?? [];
  const [first] = parts;
  if (first === undefined || isGrowing(grown)) {
    // Rows that jump while the list grows are harder to read than those before, or none.
    const before = paged.data && plainPage(paged.data, paged.data.pagination.offset);
    return { data: before, error, isPlaceholderData: true, refetch };
  }
  const sources = parts.flatMap((part) => part.sources);
  const found = sorted(matching(sources, narrowed), sorting);
  const page = pageOf(pageText, found.length);
  const listed = {
    rows: found.slice(page * pageRows, (page + 1) * pageRows),
    total: found.length,
    all: first.pagination.total,
    page,
    largestShare: sources[0]?.share ?? 1,
    fetched: sources.length,
    empty: first.empty,
  };
  return { data: listed, error, isPlaceholderData, refetch };
}

type Reply = NonNullable<ReturnType<typeof useSources>["data"]>;

/** What stands until the rows of another page are there: those of the reply before, if any. */
function standing(reply: Reply, row: number): Listed | undefined {
  const { sources, pagination } = reply;
  if (sources.length === 0 && pagination.total > 0) return undefined;
  return plainPage(reply, sources[row - pagination.offset] === undefined ? pagination.offset : row);
}

function plainPage({ sources, pagination, empty }: Reply, row: number): Listed {
  const { total, offset } = pagination;
  const rows = sources.slice(row - offset, row - offset + pageRows);
  const [largest] = offset === 0 ? sources : rows;
  return {
    rows,
    total,
    all: total,
    page: row / pageRows,
    fetched: total,
    empty,
    largestShare: largest?.share ?? 1,
  };
}

/** The sources whose address has a text, and whose class, kind and form are wanted. */
export function matching(
  sources: readonly ListedSource[],
  { search, class: wanted, kind, form }: Narrowed,
): readonly ListedSource[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const is = (value: string | null, chosen: string | null) => chosen === null || value === chosen;
  return sources.filter((each) => {
    const text = each.source.toLowerCase();
    const isOf = is(each.class, wanted) && is(each.sourceClass, kind) && is(each.form, form);
    return isOf && words.every((word) => text.includes(word));
  });
}

/** Sources in an order; equal ones stay as the service has them. */
export function sorted(
  sources: readonly ListedSource[],
  { key, descending }: Sorting,
): readonly ListedSource[] {
  const sign = descending ? -1 : 1;
  return [...sources].sort((a, b) => {
    if (key === "source") return sign * (a.source < b.source ? -1 : 1);
    const [first, second] = [figureOf(a, key), figureOf(b, key)];
    if (first === second) return 0;
    // What has no value stands last in both directions.
    if (first === null || second === null) return first === null ? 1 : -1;
    return sign * (first - second);
  });
}

function figureOf({ citations, answers, change }: ListedSource, key: string): number | null {
  if (key === "answers") return answers;
  if (key === "change") return change?.parts?.likeForLike ?? null;
  return citations;
}

/** What a list says that has no rows; null: it has some. */
export function nothingListed({ rows, all, empty }: Listed, clear: React.ReactNode) {
  if (rows.length > 0) return null;
  if (empty !== null) return emptyText(empty);
  if (all === 0) return emptyText({ reason: "uncited", first: null, last: null });
  return {
    title: "Nothing matches",
    text: "No cited source matches the search and the filters.",
    actions: clear,
  };
}

/** What a list says of its end; null: it has everything. */
export function missing({ all, fetched }: Listed): string | null {
  if (fetched >= all || fetched < listedMax) return null;
  return `The ${fetched} most cited of ${all} are searched and sorted.`;
}
