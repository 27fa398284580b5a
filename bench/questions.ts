import type { Grouping, Interval, MetricName, Provider } from "@sightline/contract";
import { dayMs, type Workload } from "./generator/workload.ts";

/** Which answers count; prompts and topics by number. All conditions hold together. */
export interface Filter {
  readonly providers?: readonly Provider[];
  readonly regions?: readonly string[];
  readonly topics?: readonly number[];
  readonly prompts?: readonly number[];
  readonly branded?: boolean;
}

/** What all questions have. */
interface AnyQuestion {
  /** Says the whole question, and is the same for every workload as far as it can be. */
  readonly name: string;
  readonly days: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly filter: Filter;
}

/** A question for a time series. */
export interface SeriesQuestion extends AnyQuestion {
  readonly kind: "series";
  readonly metric: MetricName;
  readonly interval: Interval;
}

/** A question for a page of sources. */
export interface SourcesQuestion extends AnyQuestion {
  readonly kind: "sources";
  readonly groupBy: Grouping;
  readonly limit: number;
  readonly offset: number;
}

/** A question that is asked of every engine. */
export type Question = SeriesQuestion | SourcesQuestion;

/** Prompts of the longest list, if the workload has twice as many. */
const promptsMax = 500;
const pageSources = 100;

/** The questions of a workload, in the order of the report. */
export function questionsOf(workload: Workload): readonly Question[] {
  return [...seriesQuestions(workload), ...sourcesQuestions(workload)];
}

/** A filter with its name in a question's name; "" is none. */
type NamedFilter = readonly [name: string, filter: Filter];

const none: NamedFilter = ["", {}];
const provider: NamedFilter = ["provider", { providers: ["OPENAI"] }];
const twoProviders: NamedFilter = ["2 providers", { providers: ["GEMINI", "PERPLEXITY"] }];
const region: NamedFilter = ["region", { regions: ["US"] }];
const topic: NamedFilter = ["topic", { topics: [3] }];
const branded: NamedFilter = ["branded", { branded: true }];
const providerRegion: NamedFilter = ["provider+region", { providers: ["OPENAI"], regions: ["US"] }];
const topicProviderRegion: NamedFilter = [
  "topic+provider+region",
  { topics: [3], providers: ["OPENAI"], regions: ["US"] },
];
const brandedTopic: NamedFilter = ["branded+topic", { topics: [3], branded: true }];

/** So many prompts, from all over the workload. */
function promptList(workload: Workload, count: number, more: Filter = {}): NamedFilter {
  const prompts = Array.from({ length: count }, (_, place) =>
    Math.floor(((place + 0.5) * workload.prompts) / count),
  );
  const name = count === 1 ? "1 prompt" : `${count} prompts`;
  const suffix = more.providers === undefined ? "" : "+provider";
  return [`${name}${suffix}`, { ...more, prompts }];
}

/** The last days of a workload, or a range of about so many that begins and ends within a day. */
function rangeOf({ toMs }: Workload, days: number, unaligned: boolean) {
  const fromMs = toMs - days * dayMs;
  if (!unaligned) return { days, fromMs, toMs };
  return { days, fromMs: fromMs + 20_232_345, toMs: toMs - 12_077_655 };
}

function seriesQuestions(workload: Workload): readonly Question[] {
  const series = (
    days: number,
    [filterName, filter]: NamedFilter,
    {
      metric = "mentions",
      interval = "daily",
      unaligned = false,
    }: { metric?: MetricName; interval?: Interval; unaligned?: boolean } = {},
  ): Question => ({
    kind: "series",
    name: nameOf([metric, interval, `${days}d`, unaligned ? "unaligned" : "", filterName]),
    metric,
    interval,
    filter,
    ...rangeOf(workload, days, unaligned),
  });
  const most = Math.min(promptsMax, workload.prompts / 2);
  const lists = [1, 10, most].map((count) => promptList(workload, count));
  const listOfProvider = promptList(workload, 10, { providers: ["OPENAI"] });
  const filters = [
    provider,
    region,
    topic,
    branded,
    providerRegion,
    topicProviderRegion,
    brandedTopic,
    ...lists,
    listOfProvider,
  ];
  return [
    series(7, none),
    series(90, none),
    series(90, none, { interval: "weekly" }),
    series(90, none, { interval: "monthly" }),
    series(365, none),
    series(365, none, { interval: "weekly" }),
    series(365, none, { interval: "monthly" }),
    series(90, none, { metric: "overall-visibility" }),
    series(90, none, { metric: "citations" }),
    series(90, none, { metric: "rank" }),
    series(365, none, { metric: "rank" }),
    series(7, topicProviderRegion),
    series(90, twoProviders),
    ...filters.map((filter) => series(90, filter)),
    ...filters.map((filter) => series(365, filter)),
    series(90, none, { unaligned: true }),
    series(90, topicProviderRegion, { unaligned: true }),
    series(365, none, { interval: "monthly", unaligned: true }),
  ];
}

function sourcesQuestions(workload: Workload): readonly Question[] {
  return (["domain", "url"] as const).flatMap((groupBy) => {
    const sources = (
      days: number,
      [filterName, filter]: NamedFilter,
      { page = 1, unaligned = false }: { page?: number; unaligned?: boolean } = {},
    ): Question => ({
      kind: "sources",
      name: nameOf([
        `sources by ${groupBy}`,
        `${days}d`,
        unaligned ? "unaligned" : "",
        filterName,
        page === 1 ? "" : `page ${page}`,
      ]),
      groupBy,
      limit: pageSources,
      offset: (page - 1) * pageSources,
      filter,
      ...rangeOf(workload, days, unaligned),
    });
    return [
      sources(7, none),
      sources(90, none),
      sources(90, none, { page: 10 }),
      sources(365, none),
      sources(365, none, { page: 10 }),
      sources(90, provider),
      sources(90, topic),
      sources(90, promptList(workload, 10)),
      sources(90, providerRegion),
      sources(365, provider),
      sources(365, topic),
      sources(90, none, { unaligned: true }),
    ];
  });
}

function nameOf(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(" ");
}
