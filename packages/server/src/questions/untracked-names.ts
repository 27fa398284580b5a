import { setTimeout } from "node:timers/promises";
import type { UntrackedNamesResponse } from "@sightline/contract";
import { ignoredNamesOf, textsRemovedBefore } from "../accounts/account-store.ts";
import { noteNamesAsked } from "../accounts/progress-store.ts";
import type { ControlEngine } from "../control/control-engine.ts";
import { nameKey, wordsOfName } from "../extraction/index.ts";
import type { FactsEngine } from "../facts/engine.ts";
import {
  type Candidate,
  candidateNames,
  inOrder,
  type NameSums,
  ordinaryWords,
  type Spread,
} from "../facts/kinds/untracked-names.ts";
import { type NameCounts, type NamesPageFound, planNames } from "../facts/plan/names-plan.ts";
import { noPlan, type PlanUsed } from "../facts/plan/plan.ts";
import { cursorAfterName, type NamesQuestion } from "../facts/plan/source-questions.ts";
import type { Clock } from "../platform/clock.ts";
import { ServiceError } from "../platform/service-error.ts";
import { untilAborted } from "../platform/until-aborted.ts";
import { type Emptiness, emptyPart } from "./account-views.ts";
import type { EvidenceReader } from "./evidence/evidence-reader.ts";
import { emptyOf, type FactsReading } from "./reading.ts";
import { estimate } from "./statistics/estimates.ts";

/** A name of a page. */
type ListedName = Candidate<NamedCounts & NameSums> & Spread;

/** A name with its text and first place, which the record has. */
interface NamedCounts extends NameCounts {
  readonly name: string;
  readonly example: NonNullable<UntrackedNamesResponse["names"][number]["example"]>;
}

/** What the facts say of names that nobody tracks. */
export interface NamesFacts extends NamesPageFound {
  readonly page: readonly ListedName[];
  /** The place of the page's first name among all. */
  readonly first: number;
  readonly total: number;
  /** The id of an entity by its number; null: there is none. */
  readonly entityId: (number: number) => string | null;
  readonly empty: Emptiness | null;
  readonly used: PlanUsed;
}

/** What names are read with. */
interface NamesTools {
  readonly engine: FactsEngine;
  readonly control: ControlEngine;
  readonly reader: Pick<EvidenceReader, "partsAt">;
  readonly clock: Clock;
}

/** A question waits so long for names: those of a few thousand answers are read by then. */
const waitMs = 2_000;
const betweenLooksMs = 50;

/**
 * Resolves when the account's facts have the names that nobody tracks, or when there are no facts.
 * Since reading them takes longer than all else, facts have them from the first question on.
 * @throws ServiceError facts_not_ready when they are not read soon.
 */
export async function untilNamesAreRead(
  { engine, control, clock }: NamesTools,
  accountId: string,
  signal: AbortSignal,
): Promise<void> {
  const isMissing = async () => {
    return (await untilAborted(engine.state(accountId), signal))?.snapshot.names === null;
  };
  if (!(await isMissing())) return;
  await noteNamesAsked(control, accountId, clock.now());
  for (let waitedMs = 0; waitedMs < waitMs; waitedMs += betweenLooksMs) {
    await setTimeout(betweenLooksMs);
    if (!(await isMissing())) return;
  }
  throw new ServiceError(
    "facts_not_ready",
    "The account's answers are being read for names, since nobody asked for any before. " +
      "Retry in some minutes.",
    { headers: { "Retry-After": "1" } },
  );
}

const nothing = { page: [], first: 0, total: 0, domains: [], unknown: [] };

