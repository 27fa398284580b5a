import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { sharedSample } from "@sightline/test-kit/shared-sample.ts";

test("webhooks are not listed, created, tested or deleted without a session", async () => {
  const { service } = await sharedSample();
  const path = `/v1/hooks/${randomUUID()}`;
  const calls = [
    ["GET", "/v1/hooks"],
    ["POST", "/v1/hooks"],
    ["DELETE", path],
    ["POST", `${path}/test`],
    ["GET", `${path}/deliveries`],
  ] as const;
  for (const [method, address] of calls) {
    for (const [authorization, code] of [
      [undefined, "session_required"],
      ["Bearer forged", "session_invalid"],
    ] as const) {
      const type = { "content-type": "application/json" };
      const headers = authorization === undefined ? type : { ...type, authorization };
      const body = method === "POST" ? { body: "{" } : {};
      assertProblem(await service.request(method, address, { headers, ...body }), code);
    }
  }
});
