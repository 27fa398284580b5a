import assert from "node:assert/strict";
import { test } from "node:test";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { sampleAnswerId, sampleIds } from "@sightline/test-kit/sample-account.ts";
import { sharedSample } from "@sightline/test-kit/shared-sample.ts";

test("an id that the account has no answer of is not found, whatever it looks like", async () => {
  const { service, accountId, token } = await sharedSample();
  const headers = { authorization: `Bearer ${token}` };
  const ask = (id: string) => service.request("GET", `/v1/answers/${id}`, { headers });
  const known = sampleAnswerId(accountId, 0);
  const unknown = [
    "ffffffff-0000-4000-8000-000000000000",
    ...[sampleIds.storagePrompt, known.replaceAll("-", ""), `{${known}}`, "1", "%00", "a'--", ""],
  ];
  for (const id of unknown) {
    const { detail } = assertProblem(await ask(id), "answer_not_found");
    assert.equal(detail, "The account has no answer with this id.");
  }
  assertProblem(await ask(`${known}/`), "not_found");
});

test("another account's answer is not found", async () => {
  const { service, accountId } = await sharedSample();
  const other = await service.apply({ account: { name: "Stranger" }, brand: { name: "Acme" } });
  const headers = { authorization: `Bearer ${await service.session(other)}` };
  const path = `/v1/answers/${sampleAnswerId(accountId, 0)}`;
  assertProblem(await service.request("GET", path, { headers }), "answer_not_found");
});
