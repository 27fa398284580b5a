import assert from "node:assert/strict";
import { test } from "node:test";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { startSample } from "@sightline/test-kit/sample-account.ts";
import { keyById } from "../../key-store.ts";

test("keys are not listed, created or revoked without a session", async (t) => {
  const { service, accountId } = await startSample(t);
  const created = await service.services.keyRing.create(accountId, { name: "", expiresAt: null });
  const headers = { "content-type": "application/json" };
  const calls = [
    ["GET", "/v1/keys"],
    ["POST", "/v1/keys"],
    ["DELETE", `/v1/keys/${created.keyId}`],
  ] as const;
  for (const [method, path] of calls) {
    for (const [authorization, code] of [
      [undefined, "session_required"],
      ["Bearer forged", "session_invalid"],
      [`Bearer ${created.key}`, "session_invalid"],
    ] as const) {
      const fields = authorization === undefined ? headers : { ...headers, authorization };
      const body = method === "POST" ? { body: "{" } : {};
      assertProblem(await service.request(method, path, { headers: fields, ...body }), code);
    }
  }
  assert.equal((await keyById(service.services.control, created.keyId))?.revokedAt, null);
});
