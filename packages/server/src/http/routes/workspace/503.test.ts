import { test } from "node:test";
import { assertProblem } from "../../../../test/problem-shape.ts";
import { startSample } from "../../../../test/sample-account.ts";

test("while the facts are missing nothing is said that they would have to say", async (t) => {
  const { service, token } = await startSample(t);
  await service.services.facts.close();
  const headers = { authorization: `Bearer ${token}` };
  const reply = await service.request("GET", "/v1/workspace", { headers });
  assertProblem(reply, "facts_not_ready");
});
