import type { Ask } from "@sightline/contract";
import type { Workspace } from "../../accounts/workspace.ts";
import { uuidV5 } from "../../platform/uuid.ts";
import type { NewJob, NewSweep } from "../store/collection-store.ts";
import { refusalOf } from "./ask-warnings.ts";
import { type Cadence, cadenceKey, type DueSlot } from "./cadence.ts";
import { type EffectiveAsk, effectiveAsks, regionsOf } from "./effective-asks.ts";
import { type Selection, selectedAsks } from "./select-asks.ts";

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
  /** Whom to ask for it; omitted: as the workspace has it. */
  readonly chosen?: (ask: Ask) => Ask;
  /** Whether to leave out what a vendor will refuse, such as a region that it does not take. */
  readonly leavesOutRefused?: boolean;
}

/** The jobs of a slot, whose ids are the same however often it is planned. */
export function* jobsOf(
  workspace: Workspace,
  { slot, wanted, reserveOf, chosen = (ask) => ask, leavesOutRefused = false }: JobsToPlan,
): Generator<NewJob> {
  for (const { prompt, asks, regions, samples } of wantedAsks(workspace, wanted, chosen)) {
    for (const ask of asks) {
      const { provider, surface, vendor, model } = ask;
      const reserveMicros = reserveOf(ask, prompt.text);
      const place = placeOf(ask);
      for (const region of regionsOf(ask, regions)) {
        if (leavesOutRefused && refusalOf(ask, region) !== null) continue;
        for (let sample = 0; sample < samples; sample++) {
          const unique = [prompt.id, provider, surface, region ?? "", slot, sample];
          const id = uuidV5(workspace.accountId, `job ${unique.join(" ")}`);
          const asked = { promptId: prompt.id, provider, surface, vendor, model };
          yield { id, ...asked, region, ...place, sample, reserveMicros };
        }
      }
    }
  }
}

function placeOf({ state, city }: Ask): Pick<NewJob, "place"> {
  if (state === undefined && city === undefined) return {};
  return { place: { state: state ?? null, city: city ?? null } };
}

/** How many jobs those are, which is known long before each is made. */
export function jobCountOf(
  workspace: Workspace,
  { wanted, chosen = (ask) => ask }: Pick<JobsToPlan, "wanted" | "chosen">,
): number {
  let count = 0;
  for (const { asks, regions, samples } of wantedAsks(workspace, wanted, chosen)) {
    for (const ask of asks) count += regionsOf(ask, regions).length * samples;
  }
  return count;
}

/** How long a sweep goes on: what a cap stops gets some of the next UTC day. */
export const sweepWithinMs = 24 * 3_600_000;

/** How a sweep of a slot is made. */
export interface SweepToPlan extends Pick<JobsToPlan, "reserveOf" | "chosen"> {
  readonly withinMs?: number;
}

/** The id of a slot's sweep: who plans it again, on this node or another, gives the same one. */
export function scheduledSweepId(accountId: string, { cadence, slot }: DueSlot): string {
  return uuidV5(accountId, `sweep ${slot} ${cadenceKey(cadence)}`);
}

/** The sweep of a slot. */
export function scheduledSweep(
  workspace: Workspace,
  due: DueSlot,
  { withinMs = sweepWithinMs, ...made }: SweepToPlan,
): NewSweep {
  const { cadence, slot } = due;
  return {
    id: scheduledSweepId(workspace.accountId, due),
    ...{ slot, source: "schedule", deadline: slot + withinMs },
    jobs: jobsOf(workspace, { slot, wanted: { cadence }, leavesOutRefused: true, ...made }),
  };
}

/** What is asked, once for each provider on a surface. */
export function askedParts(
  workspace: Workspace,
  wanted: Wanted,
  chosen: (ask: Ask) => Ask,
): readonly Ask[] {
  const parts = new Map<string, Ask>();
  for (const { asks } of wantedAsks(workspace, wanted, chosen)) {
    for (const ask of asks) parts.set(`${ask.provider} ${ask.surface}`, ask);
  }
  return [...parts.values()];
}

function* wantedAsks(
  workspace: Workspace,
  wanted: Wanted,
  chosen: (ask: Ask) => Ask,
): Generator<EffectiveAsk> {
  if ("selection" in wanted) return yield* selectedAsks(workspace, wanted.selection, chosen);
  const key = cadenceKey(wanted.cadence);
  for (const each of effectiveAsks(workspace, { chosen })) {
    if (each.cadence !== null && cadenceKey(each.cadence) === key) yield each;
  }
}
