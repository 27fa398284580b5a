import type { ClaimsResponse, StatedFact } from "@sightline/contract";
import { entitiesOf, statedFactsOf } from "../accounts/account-store.ts";
import type { AnswerSelection } from "../answers/answer-store.ts";
import {
  latestReader,
  type ReadFinding,
  type Reading,
  readingsOf,
} from "../answers/readings/reading-store.ts";
import type { ControlEngine } from "../control/control-engine.ts";
import { type ClaimVerdict, judgedClaim } from "../extraction/index.ts";
import { byCodeUnit } from "../platform/by-code-unit.ts";
import { eachInTurns } from "../platform/turns.ts";
import { type ClaimedAspect, EntityClaims, ReaderSums } from "./claim-sums.ts";
import type { Facts } from "./facts.ts";

/** What is asked of the readings of an account. */
export interface ClaimsQuestion {
  readonly selection: AnswerSelection;
  /** Null: that of the latest reading. */
  readonly reader: string | null;
  /** Aspects of each entity. */
  readonly limit: number;
  /** The entity whose latest claims are quoted; null: none. */
  readonly quotesOf: string | null;
}

/** What claims are read with. */
interface ClaimsTools {
  readonly control: ControlEngine;
  readonly facts: Pick<Facts, "quotes">;
}

/** The account that is asked about, and when to stop. */
interface ClaimsCall {
  readonly accountId: string;
  readonly signal: AbortSignal;
}

/** What a model read in the selected answers. */
export async function claimsOf(
  { control, facts }: ClaimsTools,
  { accountId, signal }: ClaimsCall,
  { selection, reader: asked, limit, quotesOf }: ClaimsQuestion,
): Promise<ClaimsResponse> {
  const reader = asked ?? (await latestReader(control, accountId));
  if (reader === null) return { reader: null, entities: [] };
  const entities = await entitiesOf(control, accountId);
  const sums = new ReaderSums();
  const ofEntities = new Map(entities.map(({ id }) => [id, new EntityClaims()]));
  const brandId = entities.find(({ kind }) => kind === "brand")?.id ?? "";
  const stated = new StatedClaims(brandId, await statedFactsOf(control, accountId));
  const latest = new LatestClaims(quotesOf);
  let answer = 0;
  for await (const reading of readingsOf(control, accountId, { reader, selection })) {
    signal.throwIfAborted();
    sums.add(reading);
    if (reading.sample > 0) continue;
    answer += 1;
    for (const id of reading.mentioned) ofEntities.get(id)?.mention(reading);
    for (const finding of reading.findings) {
      ofEntities.get(finding.entityId)?.add(answer, finding, reading);
      latest.add(finding, reading, stated.add(finding, reading));
    }
  }
  const part = sums.part(reader);
  if (part === null) return { reader: null, entities: [] };
  const parts = entities.flatMap(({ id, name }) => {
    const claims = ofEntities.get(id);
    return claims === undefined ? [] : [{ id, name, ...claims.part(limit) }];
  });
  const quoted = parts.find(({ id }) => id === quotesOf)?.aspects ?? [];
  const wanted = [...new Set([...stated.claims, ...latest.of(quoted)])];
  const read = await facts.quotes(accountId, wanted.map(placeOf), signal);
  const quotes: Quotes = new Map(wanted.map((claim, index) => [claim, read[index] ?? null]));
  const verdicts = await stated.judge(quotes, signal);
  return {
    reader: part,
    entities: parts.map(({ aspects, ...entity }) => ({
      ...entity,
      aspects: aspects.map((aspect) => ({
        ...aspect,
        ...(entity.id === brandId ? stated.part(aspect, verdicts) : {}),
        ...(entity.id === quotesOf ? latest.part(aspect, { quotes, verdicts }) : {}),
      })),
    })),
  };
}

/** A finding with an aspect. */
interface PlacedClaim {
  readonly finding: ReadFinding;
  readonly reading: Reading;
  /** The fact that held on the day of the answer; null: there was none. */
  readonly fact: StatedFact | null;
}

/** The words of claims; null: the text is gone. */
type Quotes = ReadonlyMap<PlacedClaim, string | null>;
type Verdicts = ReadonlyMap<PlacedClaim, ClaimVerdict>;

function placeOf({ finding: { start, end }, reading: { answerId } }: PlacedClaim) {
  return { answerId, start, end };
}

/** Texts that one question reads: as many take about a second. */
const judgedMax = 5_000;

/** The claims of the brand on which its account states a fact. */
class StatedClaims {
  readonly claims: PlacedClaim[] = [];
  readonly #brandId: string;
  /** By aspect; of those that hold on a day the first one counts. */
  readonly #facts: ReadonlyMap<string, readonly StatedFact[]>;
  readonly #left = new Map<string, Set<string>>();

