import { test } from "node:test";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { sharedSample } from "@sightline/test-kit/shared-sample.ts";

test("readings are not started without a session", async () => {
  const { service } = await sharedSample();
  for (const [authorization, code] of [
    [undefined, "session_required"],
    ["Bearer forged", "session_invalid"],
  ] as const) {
    const type = { "content-type": "application/json" };
    const headers = authorization === undefined ? type : { ...type, authorization };
    const reply = await service.request("POST", "/v1/readings", { headers, body: "{" });
    assertProblem(reply, code);
  }
});
