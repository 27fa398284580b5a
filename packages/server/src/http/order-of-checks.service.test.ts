import assert from "node:assert/strict";
import { test } from "node:test";
import { takeFactsAway } from "@sightline/test-kit/engines/take-facts-away.ts";
import { assertProblem, sameForAll } from "@sightline/test-kit/requests/problem-shape.ts";
import { sampleRange, startSample } from "@sightline/test-kit/sample-account.ts";
import { sharedSample } from "@sightline/test-kit/shared-sample.ts";
import { bodyBytesMax } from "./problems.ts";

const path = "/v1/analytics/brands/mentions";
const json = { "content-type": "application/json" };
const good = JSON.stringify({ interval: "daily", filters: { timeRange: sampleRange } });
const large = "[".repeat(bodyBytesMax + 1);

// Each request fails two neighbouring checks, and is told the first of them.

test("the address before the method, the type, the size, the session", async () => {
  const { service } = await sharedSample();
  for (const method of ["DELETE", "GET", "POST"] as const) {
    const headers = { "content-type": "text/plain" };
    assertProblem(await service.request(method, `${path}/`, { body: large, headers }), "not_found");
  }
});

test("the method before the type", async () => {
  const { service } = await sharedSample();
  const headers = { "content-type": "text/plain" };
  const reply = await service.request("PUT", path, { body: large, headers });
  assertProblem(reply, "method_not_allowed");
});

test("the type before the size", async () => {
  const { service } = await sharedSample();
  const headers = { "content-type": "text/plain" };
  const reply = await service.request("POST", path, { body: large, headers });
  assertProblem(reply, "unsupported_media_type");
});

test("the size before the session", async () => {
  const { service, token } = await sharedSample();
  const reply = await service.request("POST", path, { body: large, headers: json });
  assertProblem(reply, "payload_too_large");
  // And so a body that is just not too large is the first to be asked for a session.
  const most = await service.request("POST", path, { body: large.slice(1), headers: json });
  assertProblem(most, "session_required");
  const known = await service.request("POST", path, {
    body: large.slice(1),
    headers: { ...json, authorization: `Bearer ${token}` },
  });
  assertProblem(known, "invalid_request");
});

test("the session before the body: nobody without one learns anything about it", async () => {
  const { service } = await sharedSample();
  for (const [headers, code] of [
    [{}, "session_required"],
    [{ authorization: "Bearer forged" }, "session_invalid"],
  ] as const) {
    const replies = [];
    for (const body of [good, "", "{", "[]", '{"interval":"hourly"}', "\0"]) {
      replies.push(await service.request("POST", path, { body, headers: { ...json, ...headers } }));
    }
    const problems = replies.map((reply) => sameForAll(assertProblem(reply, code)));
    for (const problem of problems) assert.deepEqual(problem, problems[0]);
    const fields = replies.map((reply) => ({ ...reply.headers, "x-request-id": "", date: "" }));
    for (const each of fields) assert.deepEqual(each, fields[0]);
  }
});

test("the session before the limits, the limits before the body", async (t) => {
  const { service, token } = await startSample(t, { rateLimit: "1/s" });
  const ask = (body: string, session: string) =>
    service.post(path, { token: session, body, headers: json });
  // The exchange was the first of a burst of two calls.
  assert.equal((await ask(good, token)).status, 200);
  for (const body of [good, "", "{", "{}"]) {
    assertProblem(await ask(body, token), "rate_limited");
    assertProblem(await ask(body, "forged"), "session_invalid");
  }
  service.clock.advance(1_000);
  assertProblem(await ask("{", token), "malformed_json");
  assertProblem(await ask("{", token), "rate_limited");
});

test("the body before the work: what is wrong with it shows while facts are missing", async (t) => {
  const { service, token, accountId } = await startSample(t);
  await takeFactsAway(service, accountId);
  assertProblem(await service.post(path, { token, body: good, headers: json }), "facts_not_ready");
  assertProblem(await service.post(path, { token, body: "{", headers: json }), "malformed_json");
  assertProblem(await service.post(path, { token, body: "{}", headers: json }), "invalid_request");
});
