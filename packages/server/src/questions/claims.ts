import { type ClaimsResponse, type PortrayalFlag, portrayalFlags } from "@sightline/contract";
import type { Entity } from "../accounts/workspace.ts";
import type { AnswerSelection } from "../answers/answer-store.ts";
import { latestReader, type Reading, readingsOf } from "../answers/readings/reading-store.ts";
import type { ControlEngine } from "../control/control-engine.ts";
import { krippendorffAlpha } from "./statistics/agreement.ts";
import { estimate } from "./statistics/estimates.ts";
import type { Cluster } from "./statistics/moments.ts";

/** What is asked of the readings of an account. */
export interface ClaimsQuestion {
  readonly selection: AnswerSelection;
  /** Null: that of the latest reading. */
  readonly reader: string | null;
  /** Aspects of each entity. */
  readonly limit: number;
}

const answerIdsMax = 10;
const pagesMax = 10;

type ClaimedEntity = ClaimsResponse["entities"][number];
type ClaimedAspect = ClaimedEntity["aspects"][number];
type ModelReader = NonNullable<ClaimsResponse["reader"]>;
type Kind = ClaimedAspect["kinds"][number]["kind"];

/** What a model read in the selected answers. */
export async function claimsOf(
  control: Pick<ControlEngine, "database">,
  { accountId, entities }: { readonly accountId: string; readonly entities: readonly Entity[] },
  { selection, reader: asked, limit }: ClaimsQuestion,
  signal?: AbortSignal,
): Promise<ClaimsResponse> {
  const reader = asked ?? (await latestReader(control, accountId));
  if (reader === null) return { reader: null, entities: [] };
  const sums = new ReaderSums();
  const ofEntities = new Map(entities.map(({ id }) => [id, new EntityClaims()]));
  for await (const reading of readingsOf(control, accountId, { reader, selection })) {
    signal?.throwIfAborted();
    sums.add(reading);
    if (reading.sample > 0) continue;
    for (const id of reading.mentioned) ofEntities.get(id)?.add(id, reading);
  }
  const part = sums.part(reader);
  if (part === null) return { reader: null, entities: [] };
  return {
    reader: part,
    entities: entities.flatMap(({ id, name }) => {
      const claims = ofEntities.get(id);
      return claims === undefined ? [] : [{ id, name, ...claims.part(limit) }];
    }),
  };
}

/** Sums over the readings of a reader. */
class ReaderSums {
  #latest: Reading | null = null;
  readonly #models = new Set<string>();
  readonly #dropped = new Map<string, number>();
  /** The first reading of the answer that came last: the second one follows it. */
  #first: Reading | null = null;
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
      this.#compare(reading);
      return;
    }
    this.#first = reading;
    this.#answers += 1;
    this.#findings += findings.length;
    for (const [reason, count] of Object.entries(dropped)) {
      this.#dropped.set(reason, (this.#dropped.get(reason) ?? 0) + count);
    }
  }

  #compare(second: Reading): void {
    const first = this.#first;
    if (first === null || first.answerId !== second.answerId) return;
    this.#twice += 1;
    for (const id of first.mentioned) {
      if (!second.mentioned.includes(id)) continue;
      for (const flag of portrayalFlags) {
        this.#units.push([first, second].map((each) => hasFlag(each, id, flag)));
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

interface AspectClaims {
  readonly kinds: Map<Kind, number>;
  readonly pages: Map<string, number>;
  readonly providers: Set<ClaimedAspect["providers"][number]>;
  readonly answers: { readonly id: string; readonly at: number }[];
}

/** What readings say of an entity. */
class EntityClaims {
  readonly #prompts = new Map<string, { read: number; readonly flags: Map<string, number> }>();
  readonly #aspects = new Map<string, AspectClaims>();

  /** Adds the reading of an answer that mentions the entity. */
  add(id: string, { promptId, provider, answerId, answeredAt, findings }: Reading): void {
    const prompt = this.#prompts.get(promptId) ?? { read: 0, flags: new Map<string, number>() };
    this.#prompts.set(promptId, prompt);
    prompt.read += 1;
    const own = findings.filter(({ entityId }) => entityId === id);
    for (const kind of new Set(own.map((each) => each.kind))) count(prompt.flags, kind);
    for (const [aspect, said] of Map.groupBy(own, (each) => each.aspect)) {
      if (aspect === null) continue;
      const claims = this.#aspects.get(aspect) ?? newAspect();
      this.#aspects.set(aspect, claims);
      for (const kind of new Set(said.map((each) => each.kind))) count(claims.kinds, kind);
      for (const page of new Set(said.flatMap(({ pages }) => pages))) count(claims.pages, page);
      claims.providers.add(provider);
      claims.answers.push({ id: answerId, at: answeredAt });
    }
  }

  part(limit: number): Omit<ClaimedEntity, "id" | "name"> {
    const flag = (name: PortrayalFlag) => {
      const clusters = [...this.#prompts.values()].map(({ read, flags }): Cluster => {
        return { numerator: flags.get(name) ?? 0, denominator: read };
      });
      return estimate(clusters, "rate") as ClaimedEntity[PortrayalFlag];
    };
    const aspects = [...this.#aspects]
      .map(([aspect, claims]) => aspectPart(aspect, claims))
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

function newAspect(): AspectClaims {
  return { kinds: new Map(), pages: new Map(), providers: new Set(), answers: [] };
}

function aspectPart(
  aspect: string,
  { kinds, pages, providers, answers }: AspectClaims,
): ClaimedAspect {
  const latest = answers.toSorted((a, b) => b.at - a.at || (a.id < b.id ? -1 : 1));
  return {
    aspect,
    answers: answers.length,
    kinds: ranked(kinds).map(([kind, count]) => ({ kind, answers: count })),
    providers: [...providers].toSorted(),
    answerIds: latest.slice(0, answerIdsMax).map(({ id }) => id),
    pages: ranked(pages)
      .slice(0, pagesMax)
      .map(([url, count]) => ({ url, answers: count })),
  };
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** The most frequent first, then by name. */
function ranked<Key extends string>(counts: ReadonlyMap<Key, number>) {
  return [...counts].toSorted(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
}
