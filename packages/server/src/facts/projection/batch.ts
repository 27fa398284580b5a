import { type RecordedContent, recordBeginning } from "../../answers/answer-store.ts";
import {
  compileExtractor,
  compileFullExtractor,
  type Extraction,
  type FullExtraction,
  nameNumber,
  type PortrayalFlag,
} from "../../extraction/index.ts";
import {
  languageCode,
  modelCode,
  outcomeCode,
  type PromptCodes,
  portrayalCode,
  providerCode,
  regionCode,
  surfaceCode,
} from "../codes.ts";
import type {
  AnswerColumns,
  AnswerDetailColumns,
  AppearanceColumns,
  CitationColumns,
  FactRows,
  NameRows,
  nameColumns,
} from "../columns.ts";
import { normalizedQuery, queryKey } from "../kinds/search-queries.ts";
import { dayOf, monthOf, weekOf } from "../plan/buckets.ts";
import type { SnapshotEntity } from "../snapshot.ts";

const numbersAtFirst = 4_096;
/** A larger buffer is not kept when the column is cleared. */
const keptMax = 262_144;

/** A growable column of 32-bit integers. Clearing it keeps its buffer. */
export class Int32Column {
  #numbers = new Int32Array(numbersAtFirst);
  #length = 0;

  push(number: number): void {
    if (this.#length === this.#numbers.length) this.#grow();
    this.#numbers[this.#length] = number;
    this.#length += 1;
  }

  /** All numbers, in memory of their own. */
  copy(): Int32Array {
    return this.#numbers.slice(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
    if (this.#numbers.length > keptMax) this.#numbers = new Int32Array(numbersAtFirst);
  }

  #grow(): void {
    const numbers = new Int32Array(2 * this.#length);
    numbers.set(this.#numbers);
    this.#numbers = numbers;
  }
}

/** Reads one recorded answer. */
export type ContentExtractor = (
  content: Pick<RecordedContent, "text" | "citations" | "mentioned">,
) => FullExtraction;

/**
 * Compiles the rules of entities. An answer whose text was removed mentions those of them that it
 * was known to mention then, in the order of then (docs/decisions/removal.md); how it spoke of them
 * is not known.
 * @param asksNames whether names that nobody tracks are read, which takes longer than all else.
 */
export function compileContentExtractor(
  entities: readonly SnapshotEntity[],
  asksNames: boolean,
): ContentExtractor {
  const extract = asksNames ? compileFullExtractor(entities) : compilePlain(entities);
  const placeOf = new Map(entities.map(({ id }, place) => [id, place]));
  return ({ mentioned, ...content }) => {
    const extraction = extract(content);
    if (mentioned === null) return extraction;
    const mentions = mentioned.flatMap((id) => placeOf.get(id) ?? []);
    return { ...extraction, mentions, language: null, flags: new Map(), ...nothingRead };
  };
}

function compilePlain(
  entities: readonly SnapshotEntity[],
): ReturnType<typeof compileFullExtractor> {
  const extract = compileExtractor(entities);
  return (content) => ({ ...extract(content), ...nothingRead });
}

const nothingRead = { names: [], words: { lower: [], capital: [] } } as const;

/** The facts of a batch, whose answers are looked at one by one; null when there are none. */
export async function factRowsOf(
  answers: AsyncIterable<RecordedContent>,
  prompts: ReadonlyMap<string, PromptCodes>,
  extract: ContentExtractor,
): Promise<FactRows | null> {
  batch.clear(); // of what was read before reading failed
  let [mark, answersRead] = [recordBeginning, 0];
  const skippedPrompts = new Set<string>();
  for await (const answer of answers) {
    mark = { sequence: answer.sequence, stamp: answer.stamp };
    answersRead++;
    const prompt = prompts.get(answer.promptId);
    if (prompt === undefined) skippedPrompts.add(answer.promptId);
    else if (answer.outcome === "answered") batch.add(answer, prompt, extract(answer));
    else batch.addUnanswered(answer, prompt);
  }
  if (answersRead === 0) return null;
  return { mark, answersRead, ...batch.taken(), skippedPrompts: [...skippedPrompts] };
}

interface Appearance {
  readonly answer: number;
  readonly entity: number;
  readonly isMentioned: boolean;
  readonly isCited: boolean;
  readonly rank: number;
  readonly portrayal: number;
}

/** Words are numbers of 32 bits; months come before them. */
const wordNumbers = 2 ** 32;

const saysNothing: ReadonlySet<PortrayalFlag> = new Set();

type Columns<Names> = { readonly [Name in keyof Names]: Int32Column };

/** What every row says of its answer; answers are added one by one. */
class GrowingAnswers {
  readonly #sequence: bigint[] = [];
  readonly #answeredAt: bigint[] = [];
  readonly #codes: Columns<Omit<AnswerColumns, "sequence" | "answeredAt">> = {
    day: new Int32Column(),
    week: new Int32Column(),
    month: new Int32Column(),
    prompt: new Int32Column(),
    topic: new Int32Column(),
    provider: new Int32Column(),
    region: new Int32Column(),
    branded: new Int32Column(),
    model: new Int32Column(),
    surface: new Int32Column(),
  };

  get length(): number {
    return this.#answeredAt.length;
  }

  push(recorded: RecordedContent, prompt: PromptCodes): void {
    const { sequence, answeredAt, provider, region, model, surface } = recorded;
    const day = dayOf(answeredAt);
    this.#sequence.push(BigInt(sequence));
    this.#answeredAt.push(BigInt(answeredAt));
    this.#codes.day.push(day);
    this.#codes.week.push(weekOf(day));
    this.#codes.month.push(monthOf(answeredAt));
    this.#codes.prompt.push(prompt.number);
    this.#codes.topic.push(prompt.topic);
    this.#codes.provider.push(providerCode(provider));
    this.#codes.region.push(regionCode(region));
    this.#codes.branded.push(prompt.branded);
    this.#codes.model.push(modelCode(model));
    this.#codes.surface.push(surfaceCode(surface));
  }

  /** All of them, in memory of their own. */
  copy(): AnswerColumns {
    return {
      sequence: BigInt64Array.from(this.#sequence),
      answeredAt: BigInt64Array.from(this.#answeredAt),
      ...copies(this.#codes),
    };
  }

  clear(): void {
    for (const column of Object.values(this.#codes)) column.clear();
    this.#sequence.length = 0;
    this.#answeredAt.length = 0;
  }
}

/** The rows of a batch whose answers are added one by one. */
class Batch {
  readonly #answers = new GrowingAnswers();
  readonly #unanswered = new GrowingAnswers();
  readonly #outcomes = new Int32Column();
  readonly #details: Columns<AnswerDetailColumns> = {
    language: new Int32Column(),
    any_mentioned: new Int32Column(),
    any_cited: new Int32Column(),
    any_visible: new Int32Column(),
  };
  readonly #appearances: Columns<AppearanceColumns> = {
    answer: new Int32Column(),
    entity: new Int32Column(),
    mentioned: new Int32Column(),
    cited: new Int32Column(),
    visible: new Int32Column(),
    rank: new Int32Column(),
    portrayal: new Int32Column(),
  };
  readonly #citations: Columns<CitationColumns> = {
    answer: new Int32Column(),
    url: new Int32Column(),
  };
  readonly #queries = new Int32Column();
  readonly #queryKeys: string[] = [];
  readonly #names: Columns<Pick<NameRows, "answer" | (typeof nameColumns)[number]>> = {
    answer: new Int32Column(),
    bits: new Int32Column(),
    owner: new Int32Column(),
    place: new Int32Column(),
    begins: new Int32Column(),
    ends: new Int32Column(),
  };
  readonly #words: Columns<FactRows["words"]> = {
    month: new Int32Column(),
    word: new Int32Column(),
    lower: new Int32Column(),
    capital: new Int32Column(),
  };
  /** By month and word, how many answers write it in lower case and with a capital. */
  readonly #wordCounts = new Map<number, { lower: number; capital: number }>();
  readonly #nameNumbers: bigint[] = [];
  readonly #nameDomains: string[] = [];
  readonly #places = new Map<string, number>();
  readonly #domains: string[] = [];

  add(recorded: RecordedContent, prompt: PromptCodes, extraction: FullExtraction): void {
    const answer = this.#answers.length;
    this.#answers.push(recorded, prompt);
    this.#details.language.push(languageCode(extraction.language));
    const [mentioned, cited] = [
      extraction.mentions.length > 0,
      extraction.citedEntities.length > 0,
    ];
    this.#details.any_mentioned.push(Number(mentioned));
    this.#details.any_cited.push(Number(cited));
    this.#details.any_visible.push(Number(mentioned || cited));
    this.#addAppearances(answer, extraction);
    this.#addCitations(answer, extraction);
    this.#addQueries(answer, recorded);
    this.#addNames(answer, extraction);
    this.#addWords(monthOf(recorded.answeredAt), extraction);
  }

  addUnanswered(recorded: RecordedContent, prompt: PromptCodes): void {
    this.#unanswered.push(recorded, prompt);
    this.#outcomes.push(outcomeCode(recorded.outcome));
  }

  /** All rows; then there are none. */
  taken(): Omit<FactRows, "mark" | "answersRead" | "skippedPrompts"> {
    this.#pushWords();
    const rows = {
      answers: this.#answers.copy(),
      details: copies(this.#details),
      appearances: copies(this.#appearances),
      citations: copies(this.#citations),
      unanswered: { ...this.#unanswered.copy(), outcome: this.#outcomes.copy() },
      urls: {
        count: this.#places.size,
        names: [...this.#places.keys()].join("\n"),
        domains: this.#domains.join("\n"),
      },
      queries: { answer: this.#queries.copy(), keys: this.#queryKeys.join("\n") },
      names: {
        ...copies(this.#names),
        number: BigInt64Array.from(this.#nameNumbers),
        domains: this.#nameDomains.join("\n"),
      },
      words: copies(this.#words),
    };
    this.clear();
    return rows;
  }

  clear(): void {
    for (const answers of [this.#answers, this.#unanswered]) answers.clear();
    this.#outcomes.clear();
    this.#queries.clear();
    for (const texts of [this.#queryKeys, this.#nameDomains]) texts.length = 0;
    this.#nameNumbers.length = 0;
    this.#wordCounts.clear();
    for (const column of Object.values(this.#words)) column.clear();
    for (const columns of [this.#details, this.#appearances, this.#citations, this.#names]) {
      for (const column of Object.values(columns)) column.clear();
    }
    this.#places.clear();
    this.#domains.length = 0;
  }

  #addAppearances(answer: number, extraction: Extraction): void {
    const { mentions, citedEntities, language, flags } = extraction;
    // The answer itself: its sums are the denominators of the rates. It says what it says of any.
    const any = new Set(Array.from(flags.values(), (own) => [...own]).flat());
    const ofAny = portrayalCode(any, true);
    this.#push({ answer, entity: 0, isMentioned: true, isCited: true, rank: 0, portrayal: ofAny });
    const cited = new Set<number>(citedEntities);
    for (const [place, mentioned] of mentions.entries()) {
      const isCited = cited.delete(mentioned);
      const [entity, rank] = [mentioned + 1, place + 1];
      const portrayal = portrayalCode(flags.get(mentioned) ?? saysNothing, language !== null);
      this.#push({ answer, entity, isMentioned: true, isCited, rank, portrayal });
    }
    for (const each of cited) {
      const entity = each + 1;
      this.#push({ answer, entity, isMentioned: false, isCited: true, rank: 0, portrayal: 0 });
    }
  }

  #push({ answer, entity, isMentioned, isCited, rank, portrayal }: Appearance): void {
    this.#appearances.answer.push(answer);
    this.#appearances.entity.push(entity);
    this.#appearances.mentioned.push(Number(isMentioned));
    this.#appearances.cited.push(Number(isCited));
    this.#appearances.visible.push(1);
    this.#appearances.rank.push(rank);
    this.#appearances.portrayal.push(portrayal);
  }

  #addQueries(answer: number, { searchQueries }: RecordedContent): void {
    for (const query of new Set(searchQueries.map(normalizedQuery))) {
      if (query === "") continue;
      this.#queries.push(answer);
      this.#queryKeys.push(queryKey(query));
    }
  }

  #addNames(answer: number, { names }: FullExtraction): void {
    for (const { key, start, end, bits, place, owner, domain } of names) {
      this.#names.answer.push(answer);
      this.#names.bits.push(bits);
      this.#names.owner.push(owner === null ? 0 : owner + 1);
      this.#names.place.push(place);
      this.#names.begins.push(start);
      this.#names.ends.push(end);
      this.#nameNumbers.push(BigInt(nameNumber(key)));
      this.#nameDomains.push(domain);
    }
  }

  #addWords(month: number, { words }: FullExtraction): void {
    for (const how of ["lower", "capital"] as const) {
      for (const word of words[how]) {
        const key = month * wordNumbers + (word >>> 0);
        const counts = this.#wordCounts.get(key);
        if (counts !== undefined) counts[how] += 1;
        else {
          this.#wordCounts.set(key, { lower: 0, capital: 0, [how]: 1 });
        }
      }
    }
  }

  #pushWords(): void {
    for (const [key, { lower, capital }] of this.#wordCounts) {
      this.#words.month.push(Math.floor(key / wordNumbers));
      this.#words.word.push((key % wordNumbers) | 0);
      this.#words.lower.push(lower);
      this.#words.capital.push(capital);
    }
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

/** One for all batches: its memory is used again, and what V8 compiled for it stays. */
const batch = new Batch();

function copies<Name extends string>(
  columns: Readonly<Record<Name, Int32Column>>,
): Record<Name, Int32Array<ArrayBuffer>> {
  const copied = Object.entries<Int32Column>(columns).map(([name, column]) => [
    name,
    column.copy(),
  ]);
  return Object.fromEntries(copied);
}
