import type { Clock } from "../../platform/clock.ts";
import type { CollectionStore } from "../collection-store.ts";
import type { ControlEngine } from "../control-engine.ts";
import { askedJobs } from "./asked-jobs.ts";
import { collectorNotes } from "./collector-notes.ts";
import { forgetting } from "./forget-sweeps.ts";
import { heldParts } from "./held-parts.ts";
import { leasing } from "./lease-jobs.ts";
import { partStore } from "./part-store.ts";
import { scheduleStore } from "./schedule-store.ts";
import { spendReads } from "./spend-ledger.ts";
import { sweepStore } from "./sweep-store.ts";

/** Sweeps, jobs, schedules and the ledger, in control. */
export function storedCollection(engine: ControlEngine, clock: Clock): CollectionStore {
  const { database } = engine;
  return {
    ...sweepStore(engine, clock),
    ...leasing(engine, clock),
    ...askedJobs(engine, clock),
    ...partStore(engine, clock),
    ...heldParts(database),
    ...spendReads(database),
    ...scheduleStore(database, clock),
    ...forgetting(database, clock),
    ...collectorNotes(database, clock),
  };
}
