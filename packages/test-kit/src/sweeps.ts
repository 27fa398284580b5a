import { randomUUID } from "node:crypto";
import { applyWorkspace } from "../../server/src/accounts/apply-workspace.ts";
import type {
  AccountCaps,
  LeasedJob,
  NewJob,
  NewSweep,
} from "../../server/src/collection/store/collection-store.ts";
import { leaseJobs } from "../../server/src/collection/store/lease-jobs.ts";
import type { ControlEngine } from "../../server/src/control/control-engine.ts";
import { HeldClock } from "./held-clock.ts";

/** Caps that limit nothing. */
export const noCaps: AccountCaps = { all: { calls: null, micros: null }, byProvider: {} };

/** The vendor that every job of a test has. */
export const testVendors = ["openai", "gemini"] as const;

/** An account without anything to track. */
export async function emptyAccount(control: ControlEngine): Promise<string> {
  const accountId = randomUUID();
  const nothing = { entities: [], topics: [], prompts: [] };
  await applyWorkspace(
    control,
    accountId,
    { accountId, accountName: accountId, ...nothing },
    { now: new HeldClock().now() },
  );
  return accountId;
}

/** Jobs of one prompt each, of OPENAI unless said otherwise. */
export function newJobs(count: number, parts: Partial<NewJob> = {}): readonly NewJob[] {
  return Array.from({ length: count }, () => ({
    id: randomUUID(),
    promptId: randomUUID(),
    provider: "OPENAI",
    surface: "api",
    vendor: "openai",
    model: null,
    region: null,
    sample: 0,
    reserveMicros: 10,
    ...parts,
  }));
}

/** A sweep of some jobs, which lasts for a day. */
export function newSweep(slot: number, jobs: readonly NewJob[]): NewSweep & { jobs: NewJob[] } {
  const deadline = slot + 86_400_000;
  return { id: randomUUID(), slot, source: "schedule", deadline, jobs: [...jobs] };
}

/** Leases jobs for a minute of the held clock. */
export function lease(
  control: ControlEngine,
  now: number,
  jobsMax = 1,
): Promise<readonly LeasedJob[]> {
  return leaseJobs(control, testVendors, { now, untilMs: now + 60_000, jobsMax });
}
