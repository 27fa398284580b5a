import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import { corpusAnswer, corpusWorkspace } from "@sightline/test-kit/sample-corpus.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { until } from "@sightline/test-kit/until.ts";
import { totalsOf } from "../accounts/progress-store.ts";
import { claimReports, reportsDue } from "../accounts/report-schedules.ts";
import type { Facts } from "../questions/facts.ts";
import { reportsOf } from "./report-store.ts";
import { ScheduledReports } from "./scheduled-reports.ts";

const dayMs = 86_400_000;
/** A Wednesday, when January and February have their answers. */
const start = Date.parse("2026-03-04T12:00:00Z");
const weekly = { name: "Weekly", period: "last-week", schedule: "0 6 * * 1" };

async function startAccount(t: TestContext, reports: readonly object[] = [weekly]) {
  const clock = new HeldClock(start);
  const service = await TestService.start({ clock });
  t.after(() => service.close());
  const file = { ...corpusWorkspace, account: { name: "Scheduled" } };
  const accountId = await service.apply({ ...file, reports });
  await service.import(
    accountId,
    Array.from({ length: 200 }, (_, number) => corpusAnswer(number)),
  );
  const { services } = service;
  // A projection is noted after it counts.
  await until("facts", async () => ((await totalsOf(services.control)).behind === 0 ? true : null));
  const made = async () => {
    const all = { name: null, after: null, limit: 100 } as const;
    const found = await reportsOf(services.control, accountId, all);
    return found
      .toReversed()
      .map(({ name, period, dueAt }) => [
        name,
        period.startDate,
        dueAt && new Date(dueAt).toISOString(),
      ]);
  };
  const apply = (next: readonly object[]) => service.apply({ ...file, reports: next });
  return { clock, service, services, accountId, made, apply };
}

test("a report is made when its time comes, once, also by two nodes", async (t) => {
  const { clock, services, made } = await startAccount(t);
  const other = new ScheduledReports(services);
  t.after(() => other.close());
  const both = () => Promise.all([services.scheduledReports.makeDue(), other.makeDue()]);
  await both();
  assert.deepEqual(await made(), []);
  clock.advance(5 * dayMs - 6 * 3_600_000 - 1);
  await both();
  assert.deepEqual(await made(), [], "a millisecond before");
  clock.advance(1);
  await both();
  const first = ["Weekly", "2026-03-02", "2026-03-09T06:00:00.000Z"];
  assert.deepEqual(await made(), [first]);
  await both();
  assert.deepEqual(await made(), [first]);
  clock.advance(7 * dayMs);
  await both();
  const second = ["Weekly", "2026-03-09", "2026-03-16T06:00:00.000Z"];
  assert.deepEqual(await made(), [first, second]);
});

test("after a standstill the last one is made, not all", async (t) => {
  const daily = { name: "Daily", period: "last-7-days", schedule: "0 6 * * *" };
  const { clock, services, made } = await startAccount(t, [weekly, daily]);
  clock.advance(30 * dayMs);
  await services.scheduledReports.makeDue();
  assert.deepEqual((await made()).toSorted(), [
    ["Daily", "2026-03-27", "2026-04-03T06:00:00.000Z"],
    ["Weekly", "2026-03-23", "2026-03-30T06:00:00.000Z"],
  ]);
});

test("a maker that is gone leaves nothing out, and nothing twice", async (t) => {
  const { clock, services, made } = await startAccount(t, [
    weekly,
    { ...weekly, name: "Weekly too" },
  ]);
  const { control } = services;
  clock.advance(7 * dayMs);
  // It claimed the account, made one of two reports, and ended.
  const [due] = await reportsDue(control, clock.now(), 1);
  assert.ok(due !== undefined);
  await services.scheduledReports.makeDue();
  assert.equal((await made()).length, 2);
  await control.database
    .updateTable("report_schedules")
    .set({ next_at: due.nextAt, planned_to: JSON.stringify(due.plannedTo) })
    .execute();
  await control.database.deleteFrom("reports").where("name", "=", "Weekly").execute();
  const claimed = await claimReports(control, due, clock.now() + 10 * 60_000);
  assert.ok(claimed !== null);
  await services.scheduledReports.makeDue();
  assert.equal((await made()).length, 1, "the claim holds");
  clock.advance(10 * 60_000);
  await services.scheduledReports.makeDue();
  assert.deepEqual((await made()).map(([name]) => name).toSorted(), ["Weekly", "Weekly too"]);
});

