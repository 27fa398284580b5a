import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { test } from "node:test";
import type { CreatedLinkResponse } from "@sightline/contract";
import { migratedClickhouseUrl } from "@sightline/test-kit/engines/migrated-clickhouse.ts";
import { migratedPostgresUrl } from "@sightline/test-kit/engines/migrated-postgres.ts";
import { sampleAnswers, sampleWorkspace } from "@sightline/test-kit/sample-account.ts";
import { TestService, temporaryFolder } from "@sightline/test-kit/test-service.ts";

test("a link that one node makes another one shows, until it is revoked", async (t) => {
  const dataDir = temporaryFolder();
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const [postgresUrl, clickhouseUrl] = [await migratedPostgresUrl(), await migratedClickhouseUrl()];
  const start = async () => {
    // Nodes share the pepper, which is all that the folder of a node has.
    const service = await TestService.start({ dataDir, settings: { postgresUrl, clickhouseUrl } });
    t.after(() => service.close());
    return service;
  };
  const [one, two] = [await start(), await start()];
  const accountId = await one.apply(sampleWorkspace);
  await one.import(accountId, sampleAnswers);
  const token = await one.session(accountId, ["manage"]);
  const view = { page: "overview", period: "all" };
  const password = "correct horse";
  const body = { name: "board", kind: "view", view, password };
  const made = (await one.post("/v1/links", { token, body })).json<CreatedLinkResponse>();
  const { pathname } = new URL(made.address);
  const typed = await one.request("POST", pathname, {
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "password=correct+horse",
  });
  const cookie = String(typed.headers["set-cookie"]).split(";")[0] ?? "";
  const seen = await two.request("GET", pathname, { headers: { cookie } });
  assert.equal(seen.status, 200);
  assert.match(seen.body, /<h1>board<\/h1>/, "the pass of one node is that of the other");
  const headers = { authorization: `Bearer ${token}` };
  await one.request("DELETE", `/v1/links/${made.linkId}`, { headers });
  assert.equal((await two.request("GET", pathname, { headers: { cookie } })).status, 404);
});
