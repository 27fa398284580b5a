import {
  type MeasurementFacts as MeasurementPart,
  type Provider,
  providers,
  retestPairsMin,
} from "@sightline/contract";
import { outcomeCode, providerCode, providersOf, regionsOf, surfaceOf } from "../facts/codes.ts";
import { dayOf } from "../facts/plan/buckets.ts";
import {
  type MeasurementFacts,
  planMeasurement,
  type RetestPairs,
} from "../facts/plan/measurement-plan.ts";
import type { Selection } from "../facts/plan/question.ts";
import type { Snapshot } from "../facts/snapshot.ts";
import type { EvidenceReader } from "./evidence/evidence-reader.ts";
import type { MeasuredSides, Reading } from "./reading.ts";

/** Which answers are described, if they are asked for. */
export interface Measurable {
  readonly selection: Selection;
  /** Null: nothing is compared. */
  readonly compare: Selection | null;
  readonly withFacts: boolean;
}

/** What is described, with what the service knows of itself. */
export interface Measuring {
  readonly reading: Reading;
  readonly reader: EvidenceReader;
  /** Of the price list: YYYY-MM-DD. */
  readonly pricesDate: string;
}

/** Describes by what answers a reply was measured; null: it was not asked for. */
export async function readMeasured(
  measuring: Measuring,
  { selection, compare, withFacts }: Measurable,
): Promise<MeasuredSides | null> {
  if (!withFacts) return null;
  const own = await measurementOf(measuring, selection);
  return { own, compare: compare && (await measurementOf(measuring, compare)) };
}

async function measurementOf(
  { reading, reader, pricesDate }: Measuring,
  selection: Selection,
): Promise<MeasurementPart> {
  const { engine, accountId, view, signal } = reading;
  const { facts } = view;
  const by = facts && { codes: facts.codes, entities: view.entities.length };
  const plan = by && planMeasurement(selection, by);
  const planned = facts && plan && { generation: facts.generation, plan };
  const found = planned ? await engine.measurement(accountId, planned, signal) : nothingMeasured;
  const sequences = found.models.map(({ sequence }) => sequence);
  const names = await reader.models(accountId, sequences, signal);
  const answers = sumOf(found.origins);
  return {
    answers,
    prompts: found.prompts.reduce((sum, { prompts }) => sum + prompts, 0),
    answersPerPrompt: answersPerPrompt(found),
    ...originParts(found),
    models: {
      distinct: found.models[0]?.models ?? 0,
      unknown: answers - (found.models[0]?.known ?? 0),
      named: found.models.map(({ provider, answers: own }, place) => {
        return { provider: providerOf(provider), model: names[place] ?? "", answers: own };
      }),
    },
    cadence: {
      days: dayOf(selection.toMs - 1) - dayOf(selection.fromMs) + 1,
      daysWithAnswers: found.days,
      medianDaysBetween: medianOf(found.pairs.map(({ days, pairs }) => [days, pairs])),
    },
    retest: retestOf(found.pairs),
    unanswered: unansweredOf(found, answers),
    versions: facts && versionsOf(facts.snapshot),
    pricesDate,
  };
}

const nothingMeasured: MeasurementFacts = {
  origins: [],
  models: [],
  prompts: [],
  days: 0,
  unanswered: [],
  knowsUnanswered: false,
  pairs: [],
};

function sumOf(rows: readonly { readonly answers: number }[]): number {
  return rows.reduce((sum, { answers }) => sum + answers, 0);
}

function providerOf(number: number): Provider {
  return providers[number - 1] ?? providers[0];
}

function answersPerPrompt({ prompts }: MeasurementFacts): MeasurementPart["answersPerPrompt"] {
  const counts = prompts.map(({ answers, prompts: own }) => [answers, own] as const);
  const median = medianOf(counts);
  if (median === null) return null;
  const values = counts.map(([answers]) => answers);
  return { least: Math.min(...values), median, most: Math.max(...values) };
}

/** The median of values that come several times each; null: there are none. */
function medianOf(counts: readonly (readonly [value: number, times: number])[]): number | null {
  const all = counts.reduce((sum, [, times]) => sum + times, 0);
  const sorted = counts.toSorted(([left], [right]) => left - right);
  const at = (place: number) => {
    let before = 0;
    for (const [value, times] of sorted) {
      before += times;
      if (place < before) return value;
    }
    return null;
  };
  const [low, high] = [at(Math.floor((all - 1) / 2)), at(Math.floor(all / 2))];
  return low === null || high === null ? null : (low + high) / 2;
}

function originParts({
  origins,
}: MeasurementFacts): Pick<MeasurementPart, "providers" | "regions" | "surfaces"> {
  const of = (column: "provider" | "region" | "surface", number: number) =>
    sumOf(origins.filter((row) => row[column] === number));
  const numbers = (column: "provider" | "region" | "surface") =>
    [...new Set(origins.map((row) => row[column]))].toSorted(
      // What is not known, 0, comes last.
      (left, right) => Number(left === 0) - Number(right === 0) || left - right,
    );
  return {
    providers: providersOf(new Set(numbers("provider"))).map((provider) => {
      return { provider, answers: of("provider", providerCode(provider)) };
    }),
    regions: numbers("region").map((number) => {
      return { region: regionsOf(new Set([number]))[0] ?? null, answers: of("region", number) };
    }),
    surfaces: numbers("surface").map((number) => {
      return { surface: surfaceOf(number), answers: of("surface", number) };
    }),
  };
}

function retestOf(rows: readonly RetestPairs[]): MeasurementPart["retest"] {
  const byLikeness = new Map<string, { shared: number; either: number; pairs: number }>();
  let [pairs, brand, mentioningPairs] = [0, 0, 0];
  for (const { brandDiffers, shared, either, pairs: own } of rows) {
    pairs += own;
    brand += brandDiffers * own;
    if (either === 0) continue;
    mentioningPairs += own;
    const key = `${either} ${shared}`;
    const before = byLikeness.get(key)?.pairs ?? 0;
    byLikeness.set(key, { shared, either, pairs: before + own });
  }
  // In one order, so that rounding is the same on every engine.
  const ordered = [...byLikeness.values()].toSorted(
    (a, b) => a.either - b.either || a.shared - b.shared,
  );
  const differing = ordered.reduce(
    (sum, { shared, either, pairs: own }) => sum + (own * (either - shared)) / either,
    0,
  );
  return {
    pairs,
    brandDiffers: pairs < retestPairsMin ? null : brand / pairs,
    mentioningPairs,
    entitiesDiffer: mentioningPairs < retestPairsMin ? null : differing / mentioningPairs,
  };
}

function unansweredOf(
  { unanswered, knowsUnanswered }: MeasurementFacts,
  answers: number,
): MeasurementPart["unanswered"] {
  const asked = answers + sumOf(unanswered);
  const part = (outcome: "failed" | "refused" | "absent") => {
    const own = sumOf(unanswered.filter((row) => row.outcome === outcomeCode(outcome)));
    return { answers: own, share: knowsUnanswered && asked > 0 ? own / asked : null };
  };
  return { asked, failed: part("failed"), refused: part("refused"), absent: part("absent") };
}

/** The parts of what names the versions of texts' rules: see extractionVersion. */
function versionsOf({ extractionVersion }: Snapshot): MeasurementPart["versions"] {
  const [extraction = "", suffixList = "", , unicode = ""] = extractionVersion.split(", ");
  return { extraction, suffixList, unicode: unicode.replace("Unicode ", "") };
}
