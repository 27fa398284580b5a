import { bucketsMax, bucketsOf, daysOfBucket, startOfBucket } from "./calendar.ts";
import { estimated } from "./estimates.ts";
import {
  asksSources,
  type Excluded,
  type Filters,
  type Name,
  type OracleAccount,
  type OracleAnswer,
  type OracleEntity,
  type OracleWorkspace,
  type Question,
  type Range,
  type SeriesQuestion,
  type SourcesQuestion,
} from "./model.ts";
import { type Said, type SaidName, saidIn } from "./said.ts";

/**
 * What the service has to reply, worked out from semantics.md over plain arrays in the most
 * obvious way; null when it has to refuse the question (400).
 */
export function expectedReply(account: OracleAccount, question: Question): object | null {
  const { topics = [], promptIds = [] } = question.body.filters;
  if (topics.length > 0 && promptIds.length > 0) return null;
  if (question.fromMs >= question.toMs) return null;
  if (asksSources(question)) return sources(account, question);
  return timeSeries(account, question, (parts) => ({ value: fraction(parts) }));
}

/** What POST /v1/insights/series has to reply to a question; null when it has to refuse it. */
export function expectedCounts(
  account: OracleAccount,
  question: SeriesQuestion,
  said: SaidName | null,
): object | null {
  const { topics = [], promptIds = [] } = question.body.filters;
  if (topics.length > 0 && promptIds.length > 0) return null;
  if (question.fromMs >= question.toMs) return null;
  const { interval: length, filters } = question.body;
  const everywhere = { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY };
  const all = answersThatCount(account, { timeRange: filters.timeRange }, everywhere);
  const lastMs = all.reduce((last, { at }) => Math.max(last, at), Number.NEGATIVE_INFINITY);
  const { fromMs, toMs } = question;
  return timeSeries(account, question, (parts, readings, { id, start }) => {
    const byPrompt = [...Map.groupBy(readings, ({ promptId }) => promptId).values()];
    const each = byPrompt.map((own) => {
      const { numerator, denominator } = counted(own, id);
      return { a: numerator, b: denominator };
    });
    const { numerator, denominator } = said === null ? parts : counted(readings, id);
    const isRank = said === null && question.operation === "brands/rank";
    const { interval } = estimated(each, isRank ? "rank" : "rate");
    const empty = readings.length === 0;
    const days = daysOfBucket(start, length, { fromMs, toMs, lastMs });
    const value = fraction({ numerator, denominator });
    return { value, numerator, denominator, interval, empty, ...days };
  });

  function counted(readings: readonly Reading[], id: string): Parts {
    if (said === null) return measured(question.operation, readings, id);
    const read = readings.filter((reading) => isRead(reading, id));
    return partsOf(read.filter((reading) => says(reading, id, said)).length, read.length);
  }
}

/** Whether an answer mentions an entity, and was read for what it says of it. */
export function isRead({ mentioned, said }: Reading, id: string): boolean {
  return mentioned.includes(id) && said.language !== null;
}

/** Whether an answer says something of an entity. */
export function says(reading: Reading, id: string, name: SaidName): boolean {
  return isRead(reading, id) && reading.said.flags.get(id)?.has(name) === true;
}

/** What GET /v1/workspace has to reply; the providers are in the order of the contract's list. */
export function expectedWorkspace(account: OracleAccount, providers: readonly string[]): object {
  const { workspace, importedAt } = account;
  const prompts = new Set(workspace.prompts.map(({ id }) => id));
  const answers = account.answers.filter(
    ({ promptId, outcome }) => outcome === "answered" && prompts.has(promptId),
  );
  const times = answers.map(({ at }) => at).sort((left, right) => left - right);
  const regions = new Set(answers.map(({ region }) => region));
  const [brand, ...competitors] = [...workspace.entities]
    .sort(seriesOrder)
    .map(({ id, name }) => ({ id, name }));
  return {
    brand,
    competitors,
    topics: inNameOrder(workspace.topics, ({ name }) => name),
    prompts: inNameOrder(workspace.prompts, ({ text }) => text),
    providers: providers.filter((each) => answers.some(({ provider }) => provider === each)),
    regions: [...regions].filter((region) => region !== null).sort(byCodeUnit),
    answers: { count: times.length, first: dateTime(times[0]), last: dateTime(times.at(-1)) },
    lastImport: dateTime(importedAt),
  };
}

