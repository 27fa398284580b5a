import { ReadableStream } from "node:stream/web";
import { portrayalFlags, providers } from "@sightline/contract";
import fc from "fast-check";
import { outcomes, surfaces } from "../../../server/src/answers/answer.ts";
import type { RecordedContent } from "../../../server/src/answers/answer-store.ts";
import {
  type FullExtraction,
  nameKey,
  type UntrackedName,
} from "../../../server/src/extraction/index.ts";
import { promptCodesOf } from "../../../server/src/facts/codes.ts";
import { factRowsOf } from "../../../server/src/facts/projection/batch.ts";
import { factsVersion, promptLines, type Snapshot } from "../../../server/src/facts/snapshot.ts";

const idOf = (kind: number, number: number) =>
  `${kind}0000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const topics = [0, 1].map((number) => idOf(1, number));
const entities = [0, 1, 2].map((number) => ({
  id: idOf(2, number),
  name: `Entity ${number}`,
  names: [],
  domains: [],
}));
/** What the facts are derived by: three entities, two topics, four prompts. */
export const factsSnapshot: Snapshot = {
  factsVersion,
  extractionVersion: "",
  names: 1,
  entities,
  topics,
  prompts: [0, 1, 2, 3].map((number) => {
    return { id: idOf(3, number), topicId: topics[number % 3] ?? null, branded: number === 1 };
  }),
};

/** Signs that UTF-16 and UTF-8 order differently. */
const pathEnds = ["", "\u{1f600}", "\uff5e"];

/** What a page of a fact is. */
export function pageOf(page: number) {
  const domain = `site${page % 4}.com`;
  return { url: `https://${domain}/${pathEnds[page % pathEnds.length]}${page}`, domain };
}

const someOf = (most: number) =>
  fc.uniqueArray(fc.nat({ max: most - 1 }), { maxLength: most, size: "max" });

/** An answer and what is in it; instants lie around the ends of days, weeks, months and years. */
export const arbitraryFact = fc.record({
  prompt: fc.nat({ max: 3 }),
  provider: fc.constantFrom(...providers),
  region: fc.constantFrom("US", "DE", null),
  model: fc.constantFrom("one", "two", null),
  surface: fc.constantFrom(...surfaces, null),
  answeredAt: fc.integer({ min: Date.UTC(2025, 11, 28), max: Date.UTC(2026, 1, 2) }),
  mentions: someOf(entities.length),
  cited: someOf(entities.length),
  language: fc.constantFrom("en", "en", "ja", null),
  /** What is said of each entity, if it is mentioned in an answer that was read. */
  said: fc.tuple(...entities.map(() => fc.uniqueArray(fc.constantFrom(...portrayalFlags)))),
  pages: someOf(9),
  queries: fc.constantFrom([], ["Best tents", "tents"], ["best  TENTS", "best tents", " "]),
  names: fc.subarray([
    nameOf({ name: "Tarnfell", bits: 1 }),
    nameOf({ name: "TARNFELL Pro", bits: 19, owner: 1 }),
    nameOf({ name: "Weidenau", bits: 104, owner: 0, domain: "weidenau.example" }),
  ]),
});

function nameOf(own: Pick<UntrackedName, "name" | "bits"> & Partial<UntrackedName>): UntrackedName {
  const { name } = own;
  return {
    key: nameKey(name),
    start: 3,
    end: 9,
    place: name.length,
    owner: null,
    domain: "",
    ...own,
  };
}

/** An answer and what is in it. */
export type Fact = Omit<Drawn, "queries" | "names"> & Partial<Pick<Drawn, "queries" | "names">>;
type Drawn = typeof arbitraryFact extends fc.Arbitrary<infer Value> ? Value : never;

/** What an answer says of an entity. */
export function saidOf({ language, mentions, said }: Fact, entity: number) {
  return language === null || !mentions.includes(entity) ? [] : (said[entity] ?? []);
}

/** An answer, or what was asked and not answered; answered unless it says otherwise. */
export type AskedFact = Fact & Partial<Pick<RecordedContent, "outcome">>;

/** The same, some of them not answered. */
export const arbitraryAskedFact: fc.Arbitrary<AskedFact> = fc
  .tuple(arbitraryFact, fc.constantFrom("answered", "answered", ...outcomes))
  .map(([fact, outcome]) => ({ ...fact, outcome }));

/** The rows of answers that come after so many others. */
export async function factRowsAfter(after: number, facts: readonly AskedFact[]) {
  const extractions = new Map<string, FullExtraction>();
  const answers = facts.map((fact, index): RecordedContent => {
    const id = idOf(4, after + index + 1);
    extractions.set(id, {
      mentions: fact.mentions,
      language: fact.language,
      flags: new Map(fact.mentions.map((entity) => [entity, new Set(saidOf(fact, entity))])),
      citedEntities: fact.cited.toSorted(),
      citations: fact.pages.map(pageOf),
      names: fact.names ?? [],
      words: { lower: fact.mentions, capital: fact.cited },
    });
    return {
      sequence: after + index + 1,
      stamp: id,
      promptId: idOf(3, fact.prompt),
      provider: fact.provider,
      region: fact.region,
      answeredAt: fact.answeredAt,
      outcome: fact.outcome ?? "answered",
      text: id,
      citations: [],
      model: fact.model,
      surface: fact.surface,
      searchQueries: fact.queries ?? [],
      mentioned: null,
    };
  });
  const none: FullExtraction = {
    mentions: [],
    language: null,
    flags: new Map(),
    citedEntities: [],
    citations: [],
    names: [],
    words: { lower: [], capital: [] },
  };
  const prompts = promptCodesOf(await promptLines(factsSnapshot));
  const recorded = ReadableStream.from<RecordedContent>(answers);
  return factRowsOf(recorded, prompts, ({ text }) => extractions.get(text) ?? none);
}
