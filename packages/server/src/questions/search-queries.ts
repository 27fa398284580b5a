import { type SearchQueriesResponse, silentProviders } from "@sightline/contract";
import { providersOf } from "../facts/codes.ts";
import { normalizedQuery, queryKey, queryWords } from "../facts/kinds/search-queries.ts";
import { noPlan, type PlanUsed } from "../facts/plan/plan.ts";
import type { SeriesEntity } from "../facts/plan/series.ts";
import { planQueries, type QueriesFound } from "../facts/plan/source-plans.ts";
import { cursorAfter, type QueriesQuestion } from "../facts/plan/source-questions.ts";
import { type Emptiness, emptyPart } from "./account-views.ts";
import { emptyOf, type FactsReading } from "./reading.ts";
import { estimate } from "./statistics/estimates.ts";

/** What the facts say of search queries. */
export interface QueriesFacts extends QueriesFound {
  /** Those that are told of, with their numbers. */
  readonly entities: readonly (SeriesEntity & { readonly number: number })[];
  /** Queries by their keys; one that was removed meanwhile is not there. */
  readonly texts: ReadonlyMap<string, string>;
  /** The id of a prompt by its number. */
  readonly promptId: (prompt: number) => string;
  readonly empty: Emptiness | null;
  readonly used: PlanUsed;
}

const nothingFound: QueriesFound = {
  page: [],
  total: 0,
  answers: [],
  appearances: [],
  searched: [],
};

/** Facts know queries by keys alone. */
interface QueryTexts {
  /** Texts of answers before it are removed. */
  readonly textsFromMs: number;
  /** The queries of answers at these places of the record, in this order. */
  readonly queriesAt: (sequences: readonly number[]) => Promise<readonly (readonly string[])[]>;
}

/**
 * What the facts say of a page of search queries.
 * @throws FactsError unavailable when the record cannot be read.
 */
export async function readSearchQueries(
  reading: FactsReading,
  { selection, entityIds, limit, after }: QueriesQuestion,
  { textsFromMs, queriesAt }: QueryTexts,
): Promise<QueriesFacts> {
  const { engine, accountId, view, signal } = reading;
  const numbered = view.entities.map((entity, place) => ({ ...entity, number: place + 1 }));
  const entities = numbered.filter(({ id, number }) =>
    entityIds === null ? number === 1 : entityIds.includes(id),
  );
  const page = { limit, after, textsFromMs, entities: entities.map(({ number }) => number) };
  const { facts } = view;
  const plan = facts && planQueries(selection, page, facts.codes);
  const found =
    facts === null || plan === null
      ? nothingFound
      : await engine.searchQueries(accountId, { generation: facts.generation, plan }, signal);
  return {
    ...found,
    entities,
    texts: await textsOf(found, queriesAt),
    promptId: (prompt) => facts?.snapshot.prompts[prompt]?.id ?? "",
    empty: found.searched.length === 0 ? await emptyOf(reading, selection, null) : null,
    used: plan === null ? noPlan : { name: "queries", refused: [] },
  };
}

async function textsOf(
  { answers }: QueriesFound,
  queriesAt: QueryTexts["queriesAt"],
): Promise<QueriesFacts["texts"]> {
  const places = new Map<string, number>();
  for (const { key, sequence } of answers) {
    places.set(key, Math.max(sequence, places.get(key) ?? 0));
  }
  const recorded = await queriesAt([...new Set(places.values())].sort((a, b) => a - b));
  const texts = recorded.flat().map(normalizedQuery);
  const found = new Map(texts.map((text) => [queryKey(text), text]));
  return new Map([...found].filter(([key]) => places.has(key)));
}

/** The most bytes that a reply takes, nearly: of long queries and many entities. */
export function queriesBytesMax({ limit }: QueriesQuestion, { entities }: QueriesFacts): number {
  return 5_000 + limit * (4_000 + entities.length * 600);
}

type Listed = SearchQueriesResponse["queries"][number];
type Value = Listed["entities"][number]["mentions"];

/** The reply of POST /v1/insights/queries, as JSON. It can be paused after each query. */
export function* queriesJson(
  { limit }: QueriesQuestion,
  facts: QueriesFacts,
  textOf: (promptId: string) => string,
): Generator<void, Buffer, void> {
  const answers = Map.groupBy(facts.answers, ({ key }) => key);
  const appearances = Map.groupBy(facts.appearances, ({ key }) => key);
  const page = facts.page.slice(0, limit);
  const queries: Listed[] = [];
  for (const { key, answers: own } of page) {
    const query = facts.texts.get(key);
    if (query === undefined) continue;
    const rows = answers.get(key) ?? [];
    const byPrompt = Map.groupBy(rows, ({ prompt }) => prompt);
    const sizes = new Map(
      [...byPrompt].map(([prompt, some]) => [
        prompt,
        some.reduce((sum, each) => sum + each.answers, 0),
      ]),
    );
    const texts = [...byPrompt.keys()].sort((a, b) => a - b).map((each) => facts.promptId(each));
    const { added, dropped } = queryWords(query, texts.map(textOf));
    queries.push({
      query,
      answers: own,
      prompts: byPrompt.size,
      providers: [...providersOf(new Set(rows.map(({ provider }) => provider)))],
      added: [...added],
      dropped: [...dropped],
      firstSeenAt: instant(Math.min(...rows.map(({ firstMs }) => firstMs))),
      lastSeenAt: instant(Math.max(...rows.map(({ lastMs }) => lastMs))),
      entities: facts.entities.map(({ id, number }) => {
        const shown = (appearances.get(key) ?? []).filter(({ entity }) => entity === number);
        const value = (of: "mentioned" | "cited"): Value => {
          const hits = new Map(shown.map((each) => [each.prompt, each[of]]));
          const clusters = [...sizes].map(([prompt, denominator]) => {
            return { numerator: hits.get(prompt) ?? 0, denominator };
          });
          return estimate(clusters, "rate") as Value;
        };
        return { id, mentions: value("mentioned"), citations: value("cited") };
      }),
    });
    yield;
  }
  const last = page.at(-1);
  const reply: SearchQueriesResponse = {
    searched: facts.searched.flatMap(({ provider, ...counts }) =>
      [...providersOf(new Set([provider]))].map((name) => {
        return { provider: name, ...counts, tells: !silentProviders.includes(name) };
      }),
    ),
    queries,
    total: facts.total,
    nextCursor: facts.page.length > limit && last !== undefined ? cursorAfter(last) : null,
    empty: emptyPart(facts.empty),
  };
  return Buffer.from(JSON.stringify(reply));
}

const instant = (ms: number) => new Date(ms).toISOString();
