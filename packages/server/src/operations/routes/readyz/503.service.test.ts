import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { test } from "node:test";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { corpusAnswers, corpusWorkspace } from "@sightline/test-kit/sample-corpus.ts";
import { TestService, temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { forgetProjected } from "../../../accounts/progress-store.ts";

test("not ready while the record is still being turned into facts after a start", async (t) => {
  const dataDir = temporaryFolder();
  t.after(() => rm(dataDir, { recursive: true }));
  const before = await TestService.start({ dataDir });
  const accountId = await before.apply(corpusWorkspace);
  await before.import(accountId, corpusAnswers(5_000));
  const { facts } = before.services.folder.account(accountId);
  await before.services.projection.measure(); // notes what is projected
  await forgetProjected(before.services.control, accountId);
  await before.close();
  await rm(facts);

  const service = await TestService.start({ dataDir });
  t.after(() => service.close());
  const reply = await service.request("GET", "/readyz");
  assertProblem(reply, "facts_not_ready");
  assert.equal(reply.headers["retry-after"], "1");
  assert.equal((await service.request("GET", "/healthz")).status, 200);
  await service.settle(accountId);
  assert.equal((await service.request("GET", "/readyz")).status, 200);
});

test("not ready from the moment that it stops, while questions are still answered", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  service.services.lifecycle.stopping = true;
  const reply = await service.request("GET", "/readyz");
  assertProblem(reply, "shutting_down");
  assert.equal(reply.headers["connection"], "close");
  const health = await service.request("GET", "/healthz");
  assert.equal(health.status, 200);
  assert.equal(health.headers["connection"], "close");
});
