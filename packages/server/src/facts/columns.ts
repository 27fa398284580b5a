import type { Interval } from "@sightline/contract";
import type { RecordMark } from "../answers/answer-store.ts";
import { portrayalBit } from "./codes.ts";
import type { AppearanceMeasure } from "./plan/places-plan.ts";
import type { Measure, PortrayalMeasure } from "./plan/plan.ts";

/** What is counted of an entity in an answer: 0 or 1, and the rank. Sums in a rollup. */
export const measures = ["mentioned", "cited", "visible", "rank"] as const;

/** Whether an answer mentions, cites or shows any entity: 0 or 1. */
export const anyMeasures = ["any_mentioned", "any_cited", "any_visible"] as const;

/** What the rollup of appearances adds up. */
export const dailySums = [...measures, ...anyMeasures] as const;

/** Columns side by side: a row is one place in each. */
type Columns<Name extends string> = Readonly<Record<Name, Int32Array>>;

/**
 * What is known of each answer that counts. Topic and region are 0 where there is none, model and
 * surface where they are not known.
 */
export type AnswerColumns = Columns<
  | "day"
  | "week"
  | "month"
  | "prompt"
  | "topic"
  | "provider"
  | "region"
  | "branded"
  | "model"
  | "surface"
> & {
  /** Place in the record: which answer it is. */
  readonly sequence: BigInt64Array;
  /** Milliseconds since 1970, UTC. */
  readonly answeredAt: BigInt64Array;
};

/**
 * What appearances say of each answer in addition: the language in which it was read for how it
 * speaks of entities, 0 where it was not, and whether it mentions, cites or shows any entity.
 */
export type AnswerDetailColumns = Columns<"language" | (typeof anyMeasures)[number]>;

/**
 * A row for each answer (entity 0, the answer itself), and one for each entity that is visible in
 * it. `answer` is the answer's place in the batch; rank is 0 where it is not mentioned; `portrayal`
 * is what the answer says of the entity, as `portrayalCode` has it.
 */
export type AppearanceColumns = Columns<
  "answer" | "entity" | "mentioned" | "cited" | "visible" | "rank" | "portrayal"
>;

/** What was asked and not answered: it counts in no metric. */
type UnansweredColumns = AnswerColumns & Columns<"outcome">;

/** A row for each (answer, cited URL): the answer's place, and the URL's place among the URLs. */
export type CitationColumns = Columns<"answer" | "url">;

/**
 * A row for each query that an answer searched for: the answer's place, and the query's key, line
 * by line. An answer has each query once.
 */
interface QueryRows {
  readonly answer: Int32Array;
  readonly keys: string;
}

/**
 * A row for each name that an answer has and nobody tracks, once: the answer's place, where the
 * name begins and ends in the text, what the answer says of it (as `NameBits`), whose it seems to
 * be (the number of an entity, 0: nobody's) and its place beside tracked entities. `numbers` stand
 * for names as they are compared: the record has the texts. Domains come line by line.
 */
export interface NameRows extends Columns<(typeof nameColumns)[number]> {
  readonly answer: Int32Array;
  readonly number: BigInt64Array;
  readonly domains: string;
}

/**
 * A row for each month and word, as a number: answers that write it in lower case, and answers that
 * write it with a capital.
 */
type WordColumns = Columns<"month" | "word" | "lower" | "capital">;

/** The columns of a name that are numbers. */
export const nameColumns = ["bits", "owner", "place", "begins", "ends"] as const;

/**
 * Each URL of the batch once, and its domain, line by line; none holds a line break. So they go to
 * the engine, which cuts them up on a thread of its own.
 */
interface CitedUrls {
  readonly count: number;
  readonly names: string;
  readonly domains: string;
}

/** What a batch of recorded answers comes to. */
export interface FactRows {
  /** The batch's last answer. */
  readonly mark: RecordMark;
  /** Answers read, those that do not count among them. */
  readonly answersRead: number;
  readonly answers: AnswerColumns;
  readonly details: AnswerDetailColumns;
  readonly appearances: AppearanceColumns;
  readonly citations: CitationColumns;
  readonly unanswered: UnansweredColumns;
  readonly urls: CitedUrls;
  readonly queries: QueryRows;
  readonly names: NameRows;
  readonly words: WordColumns;
  /** Prompts whose answers were left out, since they are retired. */
  readonly skippedPrompts: readonly string[];
}

/** The memory of a batch, so that it moves to another thread instead of being copied. */
export function buffersOf(rows: FactRows): readonly ArrayBuffer[] {
  const { answers, details, appearances, citations, unanswered, queries, words } = rows;
  const { domains: _, ...names } = rows.names;
  return [
    answers,
    details,
    appearances,
    citations,
    unanswered,
    { answer: queries.answer },
    names,
    words,
  ]
    .flatMap((columns) => Object.values(columns))
    .map(({ buffer }) => buffer as ArrayBuffer);
}

// Every engine has these columns, under the same names.

/** What each measure is of a row: a column, or a bit of one (0 or 1). */
export const measureColumns: Readonly<Record<Measure, string>> = {
  mentioned: "mentioned",
  cited: "cited",
  visible: "visible",
  rank: "rank",
  read: bitOf("read"),
  recommended: bitOf("recommended"),
  praised: bitOf("praised"),
  criticized: bitOf("criticized"),
  discouraged: bitOf("discouraged"),
  notFound: bitOf("notFound"),
};

/** Every engine knows the remainder; each has its own word for bits. */
function bitOf(measure: PortrayalMeasure): string {
  const bit = portrayalBit(measure);
  return `cast(portrayal % ${2 * bit} >= ${bit} as integer)`;
}

/** The column of each interval's buckets. */
export const bucketColumns: Readonly<Record<Interval, string>> = {
  daily: "day",
  weekly: "week",
  monthly: "month",
};

/** The column that says whether an answer mentions, cites or shows any entity. */
export const anyEntityColumns: Readonly<Record<AppearanceMeasure, (typeof anyMeasures)[number]>> = {
  mentioned: "any_mentioned",
  cited: "any_cited",
  visible: "any_visible",
};
