import fc from "fast-check";
import { type DecoyShape, decoyShapes, type NameShape, nameShapes } from "./names.ts";
import { ownDomains, pagesCount, type Spelling, spellings } from "./pages.ts";
import { arbitraryQuestion, type QuestionDraft } from "./question-draft.ts";

/** How many entities, topics and prompts an account can have at most. */
export const mostOf = { entities: 9, topics: 3, prompts: 24 } as const;

/** An entity in one version of a workspace. */
export interface EntityDraft {
  readonly tracked: boolean;
  /** Which of its three names it has, the first as its name. Never empty. */
  readonly names: readonly number[];
  readonly domains: readonly string[];
  /** Of which of its names it declares the phrase not to be a mention. */
  readonly except: readonly number[];
}

/** A prompt in one version of a workspace. */
export interface PromptDraft {
  readonly tracked: boolean;
  readonly topic: number | null;
  /** Null: the file says nothing. */
  readonly branded: boolean | null;
  readonly paused: boolean;
  readonly tags: readonly string[];
  /** Whose first name stands in its text. Null: nobody's. */
  readonly names: number | null;
}

/** The tags that prompts have. */
export const tagNames = ["Germany", "buying", "new home"] as const;

/** One version of a workspace file. */
export interface VersionDraft {
  readonly brand: number;
  readonly entities: readonly EntityDraft[];
  readonly topics: readonly boolean[];
  readonly prompts: readonly PromptDraft[];
}

/** A piece of an answer's text. */
export type WordDraft =
  | { readonly kind: "name"; readonly name: readonly [number, number]; readonly shape: NameShape }
  | { readonly kind: "said"; readonly name: readonly [number, number]; readonly index: number }
  | { readonly kind: "phrase"; readonly name: readonly [number, number] }
  | { readonly kind: "decoy"; readonly name: readonly [number, number]; readonly shape: DecoyShape }
  | { readonly kind: "neutral"; readonly index: number };

/** A citation of a page by its index. */
interface CitationDraft {
  readonly page: number;
  readonly spelling: Spelling;
  /** Null: left out. */
  readonly cited: boolean | null;
}

/** An answer to be imported. */
export interface AnswerDraft {
  readonly prompt: number;
  readonly provider: string;
  readonly region: string | null;
  readonly at: number;
  /** Minutes of the offset that the instant is written with. */
  readonly offset: number;
  readonly outcome: "answered" | "absent" | "failed" | "refused";
  readonly words: readonly WordDraft[];
  readonly citations: readonly CitationDraft[];
  readonly model: string | null;
  readonly surface: "api" | "web" | null;
  readonly ownId: "no" | "lower" | "upper";
}

/** Something that happens to an account, and what is asked after it. */
interface StepDraft {
  readonly version: number;
  readonly imports: readonly (readonly AnswerDraft[])[];
  /** How many lines of former imports each import brings again. */
  readonly repeated: number;
  readonly questions: readonly QuestionDraft[];
}

/** The life of an account. Plain data, so that fast-check prints and shrinks it. */
export interface Scenario {
  readonly versions: readonly VersionDraft[];
  readonly steps: readonly StepDraft[];
}

const dayMs = 86_400_000;

/** Where calendars are easy to get wrong; answers and questions gather around them. */
export const anchors: readonly number[] = [
  "2026-01-01T00:00:00.000Z", // year, within a week
  "2026-03-02T00:00:00.000Z", // a Monday after a month's first day
  "2024-02-29T00:00:00.000Z",
  "2023-05-01T00:00:00.000Z", // a Monday and a month's first day
  "1970-01-01T00:00:00.000Z",
  "1969-12-29T00:00:00.000Z", // a Monday before 1970
  "2000-02-29T00:00:00.000Z",
  "1900-03-01T00:00:00.000Z", // not a leap year
  "0001-01-15T00:00:00.000Z",
  "9999-12-20T00:00:00.000Z",
].map((text) => Date.parse(text));

