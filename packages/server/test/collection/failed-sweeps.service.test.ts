import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { CollectionFailedEvent } from "@sightline/contract";
import {
  askNow,
  billedBy,
  type Collecting,
  collectionOf,
  ledgerOf,
  startCollecting,
  sumsOf,
  sweepToEnd,
} from "@sightline/test-kit/collection/collecting.ts";
import { adapterOf } from "@sightline/test-kit/collection/provider-samples.ts";
import { recordedLog } from "@sightline/test-kit/recorded-log.ts";
import { ServedSchemas } from "@sightline/test-kit/requests/served-schemas.ts";
import { startReceiver } from "@sightline/test-kit/webhook-receiver.ts";
import { CollectionCounts } from "../../src/collection/counts.ts";
import { jobReader } from "../../src/collection/kept-replies.ts";
import { listedCollections } from "../../src/collection/listed-collections.ts";
import { publishParts } from "../../src/collection/publish-parts.ts";
import { acceptPart, partsToPublish } from "../../src/collection/store/part-store.ts";
import { sweepsOf } from "../../src/collection/store/sweep-reads.ts";
import { forgetDeliveries } from "../../src/hooks/delivery-store.ts";

test("the third failed sweep in succession of a provider is told once", async (t) => {
  const collecting = await startCollecting(t, {
    settings: { hooksToPrivate: "on" },
    workspace: {
      account: { name: "Failing" },
      brand: { name: "Acme" },
      prompts: ["A?", "B?"],
      collection: { cron: "0 * * * *", providers: ["OPENAI", "GROK"] },
    },
  });
  const { clock, service, accountId, standIn } = collecting;
  const receiver = await startReceiver(t);
  const manage = async () => ({ token: await service.session(accountId, ["manage"]) });
  for (const events of [["collection-failed"], ["digest"]]) {
    const body = { url: receiver.url, events };
    const created = await service.post("/v1/hooks", { ...(await manage()), body });
    assert.equal(created.status, 200, created.body);
  }
  const sweep = async (fails: boolean) => {
    standIn.setFaults(fails ? { vendors: { openai: { rates: { malformed: 1 } } } } : {});
    clock.advance(3_600_000);
    await sweepToEnd(collecting);
    await service.services.webhooks.deliver();
    return receiver.received.splice(0).filter(({ body }) => body.includes("collection-failed"));
  };
  assert.deepEqual([await sweep(true), await sweep(true)], [[], []]);
  const told = await sweep(true);
  assert.equal(told.length, 1);
  const event = JSON.parse(told[0]?.body ?? "") as CollectionFailedEvent;
  (await ServedSchemas.of(service)).assertValid("CollectionFailedEventDto", event);
  const { data } = event;
  const [latest] = await sweepsOf(service.services.control, accountId, 1, clock.now());
  assert.deepEqual(
    { ...data, reasons: data.reasons.map(({ jobs }) => jobs) },
    {
      provider: "OPENAI",
      surface: "api",
      failedSweeps: 3,
      jobs: 2,
      reasons: [2],
      sweepId: latest?.id,
      slot: "2026-06-01T15:00:00.000Z",
    },
  );
  assert.deepEqual(await sweep(true), [], "the fourth is not told");
  assert.deepEqual([await sweep(false), await sweep(true), await sweep(true)], [[], [], []]);
  assert.equal((await sweep(true)).length, 1, "a succession begins anew");
});

test("a retired model is asked by a few questions, and fails the rest of its part", async (t) => {
  const prompts = Array.from({ length: 60 }, (_, index) => `Which is best, ${index}?`);
  const collecting = await startCollecting(t, {
    workspace: {
      account: { name: "Retired" },
      brand: { name: "Acme" },
      prompts,
      collection: { cron: "0 * * * *", providers: ["OPENAI", "GROK"] },
    },
    faults: { vendors: { openai: { rates: { retiredModel: 1 } } } },
  });
  const { clock, collection, standIn } = collecting;
  clock.advance(3_600_000);
  const [sweep] = await sweepToEnd(collecting);
  const openai = sweep?.parts.find(({ provider }) => provider === "OPENAI");
  assert.deepEqual(
    openai?.failed.map(({ jobs }) => jobs),
    [60],
  );
  assert.match(openai?.failed[0]?.reason ?? "", /^HTTP 404: .* Set `model` of this provider/);
  assert.ok((standIn.bill().totals.openai?.received ?? 0) <= 16, "those that were under way");
  const health = collection.health().find(({ vendor }) => vendor === "openai");
  assert.equal(health?.state, "ready", "the model may be of this account alone");
  assert.equal(sweep?.parts.find(({ provider }) => provider === "GROK")?.done, 60);
});

const driftingPrompts = Array.from({ length: 30 }, (_, index) => `Which is best, ${index}?`);

