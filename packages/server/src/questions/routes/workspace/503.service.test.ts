import { test } from "node:test";
import { takeFactsAway } from "@sightline/test-kit/engines/take-facts-away.ts";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { startSample } from "@sightline/test-kit/sample-account.ts";

test("while the facts are missing nothing is said that they would have to say", async (t) => {
  const { service, token, accountId } = await startSample(t);
  await takeFactsAway(service, accountId);
  const headers = { authorization: `Bearer ${token}` };
  const reply = await service.request("GET", "/v1/workspace", { headers });
  assertProblem(reply, "facts_not_ready");
});
