import assert from "node:assert/strict";
import { test } from "node:test";
import { ledgerOf, startCollecting, sumsOf } from "@sightline/test-kit/collection/collecting.ts";
import { reply, startHeld } from "@sightline/test-kit/collection/held-vendor.ts";
import { sweepsOf } from "../../src/collection/store/sweep-reads.ts";

const hourMs = 3_600_000;
const workspaceOf = (collection: object) => ({
  account: { name: "Changed" },
  brand: { name: "Acme" },
  collection: { cron: "0 13 * * *", ...collection },
  prompts: ["Which seeds are best?"],
});

test("an answer that was under way when a limit was reached does not end it", async (t) => {
  const workspace = workspaceOf({ providers: ["OPENAI"], samples: 20 });
  const collecting = await startCollecting(t, { workspace });
  const { collection, requests } = await startHeld(t, collecting);
  collecting.clock.advance(hourMs);
  await collection.plan();
  await collection.runJobs();
  const [first, ...others] = await requests(16);
  assert.ok(first !== undefined);
  const ended = collection.settled();
  for (const other of others) reply(other, 429, {});
  const state = () => collection.health().find(({ vendor }) => vendor === "openai");
  while (state()?.requests !== 15) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(state()?.state, "waiting");
  const content = [{ type: "output_text", text: "Acme.", annotations: [] }];
  const output = [{ type: "message", status: "completed", content }];
  reply(first, 200, { object: "response", status: "completed", output });
  await ended;
  assert.equal(state()?.state, "waiting", "until the limit ends");
  collecting.clock.advance(119_000);
  await collection.runJobs();
  await collection.settled();
  assert.equal((await requests(16)).length, 16);
});

test("a question that goes on is bounded by the caps as they are by then", async (t) => {
  const capped = (callsPerDay: number) =>
    workspaceOf({ providers: ["ANTHROPIC"], caps: { callsPerDay } });
  const collecting = await startCollecting(t, { workspace: capped(1) });
  const { clock, service, accountId } = collecting;
  const { collection, requests } = await startHeld(t, collecting);
  clock.advance(hourMs);
  await collection.plan();
  await collection.runJobs();
  const [first] = await requests(1);
  assert.ok(first !== undefined);
  assert.equal(await service.apply(capped(2)), accountId);
  const ended = collection.settled();
  const message = { type: "message", model: "m", content: [{ type: "text", text: "Acme." }] };
  reply(first, 200, { ...message, stop_reason: "pause_turn" });
  const goesOn = requests(2).then(([, second]) => second);
  const second = await Promise.race([goesOn, ended]);
  assert.ok(second !== undefined, "the cap of before was not raised");
  reply(second, 200, { ...message, stop_reason: "end_turn" });
  await ended;
  const [sweep] = await sweepsOf(service.services.control, accountId, 1, clock.now());
  assert.deepEqual(
    sweep?.parts.map(({ done, heldUntil }) => ({ done, heldUntil })),
    [{ done: 1, heldUntil: null }],
  );
  assert.equal(sumsOf(await ledgerOf(collecting)).calls, 2);
});

test("a second try that is cut off is not taken for the first, and not asked again", async (t) => {
  const workspace = workspaceOf({ providers: ["OPENAI"] });
  const collecting = await startCollecting(t, { workspace });
  const { clock, service, accountId } = collecting;
  const { collection, collect, requests } = await startHeld(t, collecting);
  clock.advance(hourMs);
  await collection.plan();
  await collection.runJobs();
  const [first] = await requests(1);
  assert.ok(first !== undefined);
  const error = { code: "server_error", message: "Again, please." };
  reply(first, 200, { object: "response", status: "failed", error, output: [] });
  await collection.settled();
  clock.advance(10_000);
  await collection.runJobs();
  await requests(2);
  // This process hangs from here on, and another one takes over.
  clock.advance(30_000);
  const other = collect();
  await other.runJobs();
  await other.settled();
  const [sweep] = await sweepsOf(service.services.control, accountId, 1, clock.now());
  assert.deepEqual(sweep?.parts[0]?.failed, [
    { reason: "It was cut off while it was asked.", jobs: 1 },
  ]);
  const { reservedMicros, unsettledMicros } = sumsOf(await ledgerOf(collecting));
  assert.ok(reservedMicros === 0 && unsettledMicros > 0, "it may have been billed");
});
