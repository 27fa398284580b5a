import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { sharedSample } from "@sightline/test-kit/shared-sample.ts";

test("sweeps are not started, listed, read or cancelled without a session", async () => {
  const { service } = await sharedSample();
  const path = `/v1/collections/${randomUUID()}`;
  const calls = [
    ["GET", "/v1/collections"],
    ["POST", "/v1/collections"],
    ["GET", path],
    ["DELETE", path],
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