test("a report that fails is made later, and does not hold up the others", async (t) => {
  const { clock, services, made } = await startAccount(t, [
    { ...weekly, name: "A" },
    { ...weekly, name: "B" },
  ]);
  clock.advance(7 * dayMs);
  // Every question is late.
  const failing = new ScheduledReports({ ...services, config: { questionSeconds: 0 } });
  t.after(() => failing.close());
  await failing.makeDue();
  assert.deepEqual(await made(), []);
  clock.advance(10 * 60_000);
  await services.scheduledReports.makeDue();
  assert.deepEqual((await made()).map(([name]) => name).toSorted(), ["A", "B"]);
});

test("a slow account holds up no other, also one that is due later", async (t) => {
  const { clock, service, services, accountId, made, apply } = await startAccount(t, []);
  const { control, facts, scheduledReports } = services;
  await scheduledReports.close(); // it would make them too
  const slowId = await service.apply({ account: "Slow", brand: "Slow", reports: [weekly] });
  await apply([{ ...weekly, schedule: "0 7 * * 1,2" }]);
  const slow = new ScheduledReports({ ...services, facts: slowFor(facts, slowId) });
  t.after(() => slow.close());
  clock.advance(Date.parse("2026-03-09T07:00:00Z") - clock.now());
  const ofBoth = await reportsDue(control, clock.now(), 10);
  assert.deepEqual(
    ofBoth.map((each) => each.accountId),
    [slowId, accountId],
  );
  await slow.start();
  const first = ["Weekly", "2026-03-02", "2026-03-09T07:00:00.000Z"];
  await until("the other's", async () => ((await made()).length === 1 ? true : null));
  assert.deepEqual(await made(), [first]);
  // A minute before the claim of the slow one ends: that is still being made.
  clock.advance(8 * 60_000);
  await apply([{ ...weekly, schedule: "9 7 * * 1" }]);
  clock.advance(60_000);
  await slow.start();
  await until("the later one", async () => ((await made()).length === 2 ? true : null));
  await slow.close();
  assert.deepEqual(await reportsOf(control, slowId, { name: null, after: null, limit: 9 }), []);
});

/** Facts that answer every account but one. */
function slowFor(facts: Facts, slowId: string): Facts {
  return new Proxy(facts, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name, target);
      if (typeof method !== "function") return method;
      return (...asked: readonly unknown[]) =>
        asked[0] === slowId ? aborted(asked.at(-1)) : Reflect.apply(method, target, asked);
    },
  });
}

function aborted(signal: unknown): Promise<never> {
  assert.ok(signal instanceof AbortSignal);
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error));
  });
}

test("no other node takes an account whose reports take long", async (t) => {
  const reports = ["A", "B", "C", "D"].map((name) => ({ ...weekly, name }));
  const { clock, services, made } = await startAccount(t, reports);
  const { control } = services;
  await services.scheduledReports.close(); // it would make them too
  clock.advance(7 * dayMs);
  const dueMeanwhile: Promise<number>[] = [];
  const slow = new ScheduledReports({
    ...services,
    config: {
      // Asked as each report begins, which takes six minutes.
      get questionSeconds() {
        const due = reportsDue(control, clock.now(), 10);
        dueMeanwhile.push(due.then(({ length }) => length));
        clock.advance(6 * 60_000);
        return services.config.questionSeconds;
      },
    },
  });
  t.after(() => slow.close());
  await slow.makeDue();
  assert.deepEqual(await Promise.all(dueMeanwhile), [0, 0, 0, 0], "no other node makes them");
  assert.equal((await made()).length, 4);
});

test("a report waits for answers that do not count yet", async (t) => {
  const { clock, services, accountId, made } = await startAccount(t);
  // Monday, an hour after its time.
  clock.advance(5 * dayMs - 5 * 3_600_000);
  const { control } = services;
  // An import is under way, as another process notes it.
  const importId = "5e0c2f0a-7d2e-4b57-9a3a-3d6c8f2b1a4d";
  await control.database
    .insertInto("recordings")
    .values({ id: importId, account_id: accountId, at: clock.now() })
    .execute();
  await services.scheduledReports.makeDue();
  assert.deepEqual(await made(), []);
  await control.database.deleteFrom("recordings").where("id", "=", importId).execute();
  clock.advance(60_000);
  await services.scheduledReports.makeDue();
  assert.equal((await made()).length, 1);
});

test("another schedule counts from when it is applied; the same one keeps its slots", async (t) => {
  const { clock, services, made, apply } = await startAccount(t);
  clock.advance(7 * dayMs);
  // The slot of Monday is due: applying the file again, with another note, does not lose it.
  await apply([
    { ...weekly, note: "Hello" },
    { name: "New", period: "last-week", schedule: "0 5 * * 1" },
  ]);
  await services.scheduledReports.makeDue();
  assert.deepEqual(
    (await made()).map(([name]) => name),
    ["Weekly"],
  );
  await apply([]);
  clock.advance(30 * dayMs);
  await services.scheduledReports.makeDue();
  assert.equal((await made()).length, 1);
});
