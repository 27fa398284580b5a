import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { reportsPerDayMax } from "@sightline/contract";
import {
  controlAddress,
  openNodes,
  testOnEachEngine,
} from "@sightline/test-kit/engines/control-engines.ts";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import { deleteAccount } from "../accounts/account-deletions.ts";
import { applyWorkspace } from "../accounts/apply-workspace.ts";
import { claimReports, reportsDue } from "../accounts/report-schedules.ts";
import { readWorkspaceFile } from "../accounts/workspace-file/read-workspace-file.ts";
import { openControl } from "../control/control.ts";
import type { ControlEngine } from "../control/control-engine.ts";
import { theService } from "../platform/actor.ts";
import { retryWhileLocked } from "../platform/retry-while-locked.ts";
import { ServiceError } from "../platform/service-error.ts";
import {
  addReport,
  type NewReport,
  numbersOf,
  pageOf,
  reportById,
  reportsOf,
} from "./report-store.ts";

const toldNobody = async () => undefined;
const dayMs = 86_400_000;
const all = { name: null, after: null, limit: 10 } as const;

async function account(control: ControlEngine, clock: HeldClock, schedule: string) {
  const reports = [{ name: "Weekly", period: "last-week", schedule }];
  const file = { account: { name: "Kept" }, brand: "Acme", reports };
  const workspace = readWorkspaceFile(JSON.stringify(file));
  await applyWorkspace(control, workspace.accountId, workspace, { now: clock.now() });
  return workspace.accountId;
}

function report(clock: HeldClock, changes: Partial<NewReport> = {}): NewReport {
  return {
    id: randomUUID(),
    name: "Weekly",
    period: { startDate: "2026-05-25", endDate: "2026-05-31" },
    compareWith: null,
    language: "en",
    madeAt: clock.now(),
    dueAt: null,
    actor: theService,
    numbers: { brand: { name: "Äcme" } } as never,
    html: "<!doctype html>\n<p>Ä & 日本</p>\n",
    ...changes,
  };
}

testOnEachEngine("one of two nodes keeps the report of a slot", async (t, engine) => {
  const clock = new HeldClock();
  const nodes = await openNodes(t, engine, clock);
  const [one] = nodes;
  const accountId = await account(one, clock, "0 6 * * *");
  const dueAt = clock.now();
  const kept = await Promise.all(
    nodes.map((node) => {
      const made = report(clock, { dueAt });
      return retryWhileLocked(() => addReport(node, accountId, made, toldNobody));
    }),
  );
  const [first, ...others] = kept.filter((each) => each !== null);
  assert.ok(first !== undefined);
  assert.deepEqual(others, []);
  assert.deepEqual(await reportsOf(one, accountId, all), [first]);
  assert.equal(await pageOf(one, accountId, first.id), report(clock).html);
  assert.deepEqual(JSON.parse((await numbersOf(one, accountId, first.id)) ?? ""), {
    brand: { name: "Äcme" },
  });
  const log = one.database
    .selectFrom("audit")
    .select("subject")
    .where("action", "=", "report.made");
  assert.deepEqual(await log.execute(), [{ subject: first.id }]);
  // The same slot of another name, and another slot of the same, are other reports.
  assert.ok(await addReport(one, accountId, report(clock, { dueAt, name: "Other" }), toldNobody));
  const next = await addReport(one, accountId, report(clock, { dueAt: dueAt + dayMs }), toldNobody);
  assert.equal((await reportById(one, accountId, first.id))?.supersededBy, next?.id);
});

testOnEachEngine("one of two nodes claims what is due, until its claim ends", async (t, engine) => {
  const clock = new HeldClock();
  const nodes = await openNodes(t, engine, clock);
  const [one] = nodes;
  const accountId = await account(one, clock, "0 6 * * *");
  assert.deepEqual(await reportsDue(one, clock.now(), 10), [], "a new schedule begins now");
  clock.advance(dayMs);
  const due = await reportsDue(one, clock.now(), 10);
  assert.deepEqual(
    due.map((each) => each.accountId),
    [accountId],
  );
  const untilMs = clock.now() + 60_000;
  const claims = await Promise.all(
    nodes.map(async (node) => {
      const [own] = due;
      return own === undefined ? null : retryWhileLocked(() => claimReports(node, own, untilMs));
    }),
  );
  assert.equal(claims.filter((each) => each !== null).length, 1);
  assert.deepEqual(await reportsDue(one, clock.now(), 10), []);
  clock.advance(60_000);
  assert.equal((await reportsDue(one, clock.now(), 10)).length, 1, "its holder may be gone");
});

testOnEachEngine("nodes that make at the same time stay within a day's most", async (t, engine) => {
  const clock = new HeldClock();
  const nodes = await openNodes(t, engine, clock, { writeWaitMs: 1 });
  const [one] = nodes;
  const accountId = await account(one, clock, "0 6 * * *");
  const add = (node: ControlEngine, changes: Partial<NewReport> = {}) => {
    const made = report(clock, changes);
    return retryWhileLocked(() => addReport(node, accountId, made, toldNobody)).catch(codeOf);
  };
  for (let made = 1; made < reportsPerDayMax; made += 1) await add(one);
  const last = await Promise.all([...nodes, ...nodes].map((node) => add(node)));
  const isFull = (each: unknown) => each === "quota_exhausted";
  assert.equal(last.filter(isFull).length, 3);
  const { id = "" } = (last.find((each) => !isFull(each)) ?? {}) as { readonly id?: string };
  assert.ok(await reportById(one, accountId, id));
  // A schedule's own are not counted, nor those of the days before and after.
  assert.equal(isFull(await add(one, { dueAt: clock.now() })), false);
  for (const days of [-1, 1]) {
    assert.equal(isFull(await add(one, { madeAt: clock.now() + days * dayMs })), false);
  }
});

function codeOf(error: unknown): string {
  if (error instanceof ServiceError) return error.code;
  throw error;
}

testOnEachEngine("with the account, its reports and their schedule go", async (t, engine) => {
  const clock = new HeldClock();
  const control = await openControl(await controlAddress(t, engine), clock);
  t.after(() => control.close());
  const accountId = await account(control, clock, "0 6 * * *");
  await addReport(control, accountId, report(clock), toldNobody);
  assert.equal(await deleteAccount(control, accountId, clock.now()), true);
  assert.deepEqual(await reportsOf(control, accountId, all), []);
  assert.deepEqual(await reportsDue(control, clock.now() + dayMs, 10), []);
});
