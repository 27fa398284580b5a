import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { ListedCollection } from "@sightline/contract";
import { ServedSchemas } from "@sightline/test-kit/requests/served-schemas.ts";
import { newJobs, newSweep } from "@sightline/test-kit/sweeps.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { turnsDuring } from "@sightline/test-kit/turns-during.ts";
import { until } from "@sightline/test-kit/until.ts";
import { leaseJobs } from "../../store/lease-jobs.ts";
import { sweepById } from "../../store/sweep-reads.ts";
import { addSweep } from "../../store/sweep-store.ts";

const service = await TestService.start();
after(() => service.close());

test("a sweep that is cancelled asks nothing more; twice is the same as once", async () => {
  const accountId = await service.apply({ account: "Cancelled", brand: "Acme" });
  const { clock } = service;
  const { control } = service.services;
  const sweep = newSweep(clock.now(), newJobs(3));
  await addSweep(control, accountId, sweep, clock.now());
  const token = await service.session(accountId, ["manage"]);
  const headers = { authorization: `Bearer ${token}` };
  const cancelled = new Date(clock.now()).toISOString();
  for (const id of [sweep.id.toUpperCase(), sweep.id]) {
    const reply = await service.request("DELETE", `/v1/collections/${id}`, { headers });
    assert.equal(reply.status, 200, reply.body);
    (await ServedSchemas.of(service)).assertValid("CollectionDto", reply.json());
    const { cancelledAt, parts, missing } = reply.json<ListedCollection>();
    assert.deepEqual([cancelledAt, missing, parts[0]?.queued], [cancelled, 3, 0]);
    assert.equal(parts[0]?.failed[0]?.jobs, 3);
    clock.advance(1_000);
  }
  assert.deepEqual(
    await leaseJobs(control, ["openai"], {
      now: clock.now(),
      untilMs: clock.now() + 1,
      jobsMax: 9,
    }),
    [],
  );
});

test("while a large sweep is cancelled, others are answered, and write", async () => {
  const accountId = await service.apply({ account: "Large", brand: "Acme" });
  const { clock } = service;
  const { control } = service.services;
  const sweep = newSweep(clock.now(), newJobs(5_000));
  await addSweep(control, accountId, sweep, clock.now());
  const token = await service.session(accountId, ["read", "manage"]);
  const headers = { authorization: `Bearer ${token}` };
  const path = `/v1/collections/${sweep.id}`;
  const cancelled = service.request("DELETE", path, { headers });
  const turns = turnsDuring(cancelled);
  await until("it is under way", async () => {
    const parts = (await sweepById(control, accountId, sweep.id, clock.now()))?.parts ?? [];
    return parts.some(({ queued }) => queued < 5_000) || null;
  });
  const made = await service.post("/v1/keys", { token, body: {} });
  assert.equal(made.status, 200, made.body);
  const { parts, missing } = (await cancelled).json<ListedCollection>();
  assert.deepEqual([missing, parts[0]?.queued], [5_000, 0]);
  assert.ok((await turns) > 50, `${await turns} turns`);
});
