import type { TestContext } from "node:test";
import { applyWorkspace } from "../../../server/src/accounts/apply-workspace.ts";
import { openControl } from "../../../server/src/control/control.ts";
import type { ControlEngine } from "../../../server/src/control/control-engine.ts";
import { HeldClock } from "../held-clock.ts";
import { until } from "../until.ts";
import { controlOf } from "./control-of.ts";
import { migratedPostgresUrl } from "./migrated-postgres.ts";

/** The accounts of `twoNodes`. */
export const [one, two] = [
  "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a001",
  "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a002",
] as const;

/** Two nodes on one PostgreSQL database, with the accounts `one` and `two`. */
export async function twoNodes(t: TestContext) {
  const clock = new HeldClock();
  const address = { postgres: await migratedPostgresUrl() };
  const control = await controlOf(one, clock, address);
  const node = await openControl(address, clock);
  t.after(() => Promise.all([control.close(), node.close()]));
  await addAccount(control, two, clock.now());
  return { control, node, clock, now: clock.now() };
}

/** Adds an account that tracks nothing. */
export async function addAccount(control: ControlEngine, accountId: string, now: number) {
  const workspace = { accountName: "Acme", entities: [], topics: [], prompts: [] };
  await applyWorkspace(control, accountId, { ...workspace, accountId }, { now });
}

/** What PostgreSQL says of a connection. */
interface Activity {
  readonly datname: string;
  readonly wait_event_type: string | null;
}

/** Waits until so many statements wait for a lock. */
function waiting({ database }: ControlEngine, count: number): Promise<true> {
  return until(`${count} wait for a lock`, async () => {
    const activity = database.withTables<{ pg_stat_activity: Activity }>();
    const rows = await activity
      .selectFrom("pg_stat_activity")
      .select("wait_event_type")
      .where((each) => each("datname", "=", each.fn<string>("current_database", [])))
      .where("wait_event_type", "=", "Lock")
      .execute();
    return rows.length === count ? true : null;
  });
}

/** What is locked while two works run: the first stops there. */
export type Hold = (within: ControlEngine) => Promise<unknown>;

/** A change writes the audit log at the end of its transaction. */
export function atAuditOf(accountId: string): Hold {
  return ({ lock, database }) => lock(database, { auditOf: accountId });
}

/** A change that ends all sessions of a person stops there, with the person locked. */
export const atSessions: Hold = ({ database }) =>
  database.selectFrom("person_sessions").select("hash").forUpdate().execute();

/** Runs two works: the first stops at what is held, until the second waits, too. */
export async function whileHeld<First, Second>(
  node: ControlEngine,
  hold: Hold,
  [first, second]: readonly [() => Promise<First>, () => Promise<Second>],
): Promise<readonly [PromiseSettledResult<First>, PromiseSettledResult<Second>]> {
  const works = await node.database.transaction().execute(async (database) => {
    await hold({ ...node, database });
    const stops = Promise.allSettled([first()]);
    await waiting(node, 1);
    const waits = Promise.allSettled([second()]);
    await waiting(node, 2);
    return [stops, waits] as const;
  });
  const [[stopped], [waited]] = await Promise.all(works);
  return [stopped, waited];
}
