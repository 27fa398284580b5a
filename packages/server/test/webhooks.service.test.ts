import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { verifyWebhook } from "@sightline/client";
import type { DigestEvent, HooksResponse, ListedDelivery, MovedEvent } from "@sightline/contract";
import { recordedLog } from "@sightline/test-kit/recorded-log.ts";
import { ServedSchemas } from "@sightline/test-kit/requests/served-schemas.ts";
import { oneTurn } from "@sightline/test-kit/turns-during.ts";
import type { WebhookReceiver } from "@sightline/test-kit/webhook-receiver.ts";
import { beginRecording, endRecording } from "../src/accounts/progress-store.ts";
import { deliveriesOf, deliveryById } from "../src/hooks/delivery-store.ts";
import { checkWithinMs, EventChecks } from "../src/hooks/event-checks.ts";
import { addHook, claimCheck, hookById, recordCheck } from "../src/hooks/hook-store.ts";
import { answersOf, hooked, runAt } from "./hooked-account.ts";

const [hourMs, dayMs] = [3_600_000, 86_400_000];
const typesOf = ({ received }: WebhookReceiver) =>
  received.map(({ body }) => (JSON.parse(body) as { readonly type: string }).type);

test("a week is digested on Monday, as the summary has it, and signed", async (t) => {
  const { service, receiver, accountId, hook, post, deliveries } = await hooked(t);
  await service.import(accountId, [
    ...answersOf("2026-05-27", (prompt) => prompt === 0),
    ...answersOf("2026-06-03", (prompt) => prompt !== 0),
  ]);
  await runAt(service, "2026-06-08T05:59:59Z");
  const before = typesOf(receiver);
  assert.ok(!before.includes("digest"), "the week's last answers may be on their way");
  await runAt(service, "2026-06-08T06:00:00Z");
  const request = receiver.received.find(({ body }) => body.includes('"type":"digest"'));
  assert.ok(request !== undefined);
  const now = service.clock.now();
  const event = await verifyWebhook(request.body, request.headers, { ...hook, now });
  (await ServedSchemas.of(service)).assertValid("DigestEventDto", event);
  const ranges = {
    timeRange: { from: "2026-06-01T00:00:00.000Z", to: "2026-06-08T00:00:00.000Z" },
    compare: { timeRange: { from: "2026-05-25T00:00:00.000Z", to: "2026-06-01T00:00:00.000Z" } },
  };
  const { summary, ...rest } = (event as DigestEvent).data;
  assert.deepEqual(rest, { ...ranges, expectedFalse: 2.6 });
  const asked = await post("/v1/insights/summary", {
    groupBy: "none",
    portrayal: false,
    filters: { timeRange: ranges.timeRange },
    compare: { filters: ranges.compare },
  });
  assert.deepEqual(summary, asked.json());
  assert.equal(summary.groups[0]?.entities[0]?.mentions.change?.verdict, "moved");
  assert.deepEqual(
    [request.method, request.path, request.headers["content-type"]],
    ["POST", "/hook", "application/json"],
  );
  assert.match(String(request.headers["user-agent"]), /^sightline\//);
  const digest = (await deliveries()).find((delivery) => delivery.event === "digest");
  const at = new Date(now).toISOString();
  assert.deepEqual(digest, {
    id: event.id,
    event: "digest",
    createdAt: at,
    state: "delivered",
    nextAttemptAt: null,
    attempts: [{ at, status: 204, durationMs: 0, error: null }],
  });
  const types = typesOf(receiver);
  await runAt(service, "2026-06-08T06:00:01Z");
  await runAt(service, "2026-06-08T23:00:00Z");
  assert.deepEqual(typesOf(receiver), types, "once a week");
});

test("what moved on three days is told once, and again when it moves back", async (t) => {
  const { service, receiver, accountId, hook } = await hooked(t, { events: ["moved"] });
  await service.import(accountId, [
    ...answersOf("2026-05-31", (prompt) => prompt === 0),
    ...answersOf("2026-06-05", (prompt) => prompt !== 0),
    ...answersOf("2026-06-12", (prompt) => prompt === 0),
  ]);
  const told: string[] = [];
  for (let day = 2; day < 20; day += 1) {
    const date = `2026-06-${String(day).padStart(2, "0")}`;
    receiver.received.length = 0;
    await runAt(service, `${date}T06:00:00Z`);
    for (const { body, headers } of receiver.received) {
      const now = service.clock.now();
      const event = (await verifyWebhook(body, headers, { ...hook, now })) as MovedEvent;
      (await ServedSchemas.of(service)).assertValid("MovedEventDto", event);
      const { entity, metrics, timeRange, tests } = event.data;
      assert.deepEqual([entity.name, timeRange.to], ["Acme", `${date}T00:00:00.000Z`]);
      assert.ok(tests >= metrics.length);
      const moved = metrics.map(({ metric, change }) => {
        assert.equal(change?.verdict, "moved");
        return `${metric} ${change.parts?.likeForLike.toFixed(2)}`;
      });
      told.push(`${date.slice(-2)}: ${moved.join(", ")}`);
    }
  }
  // Up from the 8th on, when the 31st is one of the days before; down from the 13th on.
  assert.deepEqual(told, [
    "10: mentions 0.83, visibility 0.83, shareOfVoice 0.40",
    "15: mentions -0.83, visibility -0.83, shareOfVoice -0.40",
  ]);
});

test("a move that ends before the third day is not told, nor one with a day between", async (t) => {
  const { service, receiver, accountId, hook } = await hooked(t, { events: ["moved"] });
  await service.import(accountId, [
    ...answersOf("2026-05-31", (prompt) => prompt === 0),
    ...answersOf("2026-06-05", (prompt) => prompt !== 0),
  ]);
  const { control } = service.services;
  const looksOf = async () => (await hookById(control, accountId, hook.id))?.lastNotified.runs;
  const look = (date: string) => runAt(service, `2026-06-${date}T06:00:00Z`);
  const run = (looks: number, day: string) => {
    const each = { direction: "up", to: Date.parse(`2026-06-${day}T00:00:00Z`), looks };
    return { mentions: each, visibility: each, shareOfVoice: each };
  };
  await look("07");
  assert.deepEqual(await looksOf(), {});
  await look("08");
  await look("09");
  assert.deepEqual(await looksOf(), run(2, "09"));
  // Nobody looked on the 10th.
  await look("11");
  assert.deepEqual(await looksOf(), run(1, "11"));
  await look("12");
  // The days before are now the 31st and the 5th; the days since have no answers.
  await look("13");
  assert.deepEqual(await looksOf(), {});
  assert.deepEqual(receiver.received, []);
});

test("a receiver that fails is tried again, with the same event, and given up", async (t) => {
  const { service, receiver, accountId, hook, deliveries } = await hooked(t, {
    events: ["digest"],
  });
  await service.import(
    accountId,
    answersOf("2026-06-03", () => true),
  );
  receiver.statuses.push(500, 302, null, 404, 429, 200);
  await runAt(service, "2026-06-08T06:00:00Z");
  const waits: number[] = [];
  for (;;) {
    const [delivery] = await deliveries();
    const next = delivery?.nextAttemptAt;
    if (next == null) break;
    waits.push(Date.parse(next) - service.clock.now());
    service.clock.advance(Date.parse(next) - service.clock.now() - 1);
    const { length } = receiver.received;
    await service.services.webhooks.deliver();
    assert.equal(receiver.received.length, length, "not before its time");
    service.clock.advance(1);
    await service.services.webhooks.deliver();
  }
  const minutes = [1, 5, 30, 120, 480];
  assert.equal(waits.length, minutes.length);
  for (const [place, wait] of waits.entries()) {
    const share = wait / ((minutes[place] ?? 0) * 60_000);
    assert.ok(share >= 0.8 && share <= 1.2, `wait ${place} of ${wait} ms`);
  }
  const [delivery] = await deliveries();
  assert.deepEqual(
    delivery?.attempts.map(({ status, error }) => [status, error]),
    [
      [500, "the receiver replied with 500"],
      [302, "the receiver replied with 302"],
      [null, "the connection was closed"],
      [404, "the receiver replied with 404"],
      [429, "the receiver replied with 429"],
      [200, null],
    ],
  );
  assert.equal(delivery?.state, "delivered");
  const [first, ...others] = receiver.received;
  for (const { body, headers, path } of others) {
    assert.deepEqual([body, path], [first?.body, "/hook"]);
    assert.equal(headers["webhook-id"], first?.headers["webhook-id"]);
  }
  const timestamps = receiver.received.map(({ headers }) => headers["webhook-timestamp"]);
  assert.equal(new Set(timestamps).size, timestamps.length, "each attempt is signed anew");

  receiver.statuses.push(...Array.from({ length: 6 }, () => 503));
  await service.import(
    accountId,
    answersOf("2026-06-10", () => true),
  );
  await runAt(service, "2026-06-15T06:00:00Z");
  for (let attempt = 0; attempt < 6; attempt += 1) {
    service.clock.advance(10 * hourMs);
    await service.services.webhooks.deliver();
  }
  const { control } = service.services;
  const [given] = await deliveries();
  assert.deepEqual([given?.state, given?.attempts.length], ["failed", 6]);
  assert.equal((await deliveryById(control, accountId, given?.id ?? ""))?.body, null);
  assert.equal((await hookById(control, accountId, hook.id))?.disabledAt, null);
});

test("a receiver that is gone gets nothing more, until a test reaches it", async (t) => {
  const { service, receiver, accountId, hook, post, get, deliveries } = await hooked(t);
  const test = async () => {
    const reply = await post(`/v1/hooks/${hook.id}/test`);
    assert.equal(reply.status, 200, reply.body);
    (await ServedSchemas.of(service)).assertValid("DeliveryDto", reply.json());
    return reply.json<ListedDelivery>();
  };
  const disabledAt = async () => {
    const reply = await get("/v1/hooks");
    return reply.json<HooksResponse>().hooks[0]?.disabledAt;
  };
  receiver.statuses.push(410, 500);
  assert.deepEqual((await test()).attempts.at(-1)?.status, 410);
  const now = new Date(service.clock.now()).toISOString();
  assert.equal(await disabledAt(), now);
  await service.import(
    accountId,
    answersOf("2026-06-03", () => true),
  );
  await runAt(service, "2026-06-08T06:00:00Z");
  assert.equal(receiver.received.length, 1);
  assert.equal((await test()).state, "failed");
  assert.equal(await disabledAt(), now);
  const tested = await test();
  assert.deepEqual([tested.state, tested.nextAttemptAt], ["delivered", null]);
  assert.equal(await disabledAt(), null);
  assert.deepEqual(typesOf(receiver), ["test", "test", "test"]);
  assert.equal((await deliveries()).length, 3);
  await service.import(
    accountId,
    answersOf("2026-06-10", () => true),
  );
  await runAt(service, "2026-06-15T06:00:00Z");
  assert.ok(typesOf(receiver).includes("digest"));
});

test("a digest waits for an import, is of the last week, and tells of an empty one", async (t) => {
  const { service, receiver, accountId } = await hooked(t, { events: ["digest"] });
  await service.import(
    accountId,
    answersOf("2026-06-03", () => true),
  );
  const { control } = service.services;
  const importId = randomUUID();
  await beginRecording(control, accountId, importId, service.clock.now());
  await runAt(service, "2026-06-08T06:00:00Z");
  await runAt(service, "2026-06-08T11:59:00Z");
  assert.deepEqual(receiver.received, [], "an import is under way");
  await runAt(service, "2026-06-08T12:10:00Z");
  assert.equal(receiver.received.length, 1, "it takes too long");
  await endRecording(control, importId);
  // Two weeks later: the service did not run.
  await runAt(service, "2026-06-23T09:00:00Z");
  const events = receiver.received.map(({ body }) => JSON.parse(body) as DigestEvent);
  assert.deepEqual(
    events.map(({ data }) => [data.timeRange.from.slice(0, 10), data.summary.empty?.reason]),
    [
      ["2026-06-01", undefined],
      ["2026-06-15", "outsideRange"],
    ],
  );
  service.clock.advance(31 * dayMs);
  await service.services.webhooks.forget();
  assert.deepEqual(
    await deliveriesOf(control, accountId, events[0]?.id ?? "", service.clock.now()),
    [],
  );
});

test("what a node that dies leaves is looked at by another one, and told once", async (t) => {
  const { service, receiver, accountId, hook } = await hooked(t);
  await service.import(accountId, [
    ...answersOf("2026-05-27", (prompt) => prompt === 0),
    ...answersOf("2026-06-03", (prompt) => prompt !== 0),
  ]);
  const { control } = service.services;
  const stored = await hookById(control, accountId, hook.id);
  assert.ok(stored !== null);
  const monday = Date.parse("2026-06-08T06:00:00Z");
  const before = { direction: "up", to: monday - 30 * hourMs, looks: 2 } as const;
  const runs = { mentions: before, visibility: before, shareOfVoice: before };
  const due = { ...stored, nextCheckAt: monday, lastNotified: { runs } };
  assert.ok(await recordCheck(control, stored, due));
  assert.ok(await claimCheck(control, due, monday + 600_000));
  await runAt(service, "2026-06-08T06:09:59Z");
  assert.deepEqual(receiver.received, [], "another node looks");
  await runAt(service, "2026-06-08T06:10:00Z");
  assert.deepEqual(typesOf(receiver).toSorted(), ["digest", "moved"]);
  // It noted the events, and died before it noted the look.
  const noted = await hookById(control, accountId, hook.id);
  assert.ok(noted !== null && (await recordCheck(control, noted, due)));
  await runAt(service, "2026-06-08T06:20:00Z");
  assert.equal(receiver.received.length, 2);
  const looked = await hookById(control, accountId, hook.id);
  const told = { direction: "up", to: Date.parse("2026-06-08T00:00:00Z") };
  const run = { ...told, looks: 3 };
  const [digestedTo, nextCheckAt] = [told.to, monday + dayMs];
  assert.deepEqual(
    [looked?.digestedTo, looked?.nextCheckAt, looked?.lastNotified],
    [
      digestedTo,
      nextCheckAt,
      {
        mentions: told,
        visibility: told,
        shareOfVoice: told,
        runs: { mentions: run, visibility: run, shareOfVoice: run },
      },
    ],
  );
});

test("accounts whose summaries hang do not keep others from being looked at", async (t) => {
  const { service, accountId, hook, deliveries } = await hooked(t);
  const { control, facts } = service.services;
  const { clock } = service;
  const stored = await hookById(control, accountId, hook.id);
  assert.ok(stored !== null);
  const slow: string[] = [];
  for (const name of ["Slow", "Slower"]) {
    const slowId = await service.apply({ account: name, brand: name });
    const { url, form, events, thresholds, secret, createdAt, nextCheckAt } = stored;
    const created = {
      id: randomUUID(),
      url,
      form,
      name,
      events,
      thresholds,
      secret,
      createdAt,
      nextCheckAt: nextCheckAt - 1,
    };
    await addHook(control, slowId, created);
    slow.push(slowId);
  }
  clock.advance(Date.parse("2026-06-08T06:00:00Z") - clock.now());
  const { logger, lines } = recordedLog();
  let hanging = 0;
  const summary: typeof facts.summary = (id, question, signal) => {
    if (!slow.includes(id)) return facts.summary(id, question, signal);
    hanging++;
    return new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  };
  const looks = new EventChecks({ control, facts: { summary }, clock, logger });
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const looked = looks.run(new AbortController().signal);
  while (hanging < slow.length) await oneTurn();
  t.mock.timers.tick(checkWithinMs);
  await looked;
  t.mock.timers.reset();
  assert.deepEqual(
    lines.map(({ accountId: id, error }) => [id, error]).toSorted(),
    slow.map((id) => [id, "Error: the look took longer than 60 s"]).toSorted(),
  );
  assert.deepEqual(
    (await deliveries()).map(({ event }) => event),
    ["digest"],
  );
});
