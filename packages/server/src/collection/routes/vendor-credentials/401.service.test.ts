import { test } from "node:test";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { sharedSample } from "@sightline/test-kit/shared-sample.ts";

test("credentials are not listed, stored, tested or deleted without a session", async () => {
  const { service } = await sharedSample();
  const path = "/v1/collection/credentials/openai";
  const calls = [
    ["GET", "/v1/collection/credentials"],
    ["PUT", path],
    ["DELETE", path],
    ["POST", `${path}/test`],
  ] as const;
  for (const [method, address] of calls) {
    for (const [authorization, code] of [
      [undefined, "session_required"],
      ["Bearer forged", "session_invalid"],
    ] as const) {
      const type = { "content-type": "application/json" };
      const headers = authorization === undefined ? type : { ...type, authorization };
      const body = method === "POST" || method === "PUT" ? { body: "{" } : {};
      assertProblem(await service.request(method, address, { headers, ...body }), code);
    }
  }
});
