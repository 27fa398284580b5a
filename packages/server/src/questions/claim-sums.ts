import { type ClaimsResponse, type PortrayalFlag, portrayalFlags } from "@sightline/contract";
import type { ReadFinding, Reading } from "../answers/readings/reading-store.ts";
import { krippendorffAlpha } from "./statistics/agreement.ts";
import { estimate } from "./statistics/estimates.ts";
import type { Cluster } from "./statistics/moments.ts";

const answerIdsMax = 10;
const pagesMax = 10;

type ClaimedEntity = ClaimsResponse["entities"][number];
/** What is said of an aspect. */
export type ClaimedAspect = ClaimedEntity["aspects"][number];
type ModelReader = NonNullable<ClaimsResponse["reader"]>;
type Kind = ClaimedAspect["kinds"][number]["kind"];

// A hundred thousand units have one of three values.
const [both, neither, differing] = [
  [true, true],
  [false, false],
  [true, false],
] as const;

/** Sums over the readings of a reader, which come as `readingsOf` gives them. */
export class ReaderSums {
  #latest: Reading | null = null;
  readonly #models = new Set<string>();
  readonly #dropped = new Map<string, number>();
  /** The second reading of the answer that came last: the first one follows it. */
  #second: Reading | null = null;
  readonly #units: (readonly boolean[])[] = [];
  #answers = 0;
  #twice = 0;
  #findings = 0;
  #micros = 0;
  #firstAt = Number.POSITIVE_INFINITY;

  add(reading: Reading): void {
    const { sample, readAt, model, costMicros, findings, dropped } = reading;
    this.#micros += costMicros;
    this.#firstAt = Math.min(this.#firstAt, readAt);
    if (this.#latest === null || readAt >= this.#latest.readAt) this.#latest = reading;
    if (model !== null) this.#models.add(model);
    if (sample > 0) {
      this.#second = reading;
      return;
    }
    this.#compare(reading);
    this.#answers += 1;
    this.#findings += findings.length;
    for (const [reason, count] of Object.entries(dropped)) {
      this.#dropped.set(reason, (this.#dropped.get(reason) ?? 0) + count);
    }
  }

  #compare(first: Reading): void {
    const second = this.#second;
    if (second === null || first.answerId !== second.answerId) return;
    this.#twice += 1;
    for (const id of first.mentioned) {
      if (!second.mentioned.includes(id)) continue;
      for (const flag of portrayalFlags) {
        const [one, other] = [hasFlag(first, id, flag), hasFlag(second, id, flag)];
        this.#units.push(one === other ? (one ? both : neither) : differing);
      }
    }
  }

  /** Null: nothing was added. */
  part(id: string): ModelReader | null {
    if (this.#latest === null) return null;
    const { lineage, readAt } = this.#latest;
    const { model, promptVersion, promptHash, parameters } = lineage;
    return {
      name: "model",
      id,
      model,
      models: [...this.#models].toSorted(),
      promptVersion,
      promptHash,
      parameters: { ...parameters },
      firstReadAt: new Date(this.#firstAt).toISOString(),
      lastReadAt: new Date(readAt).toISOString(),
      dollars: this.#micros / 1_000_000,
      answers: this.#answers,
      findings: this.#findings,
      dropped: [...this.#dropped]
        .map(([reason, findings]) => ({ reason, findings }))
        .toSorted((a, b) => b.findings - a.findings || (a.reason < b.reason ? -1 : 1)),
      agreement: {
        answers: this.#twice,
        pairs: this.#units.length,
        alpha: krippendorffAlpha(this.#units),
      },
    };
  }
}

function hasFlag({ findings }: Reading, id: string, flag: PortrayalFlag): boolean {
  return findings.some(({ entityId, kind }) => entityId === id && kind === flag);
}

/** Answers by what they have; an answer with several of a kind counts once. */
class AnswersBy<Key extends string> {
  readonly #counts = new Map<Key, { answers: number; last: number }>();

  /** @param answer its number: one answer's calls follow each other. */
  add(key: Key, answer: number): void {
    const count = this.#counts.get(key);
    if (count === undefined) this.#counts.set(key, { answers: 1, last: answer });
    else if (count.last !== answer) {
      count.answers += 1;
      count.last = answer;
    }
  }

  of(key: Key): number {
    return this.#counts.get(key)?.answers ?? 0;
  }

  /** The most frequent first, then by name. */
  ranked(): readonly (readonly [Key, number])[] {
    return [...this.#counts]
      .map(([key, { answers }]) => [key, answers] as const)
      .toSorted(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
  }
}

class AspectSums {
  readonly #kinds = new AnswersBy<Kind>();
  readonly #pages = new AnswersBy<string>();
  readonly #providers = new Set<Reading["provider"]>();
  /** The first that came. */
  readonly #answerIds: string[] = [];
  #answers = 0;
  #last = -1;

  add(answer: number, { kind, pages }: ReadFinding, { answerId, provider }: Reading): void {
    this.#kinds.add(kind, answer);
    for (const page of pages) this.#pages.add(page, answer);
    if (this.#last === answer) return;
    this.#last = answer;
    this.#answers += 1;
    this.#providers.add(provider);
    if (this.#answerIds.length < answerIdsMax) this.#answerIds.push(answerId);
  }

  part(aspect: string): ClaimedAspect {
    return {
      aspect,
      answers: this.#answers,
      kinds: this.#kinds.ranked().map(([kind, answers]) => ({ kind, answers })),
      providers: [...this.#providers].toSorted(),
      answerIds: this.#answerIds,
      pages: this.#pages
        .ranked()
        .slice(0, pagesMax)
        .map(([url, answers]) => ({ url, answers })),
    };
  }
}

/** What readings say of an entity. The latest answers come first. */
export class EntityClaims {
  readonly #prompts = new Map<string, { read: number; readonly said: AnswersBy<Kind> }>();
  readonly #aspects = new Map<string, AspectSums>();

  /** Adds an answer that mentions the entity, before what it says. */
  mention({ promptId }: Reading): void {
    const prompt = this.#prompts.get(promptId);
    if (prompt === undefined) {
      this.#prompts.set(promptId, { read: 1, said: new AnswersBy() });
    } else prompt.read += 1;
  }

  /** @param answer its number: one answer's calls follow each other. */
  add(answer: number, finding: ReadFinding, reading: Reading): void {
    const { kind, aspect } = finding;
    this.#prompts.get(reading.promptId)?.said.add(kind, answer);
    if (aspect === null) return;
    const sums = this.#aspects.get(aspect) ?? new AspectSums();
    this.#aspects.set(aspect, sums);
    sums.add(answer, finding, reading);
  }

  part(limit: number): Omit<ClaimedEntity, "id" | "name"> {
    const flag = (name: PortrayalFlag) => {
      const clusters = [...this.#prompts.values()].map(({ read, said }): Cluster => {
        return { numerator: said.of(name), denominator: read };
      });
      return estimate(clusters, "rate") as ClaimedEntity[PortrayalFlag];
    };
    const aspects = [...this.#aspects]
      .map(([aspect, sums]) => sums.part(aspect))
      .toSorted((a, b) => b.answers - a.answers || (a.aspect < b.aspect ? -1 : 1));
    return {
      recommended: flag("recommended"),
      praised: flag("praised"),
      criticized: flag("criticized"),
      discouraged: flag("discouraged"),
      notFound: flag("notFound"),
      aspects: aspects.slice(0, limit),
      moreAspects: Math.max(0, aspects.length - limit),
    };
  }
}
