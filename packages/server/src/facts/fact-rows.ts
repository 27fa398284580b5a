import { dayOf, monthOf, weekOf } from "../analytics/buckets.ts";
import type { RecordedContent } from "../answers/answer-store.ts";
import type { Extraction, Extractor } from "../extraction/index.ts";
import { type NumberedPrompt, providerCode, regionCode, type SnapshotCodes } from "./codes.ts";

/** Columns side by side: a row is one place in each. */
export type Columns<Name extends string> = Readonly<Record<Name, Int32Array>>;

/** What is known of each answer that counts. Topic and region are 0 where there is none. */
export type AnswerColumns = Columns<
  "day" | "week" | "month" | "prompt" | "topic" | "provider" | "region" | "branded"
> & {
  /** Milliseconds since 1970, UTC. */
  readonly answeredAt: BigInt64Array;
};

/**
 * A row for each answer (entity 0, the answer itself), and one for each entity that is visible in
 * it. `answer` is the answer's place in the batch; rank is 0 where it is not mentioned.
 */
export type AppearanceColumns = Columns<
  "answer" | "entity" | "mentioned" | "cited" | "visible" | "rank"
>;

/** A row for each (answer, cited URL): the answer's place, and the URL's place among the URLs. */
export type CitationColumns = Columns<"answer" | "url">;

/**
 * Each URL of the batch once, and its domain, line by line; none holds a line break. So they go to
 * the engine, which cuts them up on a thread of its own.
 */
export interface CitedUrls {
  readonly count: number;
  readonly names: string;
  readonly domains: string;
}

/** What a batch of recorded answers comes to. */
export interface FactRows {
  /** Place in the record of the batch's last answer. */
  readonly lastSequence: number;
  /** Answers read, those that do not count among them. */
  readonly answersRead: number;
  readonly answers: AnswerColumns;
  readonly appearances: AppearanceColumns;
  readonly citations: CitationColumns;
  readonly urls: CitedUrls;
  /** Prompts whose answers were left out, since they are retired. */
  readonly passedOver: readonly string[];
}

/** The facts of a batch, whose answers are looked at one by one; null when there are none. */
export function factRowsOf(
  answers: Iterable<RecordedContent>,
  codes: SnapshotCodes,
  extract: Extractor,
): FactRows | null {
  const batch = new Batch();
  let [lastSequence, answersRead] = [0, 0];
  const passedOver = new Set<string>();
  for (const answer of answers) {
    lastSequence = answer.sequence;
    answersRead++;
    const prompt = codes.promptOf(answer.promptId);
    if (prompt === undefined) passedOver.add(answer.promptId);
    else if (answer.outcome === "answered") batch.add(answer, { prompt, codes }, extract(answer));
  }
  if (answersRead === 0) return null;
  return { lastSequence, answersRead, ...batch.columns(), passedOver: [...passedOver] };
}

/** The memory of a batch, so that it moves to another thread instead of being copied. */
export function buffersOf({ answers, appearances, citations }: FactRows): readonly ArrayBuffer[] {
  return [answers, appearances, citations]
    .flatMap((columns) => Object.values(columns))
    .map(({ buffer }) => buffer as ArrayBuffer);
}

interface Place {
  readonly prompt: NumberedPrompt;
  readonly codes: SnapshotCodes;
}

/** Numbers of which it is not known how many there will be. */
type Growing<Names> = { readonly [Name in keyof Names]: number[] };

class Batch {
  readonly #answeredAt: bigint[] = [];
  readonly #answers: Growing<Omit<AnswerColumns, "answeredAt">> = {
    day: [],
    week: [],
    month: [],
    prompt: [],
    topic: [],
    provider: [],
    region: [],
    branded: [],
  };
  readonly #appearances: Growing<AppearanceColumns> = {
    answer: [],
    entity: [],
    mentioned: [],
    cited: [],
    visible: [],
    rank: [],
  };
  readonly #citations: Growing<CitationColumns> = { answer: [], url: [] };
  readonly #places = new Map<string, number>();
  readonly #domains: string[] = [];

  add(
    { answeredAt, provider, region }: RecordedContent,
    { prompt, codes }: Place,
    extraction: Extraction,
  ): void {
    const answer = this.#answeredAt.length;
    const day = dayOf(answeredAt);
    this.#answeredAt.push(BigInt(answeredAt));
    this.#answers.day.push(day);
    this.#answers.week.push(weekOf(day));
    this.#answers.month.push(monthOf(answeredAt));
    this.#answers.prompt.push(prompt.number);
    this.#answers.topic.push(codes.topicOf(prompt.topicId));
    this.#answers.provider.push(providerCode(provider));
    this.#answers.region.push(regionCode(region));
    this.#answers.branded.push(Number(prompt.branded));
    this.#addAppearances(answer, extraction);
    this.#addCitations(answer, extraction);
  }

  columns(): Pick<FactRows, "answers" | "appearances" | "citations" | "urls"> {
    const { day, week, month, prompt, topic, provider, region, branded } = this.#answers;
    const { answer, entity, mentioned, cited, visible, rank } = this.#appearances;
    return {
      answers: {
        answeredAt: BigInt64Array.from(this.#answeredAt),
        day: Int32Array.from(day),
        week: Int32Array.from(week),
        month: Int32Array.from(month),
        prompt: Int32Array.from(prompt),
        topic: Int32Array.from(topic),
        provider: Int32Array.from(provider),
        region: Int32Array.from(region),
        branded: Int32Array.from(branded),
      },
      appearances: {
        answer: Int32Array.from(answer),
        entity: Int32Array.from(entity),
        mentioned: Int32Array.from(mentioned),
        cited: Int32Array.from(cited),
        visible: Int32Array.from(visible),
        rank: Int32Array.from(rank),
      },
      citations: {
        answer: Int32Array.from(this.#citations.answer),
        url: Int32Array.from(this.#citations.url),
      },
      urls: {
        count: this.#places.size,
        names: [...this.#places.keys()].join("\n"),
        domains: this.#domains.join("\n"),
      },
    };
  }

  #addAppearances(answer: number, { mentions, citedEntities }: Extraction): void {
    // The answer itself: its sums are the denominators of the rates.
    this.#push({ answer, entity: 0, isMentioned: true, isCited: true, rank: 0 });
    const cited = new Set<number>(citedEntities);
    for (const [place, mentioned] of mentions.entries()) {
      const isCited = cited.delete(mentioned);
      const entity = mentioned + 1;
      this.#push({ answer, entity, isMentioned: true, isCited, rank: place + 1 });
    }
    for (const each of cited) {
      this.#push({ answer, entity: each + 1, isMentioned: false, isCited: true, rank: 0 });
    }
  }

  #push({ answer, entity, isMentioned, isCited, rank }: Appearance): void {
    this.#appearances.answer.push(answer);
    this.#appearances.entity.push(entity);
    this.#appearances.mentioned.push(Number(isMentioned));
    this.#appearances.cited.push(Number(isCited));
    this.#appearances.visible.push(1);
    this.#appearances.rank.push(rank);
  }

  #addCitations(answer: number, { citations }: Extraction): void {
    for (const { url, domain } of citations) {
      let place = this.#places.get(url);
      if (place === undefined) {
        place = this.#places.size;
        this.#places.set(url, place);
        this.#domains.push(domain);
      }
      this.#citations.answer.push(answer);
      this.#citations.url.push(place);
    }
  }
}

interface Appearance {
  readonly answer: number;
  readonly entity: number;
  readonly isMentioned: boolean;
  readonly isCited: boolean;
  readonly rank: number;
}
