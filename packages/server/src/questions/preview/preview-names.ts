import { hash } from "node:crypto";
import { previewedAnswersMax, type WorkspacePreviewResponse } from "@sightline/contract";
import { type Entity, toRule, type Workspace } from "../../accounts/workspace.ts";
import type { AnswerStore, RecordedAnswer } from "../../answers/answer-store.ts";
import { compileContentExtractor } from "../../facts/projection/batch.ts";
import { nextTurn } from "../../platform/turns.ts";
import { estimateOf } from "../statistics/estimates.ts";
import { momentsOf } from "../statistics/moments.ts";

/** What a preview reads. */
interface PreviewTools {
  readonly answers: Pick<AnswerStore, "end" | "at">;
  /** Of counted answers; prompts without any are absent. */
  readonly countAnswersByPrompt: (accountId: string) => Promise<ReadonlyMap<string, number>>;
}

/** Which entities are compared with those of a workspace. */
interface PreviewOf {
  /** What the account tracks now. */
  readonly workspace: Workspace;
  readonly entities: readonly Entity[];
  /** How long answers are read: those read until then are the sample. */
  readonly readingMs: number;
  readonly signal: AbortSignal;
}

type Previewed = WorkspacePreviewResponse["entities"][number]["mentions"];

/** How many answers of each prompt: those that differ are few. */
type ByPrompt = Map<string, number>;

/** What is counted of an entity in the answers read. */
interface Tally {
  before: number;
  after: number;
  readonly added: ByPrompt;
  readonly removed: ByPrompt;
}

/** Read in one go: a preview that was cancelled reads no more. */
const chunkAnswers = 200;

/** How many recorded answers would begin or stop to mention and cite each entity. */
export async function previewNames(
  { answers, countAnswersByPrompt }: PreviewTools,
  { workspace, entities, readingMs, signal }: PreviewOf,
): Promise<WorkspacePreviewResponse> {
  const { accountId } = workspace;
  const counts = await countAnswersByPrompt(accountId);
  const recorded = workspace.prompts.reduce((sum, { id }) => sum + (counts.get(id) ?? 0), 0);
  const changed = changedEntities(workspace.entities, entities);
  if (changed.size === 0) return { answers: recorded, read: 0, isSample: false, entities: [] };
  const reading = new Reading(workspace, entities);
  const { sequence: last } = await answers.end(accountId);
  const untilMs = performance.now() + readingMs;
  const order = randomOrder(last, randomOf(`${accountId} ${last}`));
  let isWhole = false;
  while (!isWhole && reading.answers < previewedAnswersMax && performance.now() < untilMs) {
    await nextTurn();
    signal.throwIfAborted();
    const sequences = chunkOf(order).toSorted((a, b) => a - b);
    isWhole = sequences.length < chunkAnswers;
    for await (const answer of answers.at(accountId, sequences, signal)) {
      if (reading.answers < previewedAnswersMax) reading.add(answer);
      else isWhole = false;
    }
  }
  const all = isWhole ? reading.answers : Math.max(recorded, reading.answers);
  return reading.reply(all, changed);
}

/** Ids of those that are found by other names, domains or phrases, or are on one side only. */
function changedEntities(before: readonly Entity[], after: readonly Entity[]): ReadonlySet<string> {
  const [first, second] = [before, after].map(
    (side) => new Map(side.map((entity) => [entity.id, JSON.stringify(sortedRule(entity))])),
  );
  const ids = [...before, ...after].map(({ id }) => id);
  return new Set(ids.filter((id) => first?.get(id) !== second?.get(id)));
}

/** The order of names and domains finds nothing else. */
function sortedRule(entity: Entity) {
  const { names, domains, except = [] } = toRule(entity);
  const texts = names.map(({ text, caseSensitive }) => `${text} ${caseSensitive}`);
  return [texts.toSorted(), domains.toSorted(), except.toSorted()];
}

/** Answers that are read by the entities of both sides. */
class Reading {
  readonly #prompts: ReadonlySet<string>;
  readonly #sides: readonly { readonly ids: readonly string[]; readonly extract: Extract }[];
  readonly #names: ReadonlyMap<string, string>;
  readonly #answers: ByPrompt = new Map();
  readonly #tallies = new Map<string, Tally>();
  answers = 0;

