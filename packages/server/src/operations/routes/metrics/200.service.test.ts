import assert from "node:assert/strict";
import { test } from "node:test";
import { sightlineVersion } from "@sightline/contract/version";
import { rawReply } from "@sightline/test-kit/requests/raw-request.ts";
import { sampleAnswers, startSample } from "@sightline/test-kit/sample-account.ts";
import { sharedSample } from "@sightline/test-kit/shared-sample.ts";
import type { TestService } from "@sightline/test-kit/test-service.ts";
import { newStaticKey } from "../../../keys/static-key.ts";

/** The lines of these metrics, sorted. */
async function linesOf(service: TestService, ...names: readonly string[]) {
  const { body } = await service.request("GET", "/metrics");
  return body
    .split("\n")
    .filter((line) =>
      names.some((name) => line.startsWith(`${name} `) || line.startsWith(`${name}{`)),
    )
    .toSorted();
}

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

test("the versions of the service, of Node and of the engines are told", async () => {
  const { service } = await sharedSample();
  const [line = "", ...more] = await linesOf(service, "sightline_build_info");
  const own = `version="${sightlineVersion}",node="${process.versions.node}"`;
  assert.ok(line.startsWith(`sightline_build_info{${own},duckdb="v`), line);
  assert.match(line, /,sqlite="\d+\.\d+\.\d+"} 1$/);
  assert.deepEqual(more, []);
});

test("refused requests are counted by their code, failed exchanges by themselves", async (t) => {
  const { service, token } = await startSample(t);
  const names = ["sightline_refused_requests_total", "sightline_failed_exchanges_total"];
  assert.deepEqual(await linesOf(service, ...names), ["sightline_failed_exchanges_total 0"]);
  const exchange = "/v1/auth/accesskey/exchange";
  for (let guess = 0; guess < 11; guess++) {
    await service.post(exchange, { token: newStaticKey().key });
  }
  await service.post(exchange);
  await service.post(exchange, { headers: { "sec-fetch-site": "cross-site" } });
  await service.post("/v1/analytics/brands/rank", { token, body: {} });
  await service.request("GET", "/%zz");
  await rawReply(await service.listen(), "HELLO\r\n\r\n");
  service.clock.advance(1_000); // the text is written once a second
  assert.deepEqual(await linesOf(service, ...names), [
    "sightline_failed_exchanges_total 11",
    'sightline_refused_requests_total{code="invalid_request"} 1',
    'sightline_refused_requests_total{code="key_invalid"} 11',
    'sightline_refused_requests_total{code="malformed_http"} 1',
    'sightline_refused_requests_total{code="not_found"} 1',
    'sightline_refused_requests_total{code="origin_not_allowed"} 1',
    'sightline_refused_requests_total{code="rate_limited"} 1',
  ]);
});

test("what was recorded, and when the last time, is told", async (t) => {
  const { service, accountId } = await startSample(t);
  const names = ["sightline_answers_recorded", "sightline_last_import_timestamp_seconds"];
  const before = service.clock.now() / 1_000;
  assert.deepEqual(await linesOf(service, ...names), [
    `sightline_answers_recorded ${sampleAnswers.length}`,
    `sightline_last_import_timestamp_seconds ${before}`,
  ]);
  service.clock.advance(90_000);
  const [first] = sampleAnswers;
  await service.import(accountId, [{ ...first, answeredAt: "2026-01-08T00:00:00Z" }]);
  assert.deepEqual(await linesOf(service, ...names), [
    `sightline_answers_recorded ${sampleAnswers.length + 1}`,
    `sightline_last_import_timestamp_seconds ${before + 90}`,
  ]);
});
