import type { Ask, Provider } from "@sightline/contract";
import type { NewJob, NewSweep } from "../../control/collection-store.ts";
import type { Workspace } from "../../control/workspace.ts";
import { uuidV5 } from "../../platform/uuid.ts";
import { type Cadence, cadenceKey, type DueSlot } from "./cadence.ts";
import { effectiveAsks } from "./effective-asks.ts";

/** What somebody asks for out of turn; omitted: all. */
export interface Selection {
  readonly promptIds?: ReadonlySet<string>;
  readonly providers?: ReadonlySet<Provider>;
}

/** What is asked: one cadence's prompts, or a selection of all. */
export type Wanted = { readonly cadence: Cadence } | { readonly selection: Selection };

/** What an attempt at a question may cost at most, in millionths of a dollar. */
export type ReserveOf = (ask: Ask, promptText: string) => number;

/** How jobs are made. */
export interface JobsToPlan {
  /** Milliseconds since 1970, UTC: the time that the jobs are for. */
  readonly slot: number;
  readonly wanted: Wanted;
  readonly reserveOf: ReserveOf;
}

/** The jobs of a slot, whose ids are the same however often it is planned. */
export function* jobsOf(
  workspace: Workspace,
  { slot, wanted, reserveOf }: JobsToPlan,
): Generator<NewJob> {
  const isWanted = filterOf(wanted);
  for (const { prompt, cadence, asks, regions, samples } of effectiveAsks(workspace)) {
    for (const ask of asks) {
      if (!isWanted({ promptId: prompt.id, provider: ask.provider, cadence })) continue;
      const { provider, surface, vendor, model } = ask;
      const reserveMicros = reserveOf(ask, prompt.text);
      for (const region of regions) {
        for (let sample = 0; sample < samples; sample++) {
          const unique = [prompt.id, provider, surface, region ?? "", slot, sample];
          const id = uuidV5(workspace.accountId, `job ${unique.join(" ")}`);
          const asked = { promptId: prompt.id, provider, surface, vendor, model };
          yield { id, ...asked, region, sample, reserveMicros };
        }
      }
    }
  }
}

/** How long a sweep goes on: what a cap stops gets some of the next UTC day. */
export const sweepWithinMs = 24 * 3_600_000;

/** The sweep of a slot: who plans it again, on this node or another, makes the same one. */
export function scheduledSweep(
  workspace: Workspace,
  { cadence, slot }: DueSlot,
  { reserveOf, withinMs = sweepWithinMs }: { reserveOf: ReserveOf; withinMs?: number },
): NewSweep {
  return {
    id: uuidV5(workspace.accountId, `sweep ${slot} ${cadenceKey(cadence)}`),
    ...{ slot, source: "schedule", deadline: slot + withinMs },
    jobs: jobsOf(workspace, { slot, wanted: { cadence }, reserveOf }),
  };
}

interface Candidate {
  readonly promptId: string;
  readonly provider: Provider;
  readonly cadence: Cadence | null;
}

function filterOf(wanted: Wanted): (candidate: Candidate) => boolean {
  if ("cadence" in wanted) {
    const key = cadenceKey(wanted.cadence);
    return ({ cadence }) => cadence !== null && cadenceKey(cadence) === key;
  }
  const { promptIds, providers } = wanted.selection;
  return ({ promptId, provider }) =>
    (promptIds?.has(promptId) ?? true) && (providers?.has(provider) ?? true);
}
