import assert from "node:assert/strict";
import { test } from "node:test";
import {
  askNow,
  billedBy,
  type Collecting,
  ledgerOf,
  startCollecting,
  sumsOf,
  sweepToEnd,
} from "@sightline/test-kit/collection/collecting.ts";
import { listedSweep } from "../../src/collection/listed-collections.ts";
import { sweepsOf } from "../../src/collection/store/sweep-reads.ts";
import { cancelSweep } from "../../src/collection/store/sweep-store.ts";

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];
const model = { provider: "OPENAI", model: "gpt-4.1" };
const workspaceOf = (collection: object, prompts = 3) => ({
  account: { name: "Bounded" },
  brand: { name: "Acme" },
  collection: { cron: "0 13 * * *", providers: [model], ...collection },
  prompts: Array.from({ length: prompts }, (_, each) => `Which seeds are best for ${each}?`),
});

async function reasonsOf({ service, accountId }: Collecting) {
  const [sweep] = await sweepsOf(service.services.control, accountId, 1, service.clock.now());
  return sweep?.parts.flatMap(({ failed }) => failed) ?? [];
}

/** Until when a cap holds the parts of the latest sweep, as it is listed. */
async function heldOf({ service, accountId }: Collecting) {
  const [sweep] = await sweepsOf(service.services.control, accountId, 1, service.clock.now());
  return sweep === undefined ? [] : listedSweep(sweep).parts.map(({ heldUntil }) => heldUntil);
}

test("a cap of calls holds to one call, retries counted, and goes on the next day", async (t) => {
  const collecting = await startCollecting(t, {
    workspace: workspaceOf({ caps: { callsPerDay: 7 } }, 12),
    faults: { rates: { serverError: 0.3 } },
  });
  const { clock, standIn, collection } = collecting;
  clock.advance(hourMs);
  await collection.plan();
  const hours = Array.from({ length: 10 }, (_, hour) => hour);
  assert.deepEqual(await heldOf(collecting), [null], "before the cap is reached");
  for (const _hour of hours) {
    await askNow(collecting);
    clock.advance(hourMs);
  }
  assert.equal(billedBy(standIn).received, 7, "on the first day");
  const tomorrow = (Math.floor(clock.now() / dayMs) + 1) * dayMs;
  assert.deepEqual(await heldOf(collecting), [new Date(tomorrow).toISOString()]);
  for (const _hour of hours) {
    await askNow(collecting);
    clock.advance(hourMs);
  }
  assert.equal(billedBy(standIn).received, 14, "with the second");
  const calls = (await ledgerOf(collecting)).map((row) => row.calls);
  assert.deepEqual(calls, [7, 7]);
});

test("a cap of dollars is never exceeded, whatever the answers cost", async (t) => {
  const collecting = await startCollecting(t, {
    workspace: workspaceOf({ caps: { providers: { OPENAI: { dollarsPerDay: 1 } } } }, 60),
  });
  const { clock, standIn, collection } = collecting;
  clock.advance(hourMs);
  await collection.plan();
  for (let minute = 0; minute < 60; minute++) {
    await askNow(collecting);
    const { micros } = billedBy(standIn);
    assert.ok(micros <= 1_000_000, `${micros} were billed`);
    const { spentMicros, reservedMicros } = sumsOf(await ledgerOf(collecting));
    assert.ok(spentMicros + reservedMicros <= 1_000_000);
    clock.advance(minuteMs);
  }
  const { billed } = billedBy(standIn);
  assert.ok(billed > 0 && billed < 60, `${billed} answers were billed`);
});

test("a dollar a day asks ANTHROPIC questions, and is not exceeded", async (t) => {
  const collecting = await startCollecting(t, {
    workspace: workspaceOf({ providers: ["ANTHROPIC"], caps: { dollarsPerDay: 1 } }, 40),
    faults: { rates: { pauseTurn: 0.3 } },
  });
  const { clock, standIn, collection } = collecting;
  clock.advance(hourMs);
  await collection.plan();
  for (let minute = 0; minute < 60; minute++) {
    await askNow(collecting);
    clock.advance(minuteMs);
  }
  const { billed, micros } = billedBy(standIn);
  assert.ok(billed > 5 && micros <= 1_000_000, `${billed} were billed, ${micros}`);
  const { spentMicros } = sumsOf(await ledgerOf(collecting));
  assert.ok(spentMicros > 250_000, `${spentMicros} of a million were spent`);
});

