import type { Provider } from "@sightline/contract";
import { providersOf } from "../facts/codes.ts";
import type { Origin } from "../facts/plan/insight-plans.ts";
import type { Selection } from "../facts/plan/question.ts";

/** The origins of the answers of both sides of a comparison. */
export interface ComparedOrigins {
  readonly before: readonly Origin[];
  readonly after: readonly Origin[];
}

/** What of a group's comparison is not continuous. */
export interface GroupDiscontinuity {
  /** The most that other models or surfaces alone can move a rate: a fraction. */
  readonly weight: number;
  /** Providers whose models and surfaces stayed, in the order of the contract's list. */
  readonly continuing: readonly Provider[];
}

/** What of a comparison is not continuous. */
export interface Discontinuity {
  /** Providers whose models or surfaces differ, of all answers. */
  readonly providers: readonly Provider[];
  /** By group, of those where any differ. */
  readonly groups: ReadonlyMap<number, GroupDiscontinuity>;
}

/** Nothing is compared, or nothing differs. */
export const continuous: Discontinuity = { providers: [], groups: new Map() };

/**
 * How far providers answered by other models, or on other surfaces, on one side than on the other.
 * An answer whose model or surface is not known says nothing of it.
 * @param grouped the same answers by group; those of several tags are in several.
 */
export function discontinuityOf(
  { before, after }: ComparedOrigins,
  grouped: ComparedOrigins,
): Discontinuity {
  const [first, second] = [grouped.before, grouped.after].map((side) =>
    Map.groupBy(side, ({ group }) => group),
  );
  const groups = new Map<number, GroupDiscontinuity>();
  for (const group of new Set([...(first?.keys() ?? []), ...(second?.keys() ?? [])])) {
    const own = differenceOf(first?.get(group) ?? [], second?.get(group) ?? []);
    if (own.differing.size === 0) continue;
    const continuing = providersOf(own.same);
    groups.set(group, { weight: own.weight, continuing });
  }
  return { providers: providersOf(differenceOf(before, after).differing), groups };
}

/** The part of a selection that some providers answered; null: none of them is in it. */
export function ofProviders(
  selection: Selection,
  providers: readonly Provider[],
): Selection | null {
  const own = providers.filter((each) => selection.providers?.includes(each) ?? true);
  return own.length === 0 ? null : { ...selection, providers: own };
}

/** The most that other models or surfaces alone can move a rate: a fraction. */
export function weightBetween(before: readonly Origin[], after: readonly Origin[]): number {
  return differenceOf(before, after).weight;
}

interface Difference {
  readonly weight: number;
  readonly differing: ReadonlySet<number>;
  readonly same: ReadonlySet<number>;
}

function differenceOf(before: readonly Origin[], after: readonly Origin[]): Difference {
  const sides = [before, after].map((side) => Map.groupBy(side, ({ provider }) => provider));
  const [first, second] = [before, after].map(answersOf);
  const differing = new Set<number>();
  const same = new Set<number>();
  let weight = 0;
  // In one order, so that rounding is the same whatever the order of the rows.
  const providers = new Set(sides.flatMap((side) => [...side.keys()]));
  for (const provider of [...providers].toSorted((a, b) => a - b)) {
    const [one = [], two = []] = sides.map((side) => side.get(provider) ?? []);
    const variation = Math.max(
      variationBetween(one, two, ({ model }) => model),
      variationBetween(one, two, ({ surface }) => surface),
    );
    (variation > 0 ? differing : same).add(provider);
    const share = shareOf(one, first ?? 0) + shareOf(two, second ?? 0);
    weight += (share / 2) * variation;
  }
  return { weight, differing, same };
}

function shareOf(origins: readonly Origin[], all: number): number {
  return all === 0 ? 0 : answersOf(origins) / all;
}

function answersOf(origins: readonly Pick<Origin, "answers">[]): number {
  return origins.reduce((sum, { answers }) => sum + answers, 0);
}

/** Half the sum of the differences of the shares of what is known; 0 when a side knows nothing. */
export function variationBetween<Answered extends Pick<Origin, "answers">>(
  before: readonly Answered[],
  after: readonly Answered[],
  kindOf: (origin: Answered) => number,
): number {
  const [first, second] = [before, after].map((side) => {
    const known = side.filter((origin) => kindOf(origin) !== 0);
    const all = answersOf(known);
    const byKind = Map.groupBy(known, kindOf);
    return { all, share: (kind: number) => answersOf(byKind.get(kind) ?? []) / all, byKind };
  });
  if (first === undefined || second === undefined) return 0;
  if (first.all === 0 || second.all === 0) return 0;
  const kinds = new Set([...first.byKind.keys(), ...second.byKind.keys()]);
  const differences = [...kinds]
    .toSorted((a, b) => a - b)
    .map((kind) => Math.abs(second.share(kind) - first.share(kind)));
  return differences.reduce((sum, each) => sum + each, 0) / 2;
}
