import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { test } from "node:test";
import { assertProblem } from "../../../../test/problem-shape.ts";
import { sampleAnswers, sampleWorkspace } from "../../../../test/sample-account.ts";
import { TestService, temporaryFolder } from "../../../../test/test-service.ts";

test("not ready while an account's record cannot be turned into facts", async (t) => {
  const dataDir = temporaryFolder();
  t.after(() => rm(dataDir, { recursive: true }));
  const before = await TestService.start({ dataDir });
  const accountId = await before.apply(sampleWorkspace);
  await before.import(accountId, sampleAnswers);
  const { answers, facts } = before.services.folder.account(accountId);
  await before.close();
  await writeFile(answers, "This was a database. ".repeat(1_000));
  await rm(facts);

  const service = await TestService.start({ dataDir });
  t.after(() => service.close());
  await assert.rejects(service.settle(accountId));
  const reply = await service.request("GET", "/readyz");
  assertProblem(reply, "facts_not_ready");
  assert.equal(reply.headers["retry-after"], "1");
  assert.equal((await service.request("GET", "/healthz")).status, 200);
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
