import assert from "node:assert/strict";
import { test } from "node:test";
import { verifyWebhook } from "@sightline/client";
import type { InsightsSummaryResponse, ThresholdCrossedEvent } from "@sightline/contract";
import { ServedSchemas } from "@sightline/test-kit/requests/served-schemas.ts";
import { workspaceOf } from "../src/accounts/account-store.ts";
import { hookById, recordCheck } from "../src/hooks/hook-store.ts";
import { answersOf, hooked, runAt } from "./hooked-account.ts";

const events = ["threshold-crossed"] as const;
const below = { metric: "mentions", below: 0.5, days: 7 } as const;

test("a value that crosses its threshold is told once, and once when it is back", async (t) => {
  const above = { metric: "rank", above: 1.5, days: 7 } as const;
  const elsewhere = { ...below, filters: { providers: ["GEMINI"] } } as const;
  const thresholds = [below, above, elsewhere];
  const told = await hooked(t, { events: [...events], thresholds });
  const { service, receiver, accountId, hook } = told;
  assert.deepEqual([hook.form, hook.thresholds], ["json", thresholds]);
  await service.import(accountId, [
    ...answersOf("2026-06-02", () => true),
    ...answersOf("2026-06-10", (prompt) => prompt === 0),
    ...answersOf("2026-06-18", (prompt) => prompt < 6), // near the threshold on either side
    ...answersOf("2026-06-26", () => true),
  ]);
  const lines: string[] = [];
  for (let day = 3; day <= 31; day += 1) {
    const instant = Date.UTC(2026, 5, day, 6);
    await runAt(service, new Date(instant).toISOString());
    for (const { body, headers } of receiver.received.splice(0)) {
      const now = service.clock.now();
      const event = (await verifyWebhook(body, headers, { ...hook, now })) as ThresholdCrossedEvent;
      (await ServedSchemas.of(service)).assertValid("ThresholdCrossedEventDto", event);
      const { state, threshold, timeRange, entity, value, numerator, denominator } = event.data;
      assert.deepEqual([threshold, entity.name], [below, "Acme"]);
      const days = `${timeRange.from.slice(5, 10)}..${timeRange.to.slice(5, 10)}`;
      lines.push(`${days} ${state} ${value?.toFixed(2)} ${numerator}/${denominator}`);
    }
  }
  assert.deepEqual(lines, ["06-04..06-11 crossed 0.08 2/24", "06-20..06-27 recovered 1.00 24/24"]);
});

test("too few prompts say nothing, and a node that dies in between tells it once", async (t) => {
  const few = { ...below, filters: { promptIds: [] as string[] } };
  const told = await hooked(t, { events: [...events], thresholds: [below] });
  const { service, receiver, accountId, hook, post } = told;
  const { control } = service.services;
  const workspace = await workspaceOf(control, accountId);
  const prompts = workspace?.prompts ?? [];
  few.filters.promptIds = prompts.slice(0, 5).map(({ id }) => id);
  const reply = await post("/v1/hooks", {
    url: receiver.url,
    events: [...events],
    thresholds: [few],
  });
  assert.equal(reply.status, 200, reply.body);
  await service.import(
    accountId,
    answersOf("2026-06-02", () => false),
  );
  const before = await hookById(control, accountId, hook.id);
  assert.ok(before !== null);
  await runAt(service, "2026-06-03T06:00:00Z");
  const [request, ...others] = receiver.received;
  assert.deepEqual(others, []);
  const timeRange = { from: "2026-05-27T00:00:00.000Z", to: "2026-06-03T00:00:00.000Z" };
  const asked = await post("/v1/insights/summary", { groupBy: "none", filters: { timeRange } });
  const [brand] = asked.json<InsightsSummaryResponse>().groups[0]?.entities ?? [];
  assert.equal(brand?.mentions.value, 0);
  assert.deepEqual(JSON.parse(request?.body ?? ""), {
    id: request?.headers["webhook-id"],
    type: "threshold-crossed",
    timestamp: "2026-06-03T06:00:00.000Z",
    data: {
      state: "crossed",
      threshold: below,
      timeRange,
      entity: { id: brand?.id, name: "Acme" },
      ...brand?.mentions,
    },
  });
  // The check of the other webhook had no interval to go by.
  const after = await hookById(control, accountId, hook.id);
  assert.ok(after !== null);
  assert.deepEqual(after.lastNotified.crossed, [0]);
  // As if another node had not heard of the check: the day's event is the same one.
  const due = { ...before, nextCheckAt: service.clock.now() };
  assert.ok(await recordCheck(control, after, due));
  await runAt(service, "2026-06-03T06:00:01Z");
  assert.equal(receiver.received.length, 1);
  await runAt(service, "2026-06-04T06:00:00Z");
  assert.equal(receiver.received.length, 1, "told once");
});

test("what a threshold must be is said", async (t) => {
  const { post, receiver } = await hooked(t);
  const faultsOf = async (thresholds: readonly object[], more: object = {}) => {
    const reply = await post("/v1/hooks", { url: receiver.url, thresholds, ...more });
    assert.equal(reply.status, 400);
    const { errors } = reply.json<{ errors: { path: string; code: string; message: string }[] }>();
    return errors.map(({ path, code, message }) => `${path} ${code} ${message}`);
  };
  assert.deepEqual(
    [
      await faultsOf([{ metric: "mentions" }]),
      await faultsOf([{ metric: "mentions", below: 0.3, above: 0.1 }]),
      await faultsOf([{ metric: "mentions", below: 30 }]),
      await faultsOf([{ metric: "mention", below: 0.3, days: 6 }]),
      await faultsOf([
        { ...below, filters: { topics: [{ id: accountLike }], promptIds: [accountLike] } },
      ]),
      await faultsOf(Array.from({ length: 21 }, () => below)),
      await faultsOf([below], { events: ["moved"] }),
    ],
    [
      ["/thresholds/0/below missing is required: send below or above."],
      ["/thresholds/0/above excluded cannot be combined with below. Send one of the two."],
      [
        "/thresholds/0/below too_large must be between 0 and 1, but for ranks: 0.3 are 30 %; " +
          "got 30.",
      ],
      [
        "/thresholds/0/metric not_allowed must be mentions, visibility, citations, rank or " +
          'shareOfVoice, got "mention". Did you mean mentions?',
        "/thresholds/0/days too_small must be at least 7, got 6.",
      ],
      [
        "/thresholds/0/filters/promptIds excluded cannot be combined with topics. Send one of " +
          "the two.",
      ],
      ["/thresholds too_large must have at most 20 items, got 21."],
      ["/thresholds excluded must be empty or left out, unless events have threshold-crossed."],
    ],
  );
});

const accountLike = "3f2a9c1e-5b7d-4e8a-9c0f-1d2e3f4a5b6c";
