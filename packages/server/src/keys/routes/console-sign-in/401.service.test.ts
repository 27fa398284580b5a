import assert from "node:assert/strict";
import { test } from "node:test";
import { signIn } from "@sightline/test-kit/console-page.ts";
import { assertProblem, sameForAll } from "@sightline/test-kit/requests/problem-shape.ts";
import { startSample } from "@sightline/test-kit/sample-account.ts";
import { newStaticKey } from "../../static-key.ts";

test("wrong keys and codes are refused alike, and throttled as exchanges are", async (t) => {
  const { service, accountId, token } = await startSample(t);
  const good = await service.key(accountId);
  const wrong = [newStaticKey().key, `${good}0`, good.slice(0, -1), "", token];
  const problems = [];
  for (const key of wrong) {
    const reply = await signIn(service, { key });
    assert.equal(reply.headers["set-cookie"], undefined);
    problems.push(sameForAll(assertProblem(reply, "key_invalid")));
  }
  for (const problem of problems) assert.deepEqual(problem, problems[0]);
  for (const code of ["a", "b", "c", "d", "e"]) {
    assertProblem(await signIn(service, { code }), "key_invalid");
  }
  for (const body of [{ key: good }, { code: "f" }]) {
    assertProblem(await signIn(service, body), "rate_limited");
  }
  const exchange = await service.post("/v1/auth/accesskey/exchange", { token: good });
  assertProblem(exchange, "rate_limited");
  service.clock.advance(60_000);
  assert.equal((await signIn(service, { key: ` ${good}\n` })).status, 200);
});

test("signing in takes from the key's limits, as the exchange does", async (t) => {
  const { service, accountId } = await startSample(t, { rateLimit: "1/s" });
  const key = await service.key(accountId);
  const statuses = [];
  for (let round = 0; round < 3; round += 1) statuses.push((await signIn(service, { key })).status);
  assert.deepEqual(statuses, [200, 200, 429]);
});