/** An account of any size, from nothing to some two hundred answers. */
export const arbitraryScenario: fc.Arbitrary<Scenario> = fc
  .record({
    places: fc.array(arbitraryAnchor(), { minLength: 1, maxLength: 2 }),
    entities: fc.integer({ min: 1, max: mostOf.entities }),
  })
  .chain(({ places, entities }) =>
    fc.record({
      versions: arbitraryVersions(entities),
      steps: fc.array(arbitraryStep(places, entities), {
        minLength: 1,
        maxLength: 5,
        size: "max",
      }),
    }),
  );

function arbitraryAnchor(): fc.Arbitrary<number> {
  const [near, far] = [anchors.slice(0, 6), anchors.slice(6)];
  return fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...near) },
    { weight: 1, arbitrary: fc.constantFrom(...far) },
  );
}

/** A version of a workspace of so many entities. */
export function arbitraryVersion(entities: number): fc.Arbitrary<VersionDraft> {
  const entity = fc.record({
    tracked: mostly(true),
    names: fc.shuffledSubarray([0, 1, 2], { minLength: 1 }),
    domains: fc.subarray([...ownDomains], { maxLength: 4 }),
    except: fc.subarray([0, 1, 2]),
  });
  const prompt = fc.record({
    tracked: mostly(true),
    topic: fc.option(fc.nat({ max: mostOf.topics - 1 })),
    branded: fc.option(fc.boolean()),
    paused: fc.boolean(),
    tags: fc.shuffledSubarray([...tagNames]),
    names: fc.option(fc.nat({ max: entities - 1 })),
  });
  return fc.record({
    brand: fc.nat({ max: entities - 1 }),
    entities: exactly(entity, entities),
    topics: exactly(mostly(true), mostOf.topics),
    prompts: exactly(prompt, mostOf.prompts),
  });
}

/** What a version takes from another; little, often, since a service may tell changes apart. */
type Change =
  | { readonly kind: "all" | "brand" }
  | { readonly kind: "entity" | "topic" | "prompt" | "tracking"; readonly index: number };

/** A version, and up to two that differ from it. */
function arbitraryVersions(entities: number): fc.Arbitrary<readonly VersionDraft[]> {
  const of = (kind: "entity" | "topic" | "prompt" | "tracking", max: number) =>
    fc.record({ kind: fc.constant(kind), index: fc.nat({ max }) });
  const change: fc.Arbitrary<Change> = fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom({ kind: "all" }, { kind: "brand" }) },
    { weight: 3, arbitrary: of("entity", entities - 1) },
    { weight: 1, arbitrary: of("topic", mostOf.topics - 1) },
    { weight: 1, arbitrary: of("prompt", 4) }, // those that most answers are to
    { weight: 3, arbitrary: of("tracking", 4) },
  );
  const version = arbitraryVersion(entities);
  const others = fc.array(fc.tuple(version, change), { maxLength: 2, size: "max" });
  return fc
    .tuple(version, others)
    .map(([base, changes]) => [
      base,
      ...changes.map(([donor, change]) => changedVersion(base, donor, change)),
    ]);
}

function changedVersion(base: VersionDraft, donor: VersionDraft, change: Change): VersionDraft {
  const taken = <Item>(own: readonly Item[], index: number, item: Item | undefined) =>
    item === undefined ? own : own.with(index, item);
  switch (change.kind) {
    case "all":
      return donor;
    case "brand":
      return { ...base, brand: donor.brand };
    case "entity": {
      const { index } = change;
      return { ...base, entities: taken(base.entities, index, donor.entities[index]) };
    }
    case "topic": {
      const { index } = change;
      return { ...base, topics: taken(base.topics, index, base.topics[index] !== true) };
    }
    case "prompt": {
      const { index } = change;
      return { ...base, prompts: taken(base.prompts, index, donor.prompts[index]) };
    }
    case "tracking": {
      const { index } = change;
      const prompt = base.prompts[index];
      const turned = prompt === undefined ? undefined : { ...prompt, tracked: !prompt.tracked };
      return { ...base, prompts: taken(base.prompts, index, turned) };
    }
  }
}

