import { type PortrayalFlag, type Provider, portrayalFlags } from "@sightline/contract";
import {
  type Catalogue,
  type CataloguePrompt,
  catalogueOf,
  catalogueProviders,
  catalogueRegions,
} from "./catalogue.ts";
import { Random } from "./random.ts";
import { type Source, Sources } from "./sources.ts";
import type { Workload } from "./workload.ts";

/** An answer, already read: who is mentioned and cited, and which pages. */
export interface GeneratedAnswer {
  /** From 0, in the order of time. */
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly answeredAt: number;
  /** The prompt's number. */
  readonly prompt: number;
  readonly provider: Provider;
  readonly region: string | null;
  /** Numbers of entities, in the order of mention: rank = place + 1. */
  readonly mentions: readonly number[];
  /** A language in which what is said is read. */
  readonly language: string;
  /** What is said of those that are mentioned. */
  readonly flags: ReadonlyMap<number, ReadonlySet<PortrayalFlag>>;
  /** Numbers of entities, ascending: those who own a cited page. */
  readonly citedEntities: readonly number[];
  /** Each page once. */
  readonly citations: readonly Source[];
}

const batchAnswers = 10_000;
/** The share of answers without a region. */
const withoutRegion = 0.1;
/** How often a branded prompt's answer mentions the brand. */
const brandedChance = 0.95;
const chanceMax = 0.98;

/** A workload's answers in batches, in the order of time; no more than a batch is in memory. */
export function* generate(
  workload: Workload,
  batch: number = batchAnswers,
): Generator<readonly GeneratedAnswer[]> {
  const maker = new AnswerMaker(workload);
  for (let start = 0; start < workload.answers; start += batch) {
    const size = Math.min(batch, workload.answers - start);
    yield Array.from({ length: size }, (_, place) => maker.make(start + place));
  }
}

/** What an answer says of an entity: each flag of one in so many. */
function saidOf(number: number, entity: number): ReadonlySet<PortrayalFlag> {
  const noise = Math.imul(number * 31 + entity + 1, 0x9e3779b1) >>> 8;
  return new Set(
    portrayalFlags.filter((_, place) => (noise >> (4 * place)) % 16 < (saidOf16[place] ?? 0)),
  );
}

/** Of 16 mentions, how many have each flag. */
const saidOf16: readonly number[] = [4, 9, 6, 1, 0];

class AnswerMaker {
  readonly #workload: Workload;
  readonly #catalogue: Catalogue;
  readonly #sources: Sources;
  readonly #random: Random;
  /** How often an entity is mentioned: by topic, then entity. */
  readonly #chances: Float64Array;
  #covered = 0;

  constructor(workload: Workload) {
    this.#workload = workload;
    this.#catalogue = catalogueOf(workload);
    this.#sources = new Sources(workload);
    this.#random = new Random(workload.seed);
    this.#chances = mentionChances(workload);
  }

  /** The answer with a number; numbers come one after the other. */
  make(number: number): GeneratedAnswer {
    const random = this.#random;
    const { fromMs, toMs, answers } = this.#workload;
    const stepMs = (toMs - fromMs) / answers;
    const answeredAt = Math.floor(fromMs + (number + random.next()) * stepMs);
    const promptNumber = random.below(this.#catalogue.prompts.length);
    const prompt = this.#catalogue.prompts[promptNumber];
    const provider = catalogueProviders[random.below(catalogueProviders.length)];
    if (prompt === undefined || provider === undefined) throw new RangeError("nothing to pick");
    const region =
      random.next() < withoutRegion
        ? null
        : (catalogueRegions[random.below(catalogueRegions.length)] ?? null);
    const mentions = this.#mentions(prompt);
    const citations = this.#citations(number);
    const citedEntities = [...new Set(citations.map(({ owner }) => owner))]
      .filter((owner) => owner >= 0)
      .sort((a, b) => a - b);
    return {
      number,
      answeredAt,
      prompt: promptNumber,
      provider,
      region,
      mentions,
      language: "en",
      flags: new Map(mentions.map((entity) => [entity, saidOf(number, entity)])),
      citedEntities,
      citations,
    };
  }

  #mentions({ topic, branded }: CataloguePrompt): readonly number[] {
    const random = this.#random;
    const { entities } = this.#workload;
    const found: number[] = [];
    for (let entity = 0; entity < entities; entity++) {
      const usual = this.#chances[topic * entities + entity] ?? 0;
      if (random.next() >= (entity === 0 && branded ? brandedChance : usual)) continue;
      // Put into a place by chance: in the end each order is equally likely.
      const place = random.below(found.length + 1);
      const moved = found[place];
      found[place] = entity;
      if (moved !== undefined) found.push(moved);
    }
    return found;
  }

  /** Pages that have their turn to be cited at least once, then others by Zipf's law. */
  #citations(number: number): readonly Source[] {
    const { answers, urls, citationsMin, citationsMax } = this.#workload;
    const count = citationsMin + this.#random.below(citationsMax - citationsMin + 1);
    const cited: Source[] = [];
    const due = Math.floor(((number + 1) * urls) / answers);
    for (; this.#covered < due; this.#covered++) cited.push(this.#sources.covered(this.#covered));
    while (cited.length < count) {
      const page = this.#sources.draw(this.#random);
      if (!cited.includes(page)) cited.push(page);
    }
    return cited;
  }
}

/** The first entities are mentioned four times as often as the last; each topic has favourites. */
function mentionChances({ seed, entities, topics, mentionedMean }: Workload): Float64Array {
  const random = new Random(seed ^ 0x70b1c);
  const chances = new Float64Array(topics * entities);
  for (let place = 0; place < chances.length; place++) {
    const usual = 1.6 - (1.2 * (place % entities)) / Math.max(1, entities - 1);
    const favour = 0.7 + 0.6 * random.next();
    chances[place] = Math.min(chanceMax, (mentionedMean / entities) * usual * favour);
  }
  return chances;
}
