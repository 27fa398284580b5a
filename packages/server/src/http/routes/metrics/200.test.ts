import assert from "node:assert/strict";
import { test } from "node:test";
import { startSample } from "../../../../test/sample-account.ts";

test("requests are counted by route, method and status, never by address", async (t) => {
  const { service } = await startSample(t);
  await service.request("GET", "/secret-address?token=secret-value");
  await service.request("GET", "/docs/errors/secret-code");
  await service.request("GET", "/healthz");
  const reply = await service.request("GET", "/metrics");
  assert.equal(reply.status, 200);
  assert.equal(reply.headers["content-type"], "text/plain; version=0.0.4; charset=utf-8");
  assert.doesNotMatch(reply.body, /secret/);
  const counts = reply.body
    .split("\n")
    .filter((line) => line.startsWith("sightline_http_request_seconds_count"))
    .map((line) => line.slice(line.indexOf("{")));
  assert.deepEqual(counts.toSorted(), [
    '{route="/docs/errors/:code",method="GET",status="404"} 1',
    '{route="/healthz",method="GET",status="200"} 1',
    '{route="/v1/auth/accesskey/exchange",method="POST",status="200"} 1',
    '{route="none",method="GET",status="404"} 1',
  ]);
});

test("the text is written once a second, however often it is asked for", async (t) => {
  const { service } = await startSample(t);
  const ask = async () => (await service.request("GET", "/metrics")).body;
  const asked = await Promise.all(Array.from({ length: 20 }, ask));
  assert.equal(new Set(asked).size, 1);
  service.clock.advance(999);
  assert.equal(await ask(), asked[0]);
  service.clock.advance(1);
  assert.notEqual(await ask(), asked[0]);
});
