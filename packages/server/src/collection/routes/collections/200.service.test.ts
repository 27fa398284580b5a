import assert from "node:assert/strict";
import { test } from "node:test";
import { type CollectionsResponse, vendors } from "@sightline/contract";
import {
  askNow,
  catchUp,
  startCollecting,
  sweepToEnd,
} from "@sightline/test-kit/collection/collecting.ts";
import { ServedSchemas } from "@sightline/test-kit/requests/served-schemas.ts";

const workspace = {
  account: "Listed",
  brand: "Acme",
  prompts: ["best seeds", { text: "worst seeds", collection: { cron: "30 6 * * 1" } }],
  collection: { cron: "0 13 * * *", timeZone: "Europe/Berlin", providers: ["OPENAI"] },
};

test("sweeps are listed, newest first, with vendors, spending and what comes next", async (t) => {
  const secrets = { openai: "stand-in-openai", anthropic: "not the right one" };
  const collecting = await startCollecting(t, { workspace, secrets });
  const { service, accountId, collection, clock, standIn } = collecting;
  catchUp(clock);
  const token = await service.session(accountId, ["manage"]);
  const headers = { authorization: `Bearer ${token}` };
  const listed = async () => {
    const reply = await service.request("GET", "/v1/collections", { headers });
    assert.equal(reply.headers["cache-control"], "no-store");
    (await ServedSchemas.of(service)).assertValid("CollectionsResponseDto", reply.json());
    return reply.json<CollectionsResponse>();
  };
  const empty = await listed();
  assert.deepEqual([empty.collections, empty.collectors], [[], 0]);
  assert.deepEqual(
    empty.vendors.map(({ vendor, state }) => [vendor, state]),
    vendors.map((vendor) => [vendor, "no-credential"]),
  );
  assert.deepEqual(empty.next.map(({ cron, timeZone }) => [cron, timeZone]).toSorted(), [
    ["0 13 * * *", "Europe/Berlin"],
    ["30 6 * * 1", "Europe/Berlin"],
  ]);
  assert.ok(empty.next.every(({ at }) => Date.parse(at) > Date.now() - 60_000));

  await collection.reportHealth();
  for (const providers of [["OPENAI"], ["ANTHROPIC"]]) {
    await service.post("/v1/collections", { token, body: { providers } });
  }
  catchUp(clock);
  standIn.setFaults({ vendors: { anthropic: { outOfMoney: true } } });
  await askNow({ collection });
  await collection.reportHealth();
  const underWay = await listed();
  assert.deepEqual(
    underWay.collections.map(({ parts }) => parts.map(({ provider }) => provider)),
    [["ANTHROPIC"], ["OPENAI"]],
  );
  const states = Object.fromEntries(underWay.vendors.map((each) => [each.vendor, each]));
  assert.equal(underWay.collectors, 1);
  assert.deepEqual([states["openai"]?.state, states["openai"]?.lastError], ["ready", null]);
  assert.equal(states["anthropic"]?.state, "stopped");
  assert.ok(states["anthropic"]?.lastError?.reason === states["anthropic"]?.reason);
  assert.equal(states["gemini"]?.state, "no-credential");

  const [ofAnthropic] = underWay.collections;
  await service.request("DELETE", `/v1/collections/${ofAnthropic?.id}`, { headers });
  await sweepToEnd(collecting);
  const { collections, spend } = await listed();
  // The clock passed slots of both cadences; the latest of each are asked.
  assert.deepEqual(
    collections.map(({ source, done, missing }) => [source, done, missing]),
    [
      ["now", 0, 2],
      ["now", 2, 0],
      ["schedule", 1, 0],
      ["schedule", 1, 0],
    ],
  );
  const ofOpenai = spend.month.find(({ provider }) => provider === "OPENAI");
  const spent = collections.reduce((sum, { spentDollars }) => sum + spentDollars, 0);
  assert.ok(Math.abs((ofOpenai?.dollars ?? 0) - spent) < 1e-9);
  assert.deepEqual([ofOpenai?.calls, ofOpenai?.reservedDollars], [4, 0]);
});