function arbitraryStep(places: readonly number[], entities: number): fc.Arbitrary<StepDraft> {
  const answers = fc.array(arbitraryAnswer(places, entities), { maxLength: 40, size: "max" });
  return fc.record({
    version: fc.nat({ max: 2 }),
    imports: fc.oneof(
      { weight: 1, arbitrary: fc.constant([]) },
      { weight: 5, arbitrary: fc.array(answers, { minLength: 1, maxLength: 2 }) },
    ),
    repeated: fc.nat({ max: 3 }),
    questions: fc.array(arbitraryQuestion, { minLength: 1, maxLength: 40, size: "max" }),
  });
}

/** An answer in one of some places in time, which names some of so many entities. */
export function arbitraryAnswer(
  places: readonly number[],
  entities: number,
): fc.Arbitrary<AnswerDraft> {
  return fc.record({
    prompt: fc.oneof(fc.nat({ max: 4 }), fc.nat({ max: mostOf.prompts - 1 })),
    provider: fc.constantFrom("OPENAI", "GEMINI", "GROK", "GOOGLE_AI_OVERVIEW"),
    region: fc.option(fc.constantFrom("US", "us", "DE", "gB")),
    at: fc
      .tuple(fc.constantFrom(...places), arbitraryDistance())
      .map(([place, distance]) => place + distance),
    offset: fc.constantFrom(0, 0, 330, -480),
    outcome: fc.oneof(
      { weight: 4, arbitrary: fc.constant("answered" as const) },
      { weight: 2, arbitrary: fc.constantFrom("absent", "failed", "refused") },
    ),
    words: fc.array(arbitraryWord(entities), { maxLength: 9, size: "max" }),
    citations: fc.array(arbitraryCitation, { maxLength: 6, size: "max" }),
    model: fc.constantFrom(null, null, "alpha", "beta"),
    surface: fc.constantFrom(null, null, "api", "web"),
    ownId: fc.constantFrom("no", "lower", "upper"),
  });
}

/** On an edge, next to it, or anywhere up to five weeks away, on which ranges then begin or end. */
function arbitraryDistance(): fc.Arbitrary<number> {
  return fc.oneof(
    fc.constantFrom(0, -1, 1, dayMs, -dayMs, dayMs - 1, 7 * dayMs, -7 * dayMs - 1),
    fc.integer({ min: -3 * dayMs, max: 3 * dayMs }),
    // Not back beyond year 1, nor on beyond 9999.
    fc.integer({ min: -10 * dayMs, max: 10 * dayMs }),
  );
}

function arbitraryWord(entities: number): fc.Arbitrary<WordDraft> {
  const name = fc.tuple(fc.nat({ max: entities - 1 }), fc.nat({ max: 2 }));
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant("name" as const),
        name,
        shape: fc.constantFrom(...nameShapes),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("said" as const),
        name,
        index: fc.nat({ max: 5 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("phrase" as const), name }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant("decoy" as const),
        name,
        shape: fc.constantFrom(...decoyShapes),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant("neutral" as const), index: fc.nat({ max: 8 }) }),
    },
  );
}

const arbitraryCitation: fc.Arbitrary<CitationDraft> = fc.record({
  // Few pages often, so that counts grow and are equal; all pages sometimes.
  page: fc.oneof(fc.nat({ max: 12 }), fc.nat({ max: pagesCount - 1 })),
  spelling: fc.constantFrom(...spellings),
  cited: fc.constantFrom(null, true, true, false),
});

function mostly(value: boolean): fc.Arbitrary<boolean> {
  return fc.constantFrom(value, value, value, !value);
}

function exactly<Item>(item: fc.Arbitrary<Item>, length: number): fc.Arbitrary<Item[]> {
  return fc.array(item, { minLength: length, maxLength: length });
}
