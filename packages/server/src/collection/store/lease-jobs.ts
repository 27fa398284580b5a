import type { Vendor } from "@sightline/contract";
import { sql } from "kysely";
import type { ControlEngine } from "../../control/control-engine.ts";
import type { LeasedJob } from "./collection-store.ts";
import { hasDueJob, type JobRow, jobsOf, type PartKey, toNewJob, updatePart } from "./job-rows.ts";

type LeaseEngine = Pick<ControlEngine, "database" | "locksRows">;

/** The most parts per call, those least recently served first. */
const partsMax = 1_000;

/** A part with a due job. */
interface DuePart extends PartKey {
  readonly slot: number;
  readonly deadline: number;
  readonly turn: number;
}

/** The time, the end of the leases, and the highest number of jobs. */
interface LeaseOptions {
  readonly now: number;
  readonly untilMs: number;
  readonly jobsMax: number;
  /** Only jobs of this account; omitted: of all. */
  readonly accountId?: string;
}

/**
 * Leases due jobs of these vendors, including those whose lease expired: round-robin between
 * accounts, the oldest slot first. Jobs past their sweep's deadline and those held by a cap are
 * skipped.
 *
 * Each part is leased by its own statement, so that no statement waits while it holds rows.
 */
export async function leaseJobs(
  engine: LeaseEngine,
  vendors: readonly Vendor[],
  { now, untilMs, jobsMax, accountId }: LeaseOptions,
): Promise<readonly LeasedJob[]> {
  if (vendors.length === 0 || jobsMax < 1) return [];
  const parts = await partsDue(engine, { vendors, now, accountId });
  const leased: LeasedJob[] = [];
  const sources = bySlotInTurns(
    parts,
    (part): Source<LeasedJob> =>
      async (most) => {
        const jobs = await leaseOfPart(engine, part, { now, untilMs, jobsMax: most });
        leased.push(...jobs);
        return jobs;
      },
  );
  try {
    const inOrderOfTurns = await sources(jobsMax);
    await recordTurns(engine, parts, inOrderOfTurns);
    return inOrderOfTurns;
  } catch (error) {
    // The leased jobs are this caller's: dropped, they would be stuck until their leases expire. An
    // unrecorded turn costs only fairness, and an unreachable engine fails the next call.
    if (leased.length === 0) throw error;
    return leased;
  }
}

/**
 * Round-robin between accounts, then between their providers; within these the oldest slot first.
 */
function bySlotInTurns(
  parts: readonly DuePart[],
  sourceOf: (part: DuePart) => Source<LeasedJob>,
): Source<LeasedJob> {
  const bySlot = parts.toSorted((a, b) => a.slot - b.slot);
  const accounts = [...Map.groupBy(bySlot, ({ accountId }) => accountId).values()];
  return inTurns(
    sortedByTurn(accounts).map((ofAccount) => {
      const key = ({ provider, surface }: DuePart) => `${provider} ${surface}`;
      const providers = [...Map.groupBy(ofAccount, key).values()];
      return inTurns(
        sortedByTurn(providers).map((ofProvider) => inOrder(ofProvider.map(sourceOf))),
      );
    }),
  );
}

/** Least recently served first. */
function sortedByTurn(groups: readonly (readonly DuePart[])[]) {
  const turn = (group: readonly DuePart[]) => Math.max(...group.map((part) => part.turn));
  return groups.toSorted((a, b) => turn(a) - turn(b));
}

interface PartsToFind extends Pick<LeaseOptions, "now"> {
  readonly vendors: readonly Vendor[];
  /** Undefined: of all accounts. */
  readonly accountId: string | undefined;
}

