import { dayOf, monthOf } from "../analytics/buckets.ts";
import type { RecordedAnswer } from "../answers/answer-store.ts";
import type { Extraction, Extractor } from "../extraction/index.ts";
import { type NumberedPrompt, providerCode, regionCode, type SnapshotCodes } from "./codes.ts";

/** What every row says of its answer. Columns side by side: a row is one place in each. */
export interface AnswerColumns {
  /** Milliseconds since 1970, UTC. */
  readonly answeredAt: number[];
  /** Days since 1970-01-01, UTC. */
  readonly day: number[];
  /** Months since January of the year 0, UTC. */
  readonly month: number[];
  readonly prompt: number[];
  readonly topic: number[];
  readonly provider: number[];
  readonly region: number[];
  readonly branded: number[];
}

/** A row for each answer (entity 0), and one for each entity that is visible in it. */
export interface AppearanceColumns extends AnswerColumns {
  readonly entity: number[];
  readonly mentioned: number[];
  readonly cited: number[];
  readonly visible: number[];
  readonly rank: number[];
}

/** A row for each (answer, cited URL). */
export interface CitationColumns extends AnswerColumns {
  readonly url: string[];
  readonly domain: string[];
}

/** What a batch of recorded answers comes to. */
export interface FactRows {
  /** Place in the record of the batch's last answer. */
  readonly lastSequence: number;
  /** Answers read, those that do not count among them. */
  readonly answers: number;
  readonly appearances: AppearanceColumns;
  readonly citations: CitationColumns;
  /** Prompts whose answers were left out, since they are retired. */
  readonly passedOver: readonly string[];
}

/** The facts of a batch, which is not empty. Pure. */
export function factRowsOf(
  answers: readonly RecordedAnswer[],
  codes: SnapshotCodes,
  extract: Extractor,
): FactRows {
  const appearances = noAppearances();
  const citations: CitationColumns = { ...noAnswers(), url: [], domain: [] };
  const passedOver = new Set<string>();
  for (const answer of answers) {
    const prompt = codes.promptOf(answer.promptId);
    if (prompt === undefined) passedOver.add(answer.promptId);
    else if (answer.outcome === "answered") {
      const extraction = extract(answer);
      const values = answerValues(answer, prompt, codes);
      pushAppearances(appearances, values, extraction);
      pushCitations(citations, values, extraction);
    }
  }
  return {
    lastSequence: answers.at(-1)?.sequence ?? 0,
    answers: answers.length,
    appearances,
    citations,
    passedOver: [...passedOver],
  };
}

const answerColumnNames = [
  "answeredAt",
  "day",
  "month",
  "prompt",
  "topic",
  "provider",
  "region",
  "branded",
] as const satisfies readonly (keyof AnswerColumns)[];

type AnswerValues = Readonly<Record<keyof AnswerColumns, number>>;

function noAnswers(): AnswerColumns {
  return {
    answeredAt: [],
    day: [],
    month: [],
    prompt: [],
    topic: [],
    provider: [],
    region: [],
    branded: [],
  };
}

function noAppearances(): AppearanceColumns {
  return { ...noAnswers(), entity: [], mentioned: [], cited: [], visible: [], rank: [] };
}

function answerValues(
  { answeredAt, provider, region }: RecordedAnswer,
  prompt: NumberedPrompt,
  codes: SnapshotCodes,
): AnswerValues {
  return {
    answeredAt,
    day: dayOf(answeredAt),
    month: monthOf(answeredAt),
    prompt: prompt.number,
    topic: codes.topicOf(prompt.topicId),
    provider: providerCode(provider),
    region: regionCode(region),
    branded: Number(prompt.branded),
  };
}

function pushAnswer(columns: AnswerColumns, values: AnswerValues): void {
  for (const name of answerColumnNames) columns[name].push(values[name]);
}

function pushAppearances(
  columns: AppearanceColumns,
  values: AnswerValues,
  { mentions, citedEntities }: Extraction,
): void {
  const push = (entity: number, cited: boolean, rank: number | null) => {
    pushAnswer(columns, values);
    columns.entity.push(entity);
    columns.mentioned.push(rank === null ? 0 : 1);
    columns.cited.push(Number(cited));
    columns.visible.push(1);
    columns.rank.push(rank ?? 0);
  };
  push(0, true, 0); // the answer itself: its sums are the denominators of the rates
  const cited = new Set<number>(citedEntities);
  for (const [place, entity] of mentions.entries()) {
    push(entity + 1, cited.delete(entity), place + 1);
  }
  for (const entity of cited) push(entity + 1, true, null);
}

function pushCitations(
  columns: CitationColumns,
  values: AnswerValues,
  { citations }: Extraction,
): void {
  for (const { url, domain } of citations) {
    pushAnswer(columns, values);
    columns.url.push(url);
    columns.domain.push(domain);
  }
}