test("an answer without its usage costs what is expected, and caps count it", async (t) => {
  const claude = { provider: "ANTHROPIC", model: "claude-haiku-4-5" };
  const collecting = await startCollecting(t, {
    workspace: workspaceOf({ providers: [claude], caps: { dollarsPerDay: 0.4 } }, 60),
    faults: { rates: { noUsage: 1 } },
  });
  const { clock, standIn, collection } = collecting;
  clock.advance(hourMs);
  await collection.plan();
  for (let minute = 0; minute < 30; minute++) {
    await askNow(collecting);
    clock.advance(minuteMs);
  }
  const { billed } = billedBy(standIn);
  assert.ok(billed > 0 && billed < 60, `${billed} answers were billed`);
  const expected = 11_000 * 1 + 700 * 5 + 2 * 10_000;
  const [row] = await ledgerOf(collecting);
  assert.deepEqual([row?.spentMicros, row?.assumedMicros], [billed * expected, billed * expected]);
  const health = collection.health().find(({ vendor }) => vendor === "anthropic");
  assert.equal(health?.untold, billed);
});

test("a sweep that is cancelled asks nothing more, and what was answered counts", async (t) => {
  const collecting = await startCollecting(t, { workspace: workspaceOf({ samples: 20 }, 2) });
  const { clock, standIn, collection, service, accountId } = collecting;
  clock.advance(hourMs);
  await collection.plan();
  await askNow(collecting);
  const { received } = billedBy(standIn);
  assert.ok(received > 0 && received < 40, `${received} were asked`);
  const { control, answers } = service.services;
  const [sweep] = await sweepsOf(control, accountId, 1, clock.now());
  assert.equal(await cancelSweep(control, accountId, sweep?.id ?? "", clock.now()), true);
  await sweepToEnd(collecting);
  assert.equal(billedBy(standIn).received, received);
  const recorded = await answers.read(accountId, { after: 0, limit: 100 });
  const answered = recorded.filter(({ outcome }) => outcome === "answered");
  assert.deepEqual([answered.length, recorded.length], [received, 40]);
});

test("what is not answered by the deadline is given up, and recorded as failed", async (t) => {
  const collecting = await startCollecting(t, {
    workspace: workspaceOf({}),
    faults: { vendors: { openai: { outOfMoney: true } } },
  });
  const { clock, service, accountId, standIn, collection } = collecting;
  clock.advance(hourMs);
  await collection.plan();
  await askNow(collecting);
  const asked = billedBy(standIn).received;
  assert.equal(collection.health()[0]?.state, "stopped");
  for (let minute = 0; minute < 10; minute++) {
    clock.advance(minuteMs);
    await askNow(collecting);
  }
  assert.equal(billedBy(standIn).received, asked, "nothing is asked without a balance");
  await sweepToEnd(collecting, { stepMs: 10 * minuteMs });
  assert.ok(clock.now() <= Date.parse("2026-06-02T13:10:00Z"));
  const recorded = await service.services.answers.read(accountId, { after: 0, limit: 10 });
  assert.deepEqual(
    recorded.map(({ outcome }) => outcome),
    ["failed", "failed", "failed"],
  );
  assert.equal((await reasonsOf(collecting))[0]?.jobs, 3);
  assert.equal(sumsOf(await ledgerOf(collecting)).spentMicros, 0);
});

test("a vendor that fails is left alone, tried by one job, and asked again", async (t) => {
  const collecting = await startCollecting(t, {
    workspace: workspaceOf({ samples: 20 }),
    faults: { rates: { serverError: 1 } },
  });
  const { clock, standIn, collection } = collecting;
  clock.advance(hourMs);
  await collection.plan();
  await askNow(collecting);
  const first = billedBy(standIn).received;
  assert.ok(first >= 5 && first <= 16, `${first} were asked`);
  assert.equal(collection.health()[0]?.state, "waiting");
  clock.advance(9_000);
  await askNow(collecting);
  assert.equal(billedBy(standIn).received, first, "the circuit is open");
  clock.advance(2_000);
  await askNow(collecting);
  assert.equal(billedBy(standIn).received, first + 1, "one job tries");
  standIn.setFaults({});
  await sweepToEnd(collecting, { stepMs: 10_000 });
  assert.equal(collection.health()[0]?.state, "ready");
  assert.deepEqual(await reasonsOf(collecting), []);
});

test("Retry-After is kept to, and a limit that is reached takes fewer at a time", async (t) => {
  const collecting = await startCollecting(t, {
    workspace: workspaceOf({ samples: 20 }),
    faults: { retryAfterSeconds: 120, rates: { limited: 1 } },
  });
  const { clock, standIn, collection } = collecting;
  clock.advance(hourMs);
  await collection.plan();
  await askNow(collecting);
  const first = billedBy(standIn).received;
  for (let second = 0; second < 119; second++) {
    clock.advance(1_000);
    await askNow(collecting);
  }
  assert.equal(billedBy(standIn).received, first);
  standIn.setFaults({});
  clock.advance(1_000);
  await askNow(collecting);
  assert.equal(billedBy(standIn).received, first + 1, "one job tries");
  clock.advance(1_000);
  await askNow(collecting);
  const then = billedBy(standIn).received - first - 1;
  assert.ok(then >= 1 && then < 16, `${then} at a time`);
  await sweepToEnd(collecting, { stepMs: 10_000 });
  assert.deepEqual(await reasonsOf(collecting), []);
});
