import { randomUUID } from "node:crypto";
import type {
  AccountCaps,
  LeasedJob,
  NewJob,
  NewSweep,
} from "../src/collection/store/collection-store.ts";
import type { Control } from "../src/control/control.ts";

/** Caps that limit nothing. */
export const noCaps: AccountCaps = { all: { calls: null, micros: null }, byProvider: {} };

/** The vendor that every job of a test has. */
export const testVendors = ["openai", "gemini"] as const;

/** An account without anything to track. */
export async function emptyAccount(control: Control): Promise<string> {
  const accountId = randomUUID();
  const nothing = { entities: [], topics: [], prompts: [] };
  await control.apply(accountId, { accountId, accountName: accountId, ...nothing });
  return accountId;
}

/** Jobs of one prompt each, of OPENAI unless said otherwise. */
export function newJobs(count: number, parts: Partial<NewJob> = {}): readonly NewJob[] {
  return Array.from({ length: count }, () => ({
    ...{ id: randomUUID(), promptId: randomUUID(), provider: "OPENAI", surface: "api" },
    ...{ vendor: "openai", model: null, region: null, sample: 0, reserveMicros: 10 },
    ...parts,
  }));
}

/** A sweep of some jobs, which lasts for a day. */
export function newSweep(slot: number, jobs: readonly NewJob[]): NewSweep & { jobs: NewJob[] } {
  const deadline = slot + 86_400_000;
  return { id: randomUUID(), slot, source: "schedule", deadline, jobs: [...jobs] };
}

/** Leases jobs for a minute of the held clock. */
export function lease(control: Control, now: number, jobsMax = 1): Promise<readonly LeasedJob[]> {
  return control.leaseJobs(testVendors, { untilMs: now + 60_000, jobsMax });
}
