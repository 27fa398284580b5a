import assert from "node:assert/strict";
import { test } from "node:test";
import { hostileTypes } from "@sightline/test-kit/requests/hostile-fields.ts";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { sampleRange } from "@sightline/test-kit/sample-account.ts";
import { sharedSample } from "@sightline/test-kit/shared-sample.ts";
import { isJsonContentType } from "./body.ts";

const path = "/v1/analytics/sources";
const body = JSON.stringify({
  limit: 1,
  offset: 0,
  groupBy: "url",
  filters: { timeRange: sampleRange },
});

test("JSON in UTF-8 is taken, however its type is written", async () => {
  const { service, token } = await sharedSample();
  for (const type of [
    "application/json",
    "Application/JSON",
    "application/json;charset=utf-8",
    "application/json; charset=UTF-8",
    'application/json; charset="utf-8"',
    "application/json ; charset=utf-8",
    "application/json;",
    "\tapplication/json ",
  ]) {
    const reply = await service.post(path, { token, body, headers: { "content-type": type } });
    assert.equal(reply.status, 200, type);
  }
});

test("any other type is refused, also without a session", async () => {
  const { service, token } = await sharedSample();
  for (const type of [
    "text/plain",
    "text/json",
    "application/problem+json",
    "application/jsonp",
    "application/json-seq",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=a",
    "application/json; charset=utf-16",
    "application/json; charset=latin1",
    "application/json, text/plain",
    "application/json; profile=a",
    "json",
    "application/",
    "*/*",
    "",
  ]) {
    const headers = { "content-type": type };
    for (const session of [{}, { token }]) {
      const reply = await service.post(path, { ...session, body, headers });
      assertProblem(reply, "unsupported_media_type");
    }
  }
});

test("no type is refused, with or without a body", async () => {
  const { service, token } = await sharedSample();
  const headers = { authorization: `Bearer ${token}` };
  for (const options of [{ headers }, { headers, body }]) {
    assertProblem(await service.request("POST", path, options), "unsupported_media_type");
  }
});

test("a hostile type of 16 KiB is not JSON", () => {
  for (const type of hostileTypes) assert.equal(isJsonContentType(type), false);
});
