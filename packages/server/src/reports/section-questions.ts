import {
  dayMs,
  type EvidenceResponse,
  type InsightsChangesResponse,
  type InsightsSeriesResponse,
  type InsightsSourcesResponse,
  type InsightsSummaryResponse,
  instantOf,
  pageSourcesMax,
  type UntrackedNamesResponse,
} from "@sightline/contract";
import type { InnerAsking } from "../questions/inner-asking.ts";
import {
  type AskedReport,
  type ReportChange,
  type ReportDates,
  type ReportPrompt,
  type ReportPrompts,
  type ReportQuote,
  type ReportSources,
  type ReportSummary,
  reportMetrics,
} from "./asked-report.ts";

/** More competitors make tables that nobody reads. */
const competitorsMax = 10;
const sourcesMax = 15;
const gapsMax = 10;
const namesMax = 12;
const quotesOfFlag = 3;
const quoteCharactersMax = 320;

/** The filters of a range of days. */
function filtersOver({ startDate, endDate }: ReportDates, filters: AskedReport["filters"]) {
  const { exclude, ...passing } = filters;
  const from = `${startDate}T00:00:00Z`;
  const to = new Date((instantOf(`${endDate}T00:00:00Z`) ?? 0) + dayMs).toISOString();
  const apart = exclude === undefined ? {} : { exclude };
  return { filters: { ...passing, timeRange: { from, to } }, ...apart };
}

/** The ranges and filters of a report's questions. */
function rangesOf({ filters, compareWith, ...dates }: AskedReport) {
  const compare = compareWith === null ? {} : { compare: filtersOver(compareWith, filters) };
  return { ...filtersOver(dates, filters), ...compare };
}

/** The values of all answers, and why there are none. */
export async function askSummary(asking: InnerAsking, asked: AskedReport) {
  const portrayal = asked.sections.includes("portrayal");
  const body = { ...rangesOf(asked), groupBy: "none", portrayal };
  const reply = await asking.reply<InsightsSummaryResponse>("insightsSummary", body);
  const [all] = reply.groups;
  const [brand, ...competitors] = all?.entities ?? [];
  const most = competitors
    .toSorted((a, b) => b.mentions.numerator - a.mentions.numerator)
    .slice(0, competitorsMax);
  const { tests, portrayalTests, compare, empty } = reply;
  const found: ReportSummary = {
    answers: all?.answers ?? 0,
    prompts: all?.prompts ?? 0,
    tests,
    ...(portrayalTests === undefined ? {} : { portrayalTests }),
    ...(compare === undefined ? {} : { compare }),
    entities: brand === undefined ? [] : [brand, ...most],
    competitorsLeftOut: competitors.length - most.length,
  };
  return { found, empty };
}

/** By what answers of the period the report was measured; those of the one before are not shown. */
export async function askMeasurement(asking: InnerAsking, asked: AskedReport, brandId: string) {
  const only = { groupBy: "none", entityIds: [brandId], portrayal: false, include: ["facts"] };
  const body = { ...filtersOver(asked, asked.filters), ...only };
  const { facts = null } = await asking.reply<InsightsSummaryResponse>("insightsSummary", body);
  return facts;
}

/** Days for a month, months for more than two years: a course has about 13 to 100 points. */
const dailyMax = 35;
const weeklyMax = 740;

/** How often the entities are mentioned over time. */
export async function askCourse(asking: InnerAsking, asked: AskedReport) {
  const { filters, exclude } = filtersOver(asked, asked.filters);
  const { from, to } = filters.timeRange;
  const days = ((instantOf(to) ?? 0) - (instantOf(from) ?? 0)) / dayMs;
  const interval = days <= dailyMax ? "daily" : days <= weeklyMax ? "weekly" : "monthly";
  const apart = exclude === undefined ? {} : { exclude };
  const body = { metric: "mentions", interval, filters, ...apart, include: ["marks"] };
  const { series, marks } = await asking.reply<InsightsSeriesResponse>("insightsSeries", body);
  return { interval, series, ...(marks === undefined ? {} : { marks }) } as const;
}

/** The cited domains, and those with gaps. */
export async function askSources(asking: InnerAsking, asked: AskedReport): Promise<ReportSources> {
  // One question for both lists: it counts every source of the period, which takes longest of all.
  const page = { groupBy: "domain", limit: pageSourcesMax, offset: 0, orderBy: "citations" };
  const body = { ...rangesOf(asked), ...page };
  const found = await asking.reply<InsightsSourcesResponse>("insightsSources", body);
  return {
    listed: found.sources.slice(0, sourcesMax),
    gaps: found.sources
      .filter(({ withCompetitorOnly }) => withCompetitorOnly > 0)
      .toSorted((a, b) => b.opportunity - a.opportunity)
      .slice(0, gapsMax),
    total: found.pagination.total,
  };
}