function inNameOrder<Item extends { readonly id: string }>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
): readonly Item[] {
  const compare = (left: Item, right: Item) =>
    byCodeUnit(nameOf(left).toLowerCase(), nameOf(right).toLowerCase()) ||
    byCodeUnit(left.id, right.id);
  return [...items].sort(compare);
}

function dateTime(ms: number | null | undefined): string | null {
  return ms === null || ms === undefined ? null : new Date(ms).toISOString();
}

function timeSeries(
  account: OracleAccount,
  question: SeriesQuestion,
  pointOf: (
    parts: Parts,
    readings: readonly Reading[],
    of: { readonly id: string; readonly start: number },
  ) => object,
): object | null {
  const { interval, filters } = question.body;
  const starts = bucketsOf(question.fromMs, question.toMs, interval);
  if (starts.length > bucketsMax) return null;
  const { workspace } = account;
  const answers = answersThatCount(account, filters, question);
  const readings = answers.map((answer) => read(answer, workspace));
  const buckets = Map.groupBy(readings, ({ at }) => startOfBucket(at, interval));
  return {
    interval,
    timeRange: filters.timeRange,
    series: [...workspace.entities].sort(seriesOrder).map(({ id, name }) => ({
      id,
      name,
      data: starts.map((start) => {
        const inBucket = buckets.get(start) ?? [];
        const parts = measured(question.operation, inBucket, id);
        const point = pointOf(parts, inBucket, { id, start });
        return { timestamp: new Date(start).toISOString(), ...point };
      }),
    })),
  };
}

/** An answer as the workspace of today sees it. */
export interface Reading {
  readonly at: number;
  readonly promptId: string;
  readonly provider: string;
  readonly region: string | null;
  readonly model: string | null;
  readonly surface: string | null;
  /** The pages that it cites, repeated as often as it does. */
  readonly pages: OracleAnswer["cited"];
  /** Ids of the mentioned entities in the order of their first mention: the first has rank 1. */
  readonly mentioned: readonly string[];
  readonly cited: readonly string[];
  readonly said: Said;
}

/** Reads an answer by the workspace. */
export function read(answer: OracleAnswer, workspace: OracleWorkspace): Reading {
  const { entities } = workspace;
  const mentioned: string[] = [];
  // In any case, although for some names the case counts.
  const phrases = entities.flatMap(({ except }) => except.map((each) => each.toLowerCase()));
  for (const name of answer.named) {
    if (name.phrase !== undefined && phrases.includes(name.phrase.toLowerCase())) continue;
    const owner = entities.find((entity) => hasName(entity, name));
    if (owner !== undefined && !mentioned.includes(owner.id)) mentioned.push(owner.id);
  }
  const cited = entities.filter(({ domains }) =>
    answer.cited.some(({ within }) => domains.some((domain) => within.includes(domain))),
  );
  const { at, promptId, provider, region, model, surface, cited: pages } = answer;
  const of = { at, promptId, provider, region, model, surface };
  const said = saidIn(answer, workspace);
  return { ...of, pages, mentioned, cited: cited.map(({ id }) => id), said };
}

/** Whether a name is one of an entity's. The names of random accounts are distinguished by text. */
export function hasName({ names }: OracleEntity, name: Name): boolean {
  return names.some(({ text }) => text === name.text);
}

/** What a value is made of. */
interface Parts {
  readonly numerator: number;
  readonly denominator: number;
}

function partsOf(numerator: number, denominator: number): Parts {
  return { numerator, denominator };
}

function measured(
  operation: SeriesQuestion["operation"],
  readings: readonly Reading[],
  entityId: string,
): Parts {
  const mentioning = readings.filter(({ mentioned }) => mentioned.includes(entityId));
  const citing = readings.filter(({ cited }) => cited.includes(entityId));
  const visible = readings.filter((each) => mentioning.includes(each) || citing.includes(each));
  switch (operation) {
    case "brands/mentions":
      return partsOf(mentioning.length, readings.length);
    case "brands/citations":
      return partsOf(citing.length, readings.length);
    case "brands/overall-visibility":
      return partsOf(visible.length, readings.length);
    case "brands/rank": {
      const ranks = mentioning.map(({ mentioned }) => mentioned.indexOf(entityId) + 1);
      return partsOf(
        ranks.reduce((sum, rank) => sum + rank, 0),
        ranks.length,
      );
    }
  }
}

