import type {
  CitationLifeQuestion,
  CitationLifeResponse,
  EvidenceQuestion,
  EvidenceResponse,
  InsightsChangesQuestion,
  InsightsChangesResponse,
  InsightsPlanQuestion,
  InsightsPlanResponse,
  InsightsPresenceQuestion,
  InsightsPresenceResponse,
  InsightsSeriesQuestion,
  InsightsSeriesResponse,
  InsightsSourcesQuestion,
  InsightsSourcesResponse,
  InsightsSummaryQuestion,
  InsightsSummaryResponse,
  RecordedAnswerResponse,
  Sightline,
  WorkspaceResponse,
} from "@sightline/client";
import {
  type InfiniteData,
  type UseInfiniteQueryResult,
  type UseQueryResult,
  useInfiniteQuery,
  useQuery,
} from "@tanstack/react-query";
import { type Account, useAccount } from "./account.ts";
import { sent, type ViewFilters } from "./filters.ts";
import type { DrawnMetric } from "./names.ts";

/** How long a reply is shown without asking again: a minute. */
const staleMs = 60_000;

/** What a panel gets: its reply, the one before while the next is fetched, or an error. */
export type Reply<T> = UseQueryResult<T, Error>;

/** Asked of the service; null: not asked as long as it is. */
type Question<T> = T | null;

/** How a call is named in the cache, and made. The account comes first, so none gets another's. */
function useCall<Q, T>(
  name: string,
  question: Question<Q>,
  call: (client: Sightline, question: Q, signal: AbortSignal) => Promise<T>,
): Reply<T> {
  const { id, client } = useAccount();
  return useQuery<T, Error, T, readonly unknown[]>({
    queryKey: [id, name, question],
    queryFn: ({ signal }) => call(client, question as Q, signal),
    enabled: question !== null,
    staleTime: staleMs,
    // The reply before stands until the next one is there, unless it is another account's.
    placeholderData: ((before: T | undefined, query?: { readonly queryKey: readonly unknown[] }) =>
      query?.queryKey[0] === id ? before : undefined) as never,
  });
}

/** What is tracked, and what there is to filter by. */
export function useWorkspace(): Reply<WorkspaceResponse> {
  return useCall("workspace", {}, (client, _, signal) => client.workspace({ signal }));
}

/** Every value of each entity over a range, in groups. */
export function useSummary(question: Question<InsightsSummaryQuestion>) {
  return useCall(
    "summary",
    question,
    (client, asked, signal): Promise<InsightsSummaryResponse> =>
      client.insights.summary({ portrayal: false, ...sent(asked) }, { signal }),
  );
}

/** What the change of a value consists of. */
export function useChanges(question: Question<InsightsChangesQuestion>) {
  return useCall(
    "changes",
    question,
    (client, asked, signal): Promise<InsightsChangesResponse> =>
      client.insights.changes(sent(asked), { signal }),
  );
}

/** How many prompts and answers show a change. */
export function usePlan(question: Question<InsightsPlanQuestion>) {
  return useCall(
    "plan",
    question,
    (client, asked, signal): Promise<InsightsPlanResponse> =>
      client.insights.plan(sent(asked), { signal }),
  );
}

/** In how many answers an entity is mentioned and cited, one of these alone, or neither. */
export function usePresence(question: Question<InsightsPresenceQuestion>) {
  return useCall(
    "presence",
    question,
    (client, asked, signal): Promise<InsightsPresenceResponse> =>
      client.insights.presence(sent(asked), { signal }),
  );
}

/** How long citations last. */
export function useCitationLife(question: Question<CitationLifeQuestion>) {
  return useCall(
    "citation-life",
    question,
    (client, asked, signal): Promise<CitationLifeResponse> =>
      client.insights.citationLife(sent(asked), { signal }),
  );
}

/**
 * A time series with the metric and the filters that it is of, which the reply does not say: while
 * the next one is fetched, the one before is shown, whose values have another unit.
 */
export type MetricSeries = InsightsSeriesResponse &
  Pick<SeriesQuestion, "metric"> & { readonly filters: ViewFilters };

/** A question for a series that charts show. */
type SeriesQuestion = InsightsSeriesQuestion & { readonly metric: DrawnMetric };

/** A time series with counts. */
export function useSeries(question: Question<SeriesQuestion>): Reply<MetricSeries> {
  return useCall("series", question, async (client, asked, signal) => {
    const { metric, filters } = asked;
    return { ...(await client.insights.series(sent(asked), { signal })), metric, filters };
  });
}

/**
 * The weeks in which models or prompts changed. They are of the answers alone, so that all metrics
 * and lengths of a bucket share one reply, and no chart waits for it.
 */
export function useMarks(filters: Question<ViewFilters>) {
  const fixed = { metric: "mentions", interval: "monthly", include: ["marks"] } as const;
  const asked = filters === null ? null : { ...fixed, filters };
  return useCall("marks", asked, async (client, question: InsightsSeriesQuestion, signal) => {
    return (await client.insights.series(sent(question), { signal })).marks ?? [];
  });
}

/** A page of sources. */
export function useSources(question: Question<InsightsSourcesQuestion>) {
  return useCall(
    "sources",
    question,
    (client, asked, signal): Promise<InsightsSourcesResponse> =>
      client.insights.sources(sent(asked), { signal }),
  );
}

/** One answer, as it was recorded. */
export function useAnswer(id: string | null): Reply<RecordedAnswerResponse> {
  return useCall("answer", id, (client, asked, signal) => client.answers.get(asked, { signal }));
}

/** The answers behind a value, page by page, newest first. */
export function useEvidence(
  question: Question<EvidenceQuestion>,
): UseInfiniteQueryResult<InfiniteData<EvidenceResponse>, Error> {
  const { id, client } = useAccount();
  return useInfiniteQuery({
    queryKey: [id, "evidence", question],
    queryFn: ({ signal, pageParam }) => {
      if (question === null) throw new Error("not asked");
      const cursor = pageParam === "" ? {} : { cursor: pageParam };
      return client.evidence({ ...sent(question), ...cursor }, { signal });
    },
    initialPageParam: "",
    getNextPageParam: ({ nextCursor }) => nextCursor,
    enabled: question !== null,
    staleTime: staleMs,
  });
}

/** The names under which the cache keeps an account's replies, for those that change something. */
export const repliesOf = (account: Account, name?: string): readonly unknown[] =>
  name === undefined ? [account.id] : [account.id, name];