/** What the facts say of a page of names that nobody tracks. */
export async function readUntrackedNames(
  { engine, control, reader }: NamesTools,
  asked: Omit<FactsReading, "engine">,
  { selection, limit, after }: NamesQuestion,
): Promise<NamesFacts> {
  const { accountId, view, signal } = asked;
  const reading = { engine, accountId, view, signal };
  const { facts } = view;
  const textsFromMs = (await textsRemovedBefore(control, accountId)) ?? 0;
  const plan = facts && planNames(selection, textsFromMs, facts.codes);
  if (facts === null || plan === null) {
    const empty = await emptyOf(reading, selection, null);
    return { ...nothing, entityId: () => null, empty, used: noPlan };
  }
  const { generation, snapshot } = facts;
  const counts = await engine.nameCounts(accountId, { generation, plan }, signal);
  const dropped = new Set((await ignoredNamesOf(control, accountId)).map(nameKey));
  const firsts = new Map(counts.map((each) => [each.number, each]));
  const planned = { generation, plan: { plan, names: counts } };
  const places = (await engine.namePlaces(accountId, planned, signal)).filter(
    ({ number, sequence }) => firsts.get(number)?.sequence === sequence,
  );
  const parts = await reader.partsAt(accountId, places, signal);
  const named = places.flatMap((place, at): readonly NamedCounts[] => {
    const [first, part] = [firsts.get(place.number), parts[at] ?? null];
    if (first === undefined || part === null) return [];
    const { begins: start, ends: end } = place;
    const example = { answerId: part.answerId, start, end };
    return [{ ...first, name: part.text, example }];
  });
  const words = [...new Set(named.flatMap(({ name }) => wordsOfName(name)))];
  const written = await engine.nameWords(accountId, { generation, plan: words }, signal);
  const isWord = ordinaryWords(written);
  const keyed = named.map((each) => ({ ...each, key: nameKey(each.name), ...isWord(each) }));
  const candidates = candidateNames(keyed, snapshot.entities).filter(
    ({ key }) => !dropped.has(key),
  );
  const numbers = candidates.map(({ number }) => number);
  const spreads = await engine.nameSpread(
    accountId,
    { generation, plan: { plan, numbers } },
    signal,
  );
  const spread = new Map(spreads.map((each) => [each.number, each]));
  const ranked = inOrder(
    candidates.map((each): ListedName => {
      const { prompts, providers } = spread.get(each.number) ?? { prompts: 0, providers: 0 };
      return { ...each, prompts, providers };
    }),
  );
  const first = firstOf(ranked, after);
  const page = ranked.slice(first, first + limit);
  const shown = { generation, plan: { plan, numbers, page: page.map(({ number }) => number) } };
  const found = await engine.namesPage(accountId, shown, signal);
  return {
    ...found,
    page,
    first,
    total: ranked.length,
    entityId: (number) => snapshot.entities[number - 1]?.id ?? null,
    empty: found.unknown.length === 0 ? await emptyOf(reading, selection, null) : null,
    used: { name: "names", refused: [] },
  };
}

/** Where a page begins: after the name of the page before, or where that stood. */
function firstOf(ranked: readonly ListedName[], after: NamesQuestion["after"]): number {
  if (after === null) return 0;
  const last = ranked.findIndex(({ number }) => number === after.number);
  return last === -1 ? Math.min(after.place, ranked.length) : last + 1;
}

/** The most bytes that a reply takes, nearly. */
export function namesBytesMax({ limit }: NamesQuestion): number {
  return 5_000 + limit * 1_500;
}

type Listed = UntrackedNamesResponse["names"][number];

/** The reply of POST /v1/insights/names, as JSON. It can be paused after each name. */
export function* namesJson(
  { limit }: NamesQuestion,
  facts: NamesFacts,
): Generator<void, Buffer, void> {
  const { page, first, total, unknown } = facts;
  const domains = new Map(facts.domains.toReversed().map((each) => [each.number, each.domain]));
  const names: Listed[] = [];
  for (const { number, name, answers, prompts, places, aliasOf, example } of page) {
    const alias = aliasOf === null ? null : facts.entityId(aliasOf);
    names.push({
      name,
      kind: alias === null ? "new" : "alias",
      aliasOf: alias,
      answers,
      prompts,
      meanPlace: places / answers,
      domain: domains.get(number) ?? null,
      example,
    });
    yield;
  }
  const clusters = unknown.map((each) => {
    return { numerator: each.unknown, denominator: each.answers };
  });
  const last = page.at(-1);
  const reply: UntrackedNamesResponse = {
    onlyUnknown: estimate(clusters, "rate") as UntrackedNamesResponse["onlyUnknown"],
    names,
    total,
    nextCursor:
      last !== undefined && first + limit < total
        ? cursorAfterName({ place: first + page.length, number: last.number })
        : null,
    empty: emptyPart(facts.empty),
  };
  return Buffer.from(JSON.stringify(reply));
}