function fraction({ numerator, denominator }: Parts): number | null {
  return denominator === 0 ? null : numerator / denominator;
}

/** The order of the series. */
export function seriesOrder(left: OracleEntity, right: OracleEntity): number {
  if (left.isBrand !== right.isBrand) return left.isBrand ? -1 : 1;
  const byName = byCodeUnit(left.name.toLowerCase(), right.name.toLowerCase());
  return byName === 0 ? byCodeUnit(left.id, right.id) : byName;
}

/** The order of texts. */
export function byCodeUnit(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function sources(account: OracleAccount, question: SourcesQuestion): object {
  const { limit, offset, groupBy, filters } = question.body;
  const counts = new Map<string, number>();
  let all = 0;
  for (const answer of answersThatCount(account, filters, question)) {
    const pages = new Map(answer.cited.map((page) => [page.url, page]));
    for (const { url, domain } of pages.values()) {
      const source = groupBy === "url" ? url : domain;
      counts.set(source, (counts.get(source) ?? 0) + 1);
      all += 1;
    }
  }
  const ranked = [...counts]
    .map(([source, citations]) => ({ source, share: citations / all, citations }))
    .sort((a, b) => b.citations - a.citations || byCodeUnit(a.source, b.source));
  const page = ranked.filter((_, place) => place >= offset && place < offset + limit);
  const hasMore = offset + page.length < ranked.length;
  const pagination = { total: ranked.length, limit, offset, hasMore };
  return { groupBy, sources: page, pagination };
}

/** Which of the answers that pass the filters count. */
interface Counting {
  /** What is left out; nothing unless said. */
  readonly exclude?: Excluded | undefined;
  readonly outcome?: OracleAnswer["outcome"];
}

/** The answers of an outcome that pass the filters, of prompts that are not retired. */
export function answersThatCount(
  { workspace, answers }: OracleAccount,
  filters: Filters,
  { fromMs, toMs }: Range,
  { exclude = {}, outcome = "answered" }: Counting = {},
): readonly OracleAnswer[] {
  const { branded } = filters;
  const prompts = new Map(workspace.prompts.map((prompt) => [prompt.id, prompt]));
  const topicIds = (filters.topics ?? []).map(({ id }) => id.toLowerCase());
  const promptIds = (filters.promptIds ?? []).map((id) => id.toLowerCase());
  const regions = (filters.regions ?? []).map(({ code }) => code.toUpperCase());
  const out = [
    ...(exclude.providers ?? []),
    ...(exclude.topics ?? []).map(({ id }) => id.toLowerCase()),
    ...(exclude.promptIds ?? []).map((id) => id.toLowerCase()),
    ...(exclude.regions ?? []).map(({ code }) => code.toUpperCase()),
  ];
  return answers.filter((answer) => {
    const prompt = prompts.get(answer.promptId);
    if (prompt === undefined || answer.outcome !== outcome) return false;
    if (answer.at < fromMs || answer.at >= toMs) return false;
    if (branded !== undefined && prompt.branded !== branded) return false;
    const own = [answer.provider, prompt.topicId, prompt.id, answer.region];
    if (own.some((each) => each !== null && out.includes(each))) return false;
    if (isAmong(exclude.models, answer.model) || isAmong(exclude.surfaces, answer.surface)) {
      return false;
    }
    const tags = (prompt.tags ?? []).map(plainTag);
    if (exclude.tags?.some((tag) => tags.includes(plainTag(tag)))) return false;
    const wanted = filters.tags ?? [];
    if (wanted.length > 0 && !wanted.some((tag) => tags.includes(plainTag(tag)))) return false;
    return (
      passes(filters.models ?? [], answer.model) &&
      passes(filters.surfaces ?? [], answer.surface) &&
      passes(filters.providers ?? [], answer.provider) &&
      passes(regions, answer.region) &&
      passes(topicIds, prompt.topicId) &&
      passes(promptIds, prompt.id)
    );
  });
}

/** Of random tags: letters of ASCII, and spaces between words. */
function plainTag(tag: string): string {
  return tag.toLowerCase().split(" ").filter(Boolean).join(" ");
}

function isAmong(items: readonly string[] = [], value: string | null): boolean {
  return value !== null && items.includes(value);
}

/** No items: no filter. Without a value, nothing passes a filter. */
function passes(items: readonly string[], value: string | null): boolean {
  return items.length === 0 || (value !== null && items.includes(value));
}
