import type { ControlEngine } from "../../control/control-engine.ts";
import type { Clock } from "../../platform/clock.ts";
import { askedJobs } from "./asked-jobs.ts";
import type { CollectionStore } from "./collection-store.ts";
import { leasing } from "./lease-jobs.ts";
import { spendReads } from "./spend-ledger.ts";
import { sweepStore } from "./sweep-store.ts";

/** Sweeps, jobs, schedules and the ledger, in control. */
export function storedCollection(engine: ControlEngine, clock: Clock): CollectionStore {
  const { database } = engine;
  return {
    ...sweepStore(engine, clock),
    ...leasing(engine, clock),
    ...askedJobs(engine, clock),
    ...spendReads(database),
  };
}
