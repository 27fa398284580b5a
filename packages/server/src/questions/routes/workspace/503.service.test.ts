import { test } from "node:test";
import { assertProblem } from "../../../../test/problem-shape.ts";
import { startSample } from "../../../../test/sample-account.ts";
import { takeFactsAway } from "../../../../test/take-facts-away.ts";

test("while the facts are missing nothing is said that they would have to say", async (t) => {
  const { service, token, accountId } = await startSample(t);
  await takeFactsAway(service, accountId);
  const headers = { authorization: `Bearer ${token}` };
  const reply = await service.request("GET", "/v1/workspace", { headers });
  assertProblem(reply, "facts_not_ready");
});