  constructor(brandId: string, facts: readonly StatedFact[]) {
    this.#brandId = brandId;
    const end = ({ until = "~" }: StatedFact) => until;
    const sorted = facts.toSorted((a, b) => byCodeUnit(end(a), end(b)));
    this.#facts = Map.groupBy(sorted, ({ aspect }) => aspect);
  }

  /** @returns null: no fact says anything about it, or there are too many such claims. */
  add(finding: ReadFinding, reading: Reading): PlacedClaim | null {
    const { entityId, aspect } = finding;
    if (entityId !== this.#brandId || aspect === null) return null;
    const facts = this.#facts.get(aspect);
    if (facts === undefined) return null;
    const day = new Date(reading.answeredAt).toISOString().slice(0, "2026-01-31".length);
    const fact = facts.find(({ until }) => until === undefined || day < until);
    if (fact === undefined) return null;
    if (this.claims.length >= judgedMax) {
      const left = this.#left.get(aspect) ?? new Set();
      this.#left.set(aspect, left.add(reading.answerId));
      return null;
    }
    const claim = { finding, reading, fact };
    this.claims.push(claim);
    return claim;
  }

  async judge(quotes: Quotes, signal: AbortSignal): Promise<Verdicts> {
    const verdicts = new Map<PlacedClaim, ClaimVerdict>();
    await eachInTurns(this.claims, (claim) => {
      const quote = quotes.get(claim) ?? null;
      if (quote === null || claim.fact === null) return;
      verdicts.set(claim, judgedClaim(quote, claim.fact.value));
    });
    signal.throwIfAborted();
    return verdicts;
  }

  /** The field `facts` of an aspect; nothing when no fact is stated. */
  part({ aspect }: ClaimedAspect, verdicts: Verdicts): Pick<ClaimedAspect, "facts"> {
    const facts = this.#facts.get(aspect);
    if (facts === undefined) return {};
    const answers = new Map<string, ClaimVerdict>();
    for (const [{ finding, reading }, verdict] of verdicts) {
      if (finding.aspect !== aspect) continue;
      const known = answers.get(reading.answerId) ?? "unclear";
      if (byWeight.indexOf(verdict) <= byWeight.indexOf(known)) {
        answers.set(reading.answerId, verdict);
      }
    }
    const counted = (verdict: ClaimVerdict) =>
      [...answers.values()].filter((each) => each === verdict).length;
    const left = [...(this.#left.get(aspect) ?? [])].filter((id) => !answers.has(id));
    return {
      facts: {
        stated: [...facts],
        agrees: counted("agrees"),
        differs: counted("differs"),
        unclear: counted("unclear"),
        notCompared: left.length,
      },
    };
  }
}

/** What an answer with several claims counts as: the first of these. */
const byWeight: readonly ClaimVerdict[] = ["differs", "agrees", "unclear"];

const claimsMax = 10;

interface ReadClaims {
  readonly quotes: Quotes;
  readonly verdicts: Verdicts;
}

/** The latest claims of an entity, by aspect. */
class LatestClaims {
  readonly #entityId: string | null;
  readonly #byAspect = new Map<string, PlacedClaim[]>();

  constructor(entityId: string | null) {
    this.#entityId = entityId;
  }

  /** @param compared the same claim, where it is compared with a fact. */
  add(finding: ReadFinding, reading: Reading, compared: PlacedClaim | null): void {
    const { entityId, aspect } = finding;
    if (entityId !== this.#entityId || aspect === null) return;
    const claims = this.#byAspect.get(aspect) ?? [];
    this.#byAspect.set(aspect, claims);
    if (claims.length < claimsMax) claims.push(compared ?? { finding, reading, fact: null });
  }

  of(aspects: readonly ClaimedAspect[]): readonly PlacedClaim[] {
    return aspects.flatMap(({ aspect }) => this.#byAspect.get(aspect) ?? []);
  }

  /** The field `claims` of an aspect: those that differ first, then the latest. */
  part({ aspect }: ClaimedAspect, { quotes, verdicts }: ReadClaims): Pick<ClaimedAspect, "claims"> {
    const differing = [...verdicts].filter(([{ finding }, verdict]) => {
      return finding.aspect === aspect && verdict === "differs";
    });
    const latest = this.#byAspect.get(aspect) ?? [];
    const shown = [...new Set([...differing.map(([claim]) => claim), ...latest])];
    return {
      claims: shown
        .flatMap((claim) => {
          const quote = quotes.get(claim) ?? null;
          if (quote === null) return [];
          const { finding, reading, fact } = claim;
          const { answerId, provider, answeredAt } = reading;
          return {
            answerId,
            answeredAt: new Date(answeredAt).toISOString(),
            provider,
            kind: finding.kind,
            quote,
            pages: [...finding.pages],
            verdict: verdicts.get(claim) ?? null,
            fact: fact?.value ?? null,
          };
        })
        .slice(0, claimsMax),
    };
  }
}
