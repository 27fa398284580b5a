import assert from "node:assert/strict";
import { test } from "node:test";
import { ConsolePage } from "@sightline/test-kit/console-page.ts";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { startSample } from "@sightline/test-kit/sample-account.ts";
import { allAccounts } from "../../account-store.ts";

test("no other scope creates accounts, and none passes the scope on that lacks it", async (t) => {
  const { service, accountId } = await startSample(t);
  const scopes = ["read", "import", "manage"] as const;
  const token = await service.session(accountId, scopes);
  const body = { account: "Globex", brand: "Globex" };
  assertProblem(await service.post("/v1/accounts", { token, body }), "scope_missing");
  const page = await ConsolePage.open(service, accountId, scopes);
  const asked = await page.request("POST", "/v1/accounts", { body: JSON.stringify(body) });
  assertProblem(asked, "scope_missing");
  const key = { name: "more", scopes: ["accounts"] };
  assertProblem(await service.post("/v1/keys", { token, body: key }), "scope_missing");
  assert.equal((await allAccounts(service.services.control)).length, 1);
});
