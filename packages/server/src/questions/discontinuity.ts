import type { Provider } from "@sightline/contract";
import type { Origin } from "../facts/plan/insight-plans.ts";

/** The origins of the answers of both sides of a comparison, each at least once. */
export interface ComparedOrigins {
  readonly before: readonly Origin[];
  readonly after: readonly Origin[];
}

/** What of a comparison is not continuous. */
export interface Discontinuity {
  readonly providers: readonly Provider[];
  /** Groups in which one of them answered, on either side. */
  readonly groups: ReadonlySet<number>;
}

/** Nothing is compared, or nothing differs. */
export const continuous: Discontinuity = { providers: [], groups: new Set() };

/**
 * Which providers answered by other models, or on other surfaces, on one side than on the other.
 * An answer whose model or surface is not known says nothing of it (docs/decisions/insights.md).
 * @param namesOf the providers with some numbers.
 */
export function discontinuityOf(
  { before, after }: ComparedOrigins,
  namesOf: (numbers: ReadonlySet<number>) => readonly Provider[],
): Discontinuity {
  const differing = (["model", "surface"] as const).flatMap((kind) => {
    const [first, second] = [knownOf(before, kind), knownOf(after, kind)];
    return [...first].filter(([provider, own]) => isOther(own, second.get(provider)));
  });
  const numbers = new Set(differing.map(([provider]) => provider));
  const groups = [...before, ...after].filter(({ provider }) => numbers.has(provider));
  return { providers: namesOf(numbers), groups: new Set(groups.map(({ group }) => group)) };
}

/** The known models or surfaces of each provider that has any. */
function knownOf(
  origins: readonly Origin[],
  kind: "model" | "surface",
): ReadonlyMap<number, ReadonlySet<number>> {
  const known = new Map<number, Set<number>>();
  for (const origin of origins) {
    if (origin[kind] === 0) continue;
    const own = known.get(origin.provider) ?? new Set<number>();
    known.set(origin.provider, own.add(origin[kind]));
  }
  return known;
}

function isOther(own: ReadonlySet<number>, other: ReadonlySet<number> | undefined): boolean {
  if (other === undefined) return false;
  return own.size !== other.size || [...own].some((each) => !other.has(each));
}