async function partsDue(
  { database }: LeaseEngine,
  { vendors, now, accountId }: PartsToFind,
): Promise<readonly DuePart[]> {
  return await database
    .selectFrom("sweep_parts as part")
    .select(["account_id as accountId", "sweep_id as sweepId", "provider", "surface"])
    .select(["slot", "deadline", "turn"])
    .where("published_at", "is", null)
    .where("planned", "=", 1)
    .where("deadline", ">", now)
    .where("vendor", "in", [...vendors])
    .$if(accountId !== undefined, (query) => query.where("account_id", "=", accountId ?? ""))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("spend_holds as held")
            .select("held.until")
            .whereRef("held.account_id", "=", "part.account_id")
            .where("held.until", ">", now)
            .where(({ eb, or, ref }) =>
              or([eb("held.provider", "=", ""), eb("held.provider", "=", ref("part.provider"))]),
            ),
        ),
      ),
    )
    .where(hasDueJob(now))
    .orderBy("turn")
    .orderBy("slot")
    .orderBy("account_id")
    .orderBy("sweep_id")
    .orderBy("provider")
    .orderBy("surface")
    .limit(partsMax)
    .execute();
}

/** Longest due first. Rows that another node is leasing are skipped. */
async function leaseOfPart(
  { database, locksRows }: LeaseEngine,
  part: DuePart,
  { now, untilMs, jobsMax }: LeaseOptions,
): Promise<readonly LeasedJob[]> {
  const picked = jobsOf(database, part)
    .select("id")
    .where("due_at", "<=", now)
    .orderBy("due_at")
    .limit(jobsMax)
    .$if(locksRows, (query) => query.forUpdate().skipLocked());
  const rows = await database
    .with("picked", () => picked)
    .updateTable("jobs")
    .set({
      state: sql<"leased">`case when state = 'submitted' then state else 'leased' end`,
      due_at: untilMs,
      fence: sql`fence + 1`,
    })
    // By the key alone, as in `updateJobs`.
    .where("account_id", "=", part.accountId)
    .where("id", "in", (query) => query.selectFrom("picked").select("picked.id"))
    .returningAll()
    .execute();
  return rows.map((row) => toLeasedJob(row, part, untilMs));
}

function toLeasedJob(row: JobRow, { deadline }: DuePart, leaseUntil: number): LeasedJob {
  return {
    ...toNewJob(row),
    accountId: row.account_id,
    sweepId: row.sweep_id,
    slot: row.slot,
    deadline,
    fence: row.fence,
    leaseUntil,
    state: row.state === "submitted" ? "submitted" : "leased",
    attempts: row.attempts,
    sent: row.sent,
    replied: row.replied,
    spentMicros: row.spent_micros,
  };
}

/** Moves the served parts to the end. A statement each, so that none waits while it holds rows. */
async function recordTurns(
  { database }: LeaseEngine,
  parts: readonly DuePart[],
  leased: readonly LeasedJob[],
): Promise<void> {
  const served = new Set(leased.map(partName));
  const turn = Math.max(0, ...parts.map((part) => part.turn)) + 1;
  for (const part of parts) {
    if (served.has(partName(part))) await updatePart(database, part).set({ turn }).execute();
  }
}

function partName({ accountId, sweepId, provider, surface }: PartKey): string {
  return [accountId, sweepId, provider, surface].join(" ");
}

/** Gives up to `itemsMax` items; fewer: there are no more. */
type Source<Item> = (itemsMax: number) => Promise<readonly Item[]>;

/** Takes an equal share from each source; unused shares go to the others. */
function inTurns<Item>(sources: readonly Source<Item>[]): Source<Item> {
  return async (itemsMax) => {
    const taken: Item[] = [];
    let open = sources;
    while (open.length > 0 && taken.length < itemsMax) {
      const more: Source<Item>[] = [];
      for (const [index, source] of open.entries()) {
        const share = Math.ceil((itemsMax - taken.length) / (open.length - index));
        if (share === 0) break;
        const items = await source(share);
        taken.push(...items);
        if (items.length === share) more.push(source);
      }
      open = more;
    }
    return taken;
  };
}

/** Takes from the sources in order. */
function inOrder<Item>(sources: readonly Source<Item>[]): Source<Item> {
  return async (itemsMax) => {
    const taken: Item[] = [];
    for (const source of sources) {
      if (taken.length === itemsMax) break;
      taken.push(...(await source(itemsMax - taken.length)));
    }
    return taken;
  };
}
