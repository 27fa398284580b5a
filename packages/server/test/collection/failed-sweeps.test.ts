import assert from "node:assert/strict";
import { test } from "node:test";
import type { CollectionFailedEvent } from "@sightline/contract";
import { ServedSchemas } from "../served-schemas.ts";
import { startReceiver } from "../webhook-receiver.ts";
import { billedBy, ledgerOf, startCollecting, sumsOf, sweepToEnd } from "./collecting.ts";

test("the third failed sweep in succession of a provider is told once", async (t) => {
  const collecting = await startCollecting(t, {
    settings: { hooksToPrivate: "on" },
    workspace: {
      ...{ account: { name: "Failing" }, brand: { name: "Acme" }, prompts: ["A?", "B?"] },
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
  const [latest] = await service.services.control.sweeps(accountId, 1);
  assert.deepEqual(
    { ...data, reasons: data.reasons.map(({ jobs }) => jobs) },
    {
      ...{ provider: "OPENAI", surface: "api", failedSweeps: 3, jobs: 2, reasons: [2] },
      ...{ sweepId: latest?.id, slot: "2026-06-01T15:00:00.000Z" },
    },
  );
  assert.deepEqual(await sweep(true), [], "the fourth is not told");
  assert.deepEqual([await sweep(false), await sweep(true), await sweep(true)], [[], [], []]);
  assert.equal((await sweep(true)).length, 1, "a succession begins anew");
});

test("an answer that is cut off by its limit costs what its reply says", async (t) => {
  const collecting = await startCollecting(t, {
    workspace: {
      ...{ account: { name: "Cut off" }, brand: { name: "Acme" }, prompts: ["A?", "B?"] },
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