/** An account whose webhook is told when answers look wrong. */
async function startDrifting(t: TestContext) {
  const collecting = await startCollecting(t, {
    settings: { hooksToPrivate: "on" },
    workspace: {
      account: { name: "Drifting" },
      brand: { name: "Acme" },
      prompts: driftingPrompts,
      collection: { cron: "0 * * * *", providers: ["GEMINI"] },
    },
  });
  const { service, accountId } = collecting;
  const receiver = await startReceiver(t);
  const token = await service.session(accountId, ["manage"]);
  const body = { url: receiver.url, events: ["collection-failed"] };
  assert.equal((await service.post("/v1/hooks", { token, body })).status, 200);
  return { collecting, receiver };
}

/** Publishes as a process that dies when it holds a part back: in telling of it, then after it. */
async function publishDying({ service, clock }: Collecting): Promise<void> {
  const { control, answers } = service.services;
  const { logger, lines } = recordedLog();
  const readJobs = jobReader({ answers, adapterOf });
  const { signal } = new AbortController();
  const writes = [
    { kind: "InsertQueryNode", of: '"hook_deliveries"' },
    { kind: "RawNode", of: '"counts"' }, // what a held part notes
  ];
  for (const { kind, of } of writes) {
    const database = control.database.withPlugin({
      transformQuery: ({ node }) => {
        const isIt = node.kind === kind && JSON.stringify(node).includes(of);
        if (isIt) throw new Error("the process died");
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const tools = { answers, clock, logger, readJobs, counts: new CollectionCounts() };
    const published = publishParts({ ...tools, control: { ...control, database } }, signal);
    assert.equal(await published, 0);
    assert.equal(lines.at(-1)?.error, "Error: the process died");
    clock.advance(2 * 60_000); // its claim has ended
  }
}

test("answers that no longer cite are held back and told, and count once accepted", async (t) => {
  const { collecting, receiver } = await startDrifting(t);
  const { clock, collection, service, accountId, standIn } = collecting;
  const { control, answers, webhooks } = service.services;
  clock.advance(3_600_000);
  await sweepToEnd(collecting);
  const recorded = async () => (await answers.read(accountId, { after: 0, limit: 100 })).length;
  assert.equal(await recorded(), 30);
  standIn.setFaults({ rates: { renamedGrounding: 1 } });
  clock.advance(3_600_000);
  await collection.plan();
  for (const _ of driftingPrompts) await askNow(collecting); // of 16 at a time
  await publishDying(collecting);
  assert.equal(await collection.publish(), 0);
  await collection.reportHealth();
  assert.equal(await recorded(), 30, "none of them counts");
  const list = await listedCollections({ control, clock }, accountId, clock.now());
  (await ServedSchemas.of(service)).assertValid("CollectionsResponseDto", list);
  const { collections, vendors } = list;
  const [held] = collections;
  const why = "Of 30 answers of gemini-3.8-flash, 0 cite a page; in the sweeps before, 100 % did.";
  assert.deepEqual(
    held?.parts.map(({ suspicious, done }) => [suspicious, done]),
    [[[why], 30]],
  );
  assert.equal(held?.endedAt, null);
  const { state, reason } = vendors.find(({ vendor }) => vendor === "gemini") ?? {};
  assert.deepEqual([state, reason], ["suspicious", why]);
  await webhooks.deliver();
  const [told, ...others] = receiver.received.splice(0);
  assert.deepEqual(others, []);
  const event = JSON.parse(told?.body ?? "") as CollectionFailedEvent;
  (await ServedSchemas.of(service)).assertValid("CollectionFailedEventDto", event);
  assert.deepEqual([event.data.heldBack, event.data.reasons], [true, [{ reason: why, jobs: 30 }]]);

  // It is looked at again, and told once.
  clock.advance(3_600_000 - 1);
  assert.deepEqual(await partsToPublish(control, clock.now(), 10), []);
  clock.advance(1);
  await collection.publish();
  await webhooks.deliver();
  assert.deepEqual([receiver.received.length, await recorded()], [0, 30]);

  // A reply that cannot be read any more leaves too few to compare, and lets none of them count.
  const kept = await answers.rawReplies(accountId, null, 100);
  const counted = new Set(
    (await answers.read(accountId, { after: 0, limit: 100 })).map(({ id }) => id),
  );
  const raw = kept.find(({ answerId }) => !counted.has(answerId));
  assert.ok(raw !== undefined);
  await answers.keepRaw(accountId, { ...raw, body: raw.body.slice(0, -9) });
  clock.advance(3_600_000);
  assert.deepEqual([await collection.publish(), await recorded()], [0, 30]);
  // Its delivery is forgotten after a month, and nothing is told again.
  clock.advance(31 * 24 * 3_600_000);
  await forgetDeliveries(control, clock.now());
  await collection.publish();
  await webhooks.deliver();
  assert.equal(receiver.received.length, 0);
  const sweepId = held?.id ?? "";
  const of = { accountId, sweepId, provider: "GEMINI", surface: "api" } as const;
  assert.equal(await acceptPart(control, of, clock.now()), true);
  await collection.publish();
  assert.equal(await recorded(), 60);
});

test("an answer that is cut off by its limit costs what its reply says", async (t) => {
  const collecting = await startCollecting(t, {
    workspace: {
      account: { name: "Cut off" },
      brand: { name: "Acme" },
      prompts: ["A?", "B?"],
      collection: {
        cron: "0 * * * *",
        providers: ["OPENAI", "ANTHROPIC", "GEMINI", "PERPLEXITY", "GROK"],
      },
    },
  });
  collecting.standIn.setFaults({ rates: { incomplete: 1 } });
  collecting.clock.advance(3_600_000);
  await sweepToEnd(collecting);
  const { spentMicros, unsettledMicros } = sumsOf(await ledgerOf(collecting));
  const { micros } = billedBy(collecting.standIn);
  assert.deepEqual({ spentMicros, unsettledMicros }, { spentMicros: micros, unsettledMicros: 0 });
  assert.ok(micros > 0);
});

test("a provider that is asked on two surfaces fails with both, and a sweep once", async (t) => {
  const collecting = await startCollecting(t, {
    settings: { hooksToPrivate: "on" },
    workspace: {
      account: { name: "Failing twice" },
      brand: { name: "Acme" },
      prompts: ["A?"],
      collection: {
        cron: "0 * * * *",
        mixSurfaces: true,
        providers: [{ provider: "OPENAI" }, { provider: "OPENAI", surface: "web" }],
      },
    },
  });
  const { clock, service, accountId, standIn } = collecting;
  const receiver = await startReceiver(t);
  const token = await service.session(accountId, ["manage"]);
  const body = { url: receiver.url, events: ["collection-failed"] };
  assert.equal((await service.post("/v1/hooks", { token, body })).status, 200);
  const told: number[] = [];
  for (let sweep = 1; sweep <= 5; sweep++) {
    const malformed = { rates: { malformed: 1 } };
    // The page alone is answered in the first sweep.
    const page = sweep === 1 ? {} : { cloro: malformed };
    standIn.setFaults({ vendors: { openai: malformed, ...page } });
    clock.advance(3_600_000);
    await sweepToEnd(collecting);
    await service.services.webhooks.deliver();
    told.push(receiver.received.splice(0).length);
  }
  assert.deepEqual(told, [0, 0, 0, 1, 0]);
});

test("a kept reply that is damaged costs its own answer, and not the part's others", async (t) => {
  const collecting = await startCollecting(t, {
    workspace: {
      account: { name: "Damaged" },
      brand: { name: "Acme" },
      prompts: ["A?", "B?", "C?"],
      collection: { cron: "0 * * * *", providers: ["OPENAI"] },
    },
  });
  const { clock, collection, service, accountId } = collecting;
  const { answers } = service.services;
  clock.advance(3_600_000);
  await collection.plan();
  await askNow(collecting);
  const [raw, ...others] = await answers.rawReplies(accountId, null, 10);
  assert.ok(raw !== undefined && others.length === 2);
  await answers.keepRaw(accountId, { ...raw, body: raw.body.slice(0, -9) });
  await collection.publish();
  const recorded = await answers.read(accountId, { after: 0, limit: 10 });
  const failed = recorded.filter(({ outcome }) => outcome === "failed");
  assert.deepEqual([recorded.length, failed.map(({ id }) => id)], [3, [raw.answerId]]);
  assert.equal(failed[0]?.metadata?.["reason"], "Its reply, as it is kept, cannot be read.");
});

test("a task whose kept reply is damaged fails, and holds up nothing", async (t) => {
  const collecting = await startCollecting(t, {
    workspace: {
      account: { name: "Lost" },
      brand: { name: "Acme" },
      prompts: ["A?"],
      collection: { cron: "0 * * * *", providers: ["COPILOT"] },
    },
    faults: { tasks: { queueMs: 60_000 } },
  });
  const { clock, collection, service, standIn, accountId } = collecting;
  const { answers, control } = service.services;
  clock.advance(3_600_000);
  await collection.plan();
  await askNow(collecting);
  await collection.close(Promise.resolve());
  const [raw] = await answers.rawReplies(accountId, null, 10);
  assert.ok(raw !== undefined);
  await answers.keepRaw(accountId, { ...raw, body: raw.body.slice(0, -9) });
  const other = collectionOf(service.services, { clock, standIn: standIn.url });
  t.after(() => other.close(Promise.resolve()));
  clock.advance(1_000);
  await other.runJobs();
  await other.settled();
  assert.equal(await other.publish(), 1);
  const [sweep] = await sweepsOf(control, accountId, 1, clock.now());
  assert.equal(sweep?.parts[0]?.failed[0]?.reason, "It was cut off while it was asked.");
});