  constructor(workspace: Workspace, entities: readonly Entity[]) {
    this.#prompts = new Set(workspace.prompts.map(({ id }) => id));
    this.#sides = [workspace.entities, entities].map((side) => {
      const rules = side.map((entity) => ({ id: entity.id, name: entity.name, ...toRule(entity) }));
      return { ids: side.map(({ id }) => id), extract: compileContentExtractor(rules, false) };
    });
    // Those that would be tracked come first, in their order; then those that would not.
    const names = new Map(entities.map(({ id, name }) => [id, name]));
    for (const { id, name } of workspace.entities) if (!names.has(id)) names.set(id, name);
    this.#names = names;
  }

  add({ promptId, outcome, text, citations, removedText }: RecordedAnswer): void {
    if (outcome !== "answered" || !this.#prompts.has(promptId)) return;
    this.answers += 1;
    this.#answers.set(promptId, (this.#answers.get(promptId) ?? 0) + 1);
    const content = { text, citations, mentioned: removedText?.mentioned ?? null };
    const [before, after] = this.#sides.map(({ ids, extract }) => {
      const { mentions, citedEntities } = extract(content);
      const of = (kind: string, places: readonly number[]) =>
        places.map((place) => `${kind} ${ids[place]}`);
      return new Set([...of("mentions", mentions), ...of("citations", citedEntities)]);
    });
    for (const key of before ?? []) this.#count(key, promptId, after?.has(key) ? "both" : "before");
    for (const key of after ?? []) if (!before?.has(key)) this.#count(key, promptId, "after");
  }

  #count(key: string, promptId: string, sides: "both" | "before" | "after"): void {
    const tally = this.#tallies.get(key) ?? newTally();
    this.#tallies.set(key, tally);
    if (sides !== "after") tally.before += 1;
    if (sides !== "before") tally.after += 1;
    if (sides === "both") return;
    const differing = sides === "after" ? tally.added : tally.removed;
    differing.set(promptId, (differing.get(promptId) ?? 0) + 1);
  }

  /** `all`: how many answers there are. */
  reply(all: number, changed: ReadonlySet<string>): WorkspacePreviewResponse {
    const isSample = this.answers < all;
    const previewed = (kind: string, id: string): Previewed => {
      const { before, after, added, removed } = this.#tallies.get(`${kind} ${id}`) ?? newTally();
      const difference = (differing: ByPrompt) =>
        differenceOf(differing, { answers: this.#answers, all: isSample ? all : null });
      return { before, after, added: difference(added), removed: difference(removed) };
    };
    const entities = [...this.#names].map(([id, name]) => {
      return {
        id,
        name,
        mentions: previewed("mentions", id),
        citations: previewed("citations", id),
      };
    });
    return {
      answers: all,
      read: this.answers,
      isSample,
      entities: entities.filter(
        ({ id, mentions, citations }) =>
          changed.has(id) ||
          [mentions, citations].some(({ added, removed }) => added.read + removed.read > 0),
      ),
    };
  }
}

type Extract = ReturnType<typeof compileContentExtractor>;

const newTally = (): Tally => ({ before: 0, after: 0, added: new Map(), removed: new Map() });

/** How many answers differ, of all when only some were read. */
function differenceOf(
  differing: ByPrompt,
  { answers, all }: { readonly answers: ByPrompt; readonly all: number | null },
): Previewed["added"] {
  const moments = momentsOf([...answers], ([promptId, denominator]) => {
    return { numerator: differing.get(promptId) ?? 0, denominator };
  });
  const { numerator: read, value, interval } = estimateOf(moments, "rate");
  if (all === null) return { read, answers: read, interval: null };
  return {
    read,
    answers: Math.round((value ?? 0) * all),
    interval: interval && {
      low: Math.floor(interval.low * all),
      high: Math.ceil(interval.high * all),
    },
  };
}

/** The numbers from 1 to `last` in a random order; only those that were taken are remembered. */
function* randomOrder(last: number, random: () => number): Generator<number, undefined, void> {
  const moved = new Map<number, number>();
  for (let left = last; left > 0; left -= 1) {
    const place = 1 + Math.floor(random() * left);
    const end = moved.get(left) ?? left;
    moved.delete(left);
    if (place === left) {
      yield end;
      continue;
    }
    yield moved.get(place) ?? place;
    moved.set(place, end);
  }
}

/** The next of an order, which goes on after them: fewer at its end. */
function chunkOf(order: Iterator<number, undefined>): readonly number[] {
  const chunk: number[] = [];
  while (chunk.length < chunkAnswers) {
    const { value } = order.next();
    if (value === undefined) return chunk;
    chunk.push(value);
  }
  return chunk;
}

/** Fractions that look random (mulberry32), the same for the same text: a review says so twice. */
function randomOf(text: string): () => number {
  let state = hash("sha256", text, "buffer").readUInt32LE();
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