/** Names that nobody tracks. */
export async function askNames(asking: InnerAsking, asked: AskedReport) {
  const body = { ...filtersOver(asked, asked.filters), limit: namesMax };
  const found = await asking.reply<UntrackedNamesResponse>("untrackedNames", body);
  const { onlyUnknown, names, total } = found;
  return { onlyUnknown, names, total };
}

/** Sentences about the brand, newest first. */
export async function askQuotes(
  asking: InnerAsking,
  asked: AskedReport,
  brandId: string,
): Promise<readonly ReportQuote[]> {
  const ranges = filtersOver(asked, asked.filters);
  const ofFlag = async (flag: ReportQuote["flag"]) => {
    const body = { ...ranges, entityId: brandId, role: flag, limit: quotesOfFlag };
    const { answers } = await asking.reply<EvidenceResponse>("evidence", body);
    return answers.flatMap((answer): readonly ReportQuote[] => {
      const cues = answer.mentions
        .filter(({ entityId }) => entityId === brandId)
        .flatMap((mention) => mention.cues);
      const cue = cues.find((each) => each.flag === flag);
      if (cue === undefined) return [];
      const { id: answerId, provider, answeredAt, text } = answer;
      const sentence = text.slice(...cue.sentence).slice(0, quoteCharactersMax);
      return [{ flag, answerId, provider, answeredAt, sentence: sentence.toWellFormed().trim() }];
    });
  };
  return (await Promise.all((["recommended", "criticized"] as const).map(ofFlag))).flat();
}

/** The changes that are explained: of more, a reader asks the console. */
const explainedMax = 2;
const contributionsListed = 5;

/** What the brand's changes consist of: those that moved, by prompt and by provider. */
export async function askChanges(
  asking: InnerAsking,
  asked: AskedReport,
  { entities: [brand] }: ReportSummary,
): Promise<readonly ReportChange[]> {
  if (asked.compareWith === null || brand === undefined) return [];
  const moved = reportMetrics
    .filter((metric) => brand[metric].change?.verdict === "moved")
    // Visibility is mentions or citations: with one of them it would be explained twice.
    .filter((metric, at) => metric !== "visibility" || at === 0)
    .slice(0, explainedMax);
  const asks = moved.flatMap((metric) =>
    (["provider", "prompt"] as const).map((by) => ({ metric, by })),
  );
  const page = { entityId: brand.id, limit: contributionsListed };
  return Promise.all(
    asks.map(async ({ metric, by }) => {
      const body = { ...rangesOf(asked), ...page, metric, by };
      const found = await asking.reply<InsightsChangesResponse>("insightsChanges", body);
      const { value, parts, change, contributions, rest, compare } = found;
      return { metric, by, value, parts, change, contributions, rest, compare };
    }),
  );
}

/** So many prompts at each end of the list, when all would be too many. */
const promptsAtEnd = 20;

/** The prompts by how often their answers mention the brand. */
export async function askPrompts(
  asking: InnerAsking,
  asked: AskedReport,
  brandId: string,
): Promise<ReportPrompts> {
  const all = await promptsOf(asking, { ...asked, compareWith: null }, brandId);
  all.sort((a, b) => (b.mentions.value ?? 0) - (a.mentions.value ?? 0) || b.answers - a.answers);
  const isWhole = all.length <= 2 * promptsAtEnd;
  const ends = isWhole ? [all, []] : [all.slice(0, promptsAtEnd), all.slice(-promptsAtEnd)];
  const [strongest = [], weakest = []] = await compared(asking, { asked, brandId }, ends);
  return { strongest, between: all.length - strongest.length - weakest.length, weakest };
}

/** The same lists with changes: to compare all of a thousand prompts takes ten times as long. */
async function compared(
  asking: InnerAsking,
  { asked, brandId }: { readonly asked: AskedReport; readonly brandId: string },
  lists: readonly (readonly ReportPrompt[])[],
): Promise<readonly (readonly ReportPrompt[])[]> {
  const promptIds = lists.flat().flatMap(({ id }) => (id === null ? [] : [id]));
  if (asked.compareWith === null || promptIds.length === 0) return lists;
  // Their topics let them pass already; a question takes one of the two.
  const { topics: _, ...filters } = asked.filters;
  const own = await promptsOf(asking, { ...asked, filters: { ...filters, promptIds } }, brandId);
  const byId = new Map(own.map((prompt) => [prompt.id, prompt]));
  return lists.map((list) => list.map((prompt) => byId.get(prompt.id) ?? prompt));
}

async function promptsOf(
  asking: InnerAsking,
  asked: AskedReport,
  brandId: string,
): Promise<ReportPrompt[]> {
  const body = { ...rangesOf(asked), groupBy: "prompt", portrayal: false, entityIds: [brandId] };
  const { groups } = await asking.reply<InsightsSummaryResponse>("insightsSummary", body);
  return groups.flatMap(({ key, name, answers, entities: [brand] }) => {
    if (brand === undefined || answers === 0) return [];
    const { mentions, citations, rank } = brand;
    return [{ id: key, text: name, answers, mentions, citations, rank }];
  });
}
