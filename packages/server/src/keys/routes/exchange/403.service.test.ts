import assert from "node:assert/strict";
import { test } from "node:test";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { rawReply } from "@sightline/test-kit/requests/raw-request.ts";
import { startSample } from "@sightline/test-kit/sample-account.ts";

const path = "/v1/auth/accesskey/exchange";
const app = "https://app.example.com";

/** What browsers send, and whether the page is one that may exchange at http://sightline:8080. */
const pages: readonly (readonly [Readonly<Record<string, string>>, boolean])[] = [
  [{}, true],
  [{ "sec-fetch-site": "same-origin", origin: "http://behind-a-proxy.example" }, true],
  [{ "sec-fetch-site": "none" }, true],
  [{ "sec-fetch-site": "cross-site", origin: app }, true],
  [{ "sec-fetch-site": "same-site", origin: app }, true],
  [{ origin: app }, true],
  [{ origin: "http://sightline:8080" }, true],
  [{ "sec-fetch-site": "cross-site" }, false],
  [{ "sec-fetch-site": "same-site" }, false],
  [{ "sec-fetch-site": "cross-site", origin: "http://sightline:8080" }, false],
  [{ "sec-fetch-site": "cross-site", origin: "https://other.example" }, false],
  [{ "sec-fetch-site": "cross-site", origin: "null" }, false],
  [{ "sec-fetch-site": "anything" }, false],
  [{ origin: "https://other.example" }, false],
  [{ origin: "http://sightline:8081" }, false],
  [{ origin: "http://sightline" }, false],
  [{ origin: `${app}/` }, false],
  [{ origin: "null" }, false],
  [{ origin: "" }, false],
];

test("a page of another origin may not exchange, unless its origin is set", async (t) => {
  const { service, accountId } = await startSample(t, { corsOrigins: app });
  const token = await service.key(accountId);
  for (const [fields, isAllowed] of pages) {
    const headers = { host: "sightline:8080", ...fields };
    const reply = await service.post(path, { token, headers });
    if (isAllowed) assert.equal(reply.status, 200, JSON.stringify(fields));
    else assertProblem(reply, "origin_not_allowed");
  }
});

test("requests of other pages do not count against anyone", async (t) => {
  const { service, accountId } = await startSample(t);
  const key = await service.key(accountId);
  const other = { origin: "https://other.example" };
  for (let round = 0; round < 20; round++) {
    for (const token of ["sl_guess", key]) {
      assertProblem(await service.post(path, { token, headers: other }), "origin_not_allowed");
    }
  }
  assert.equal((await service.post(path, { token: key })).status, 200);
});

test("a page is refused before its body is there", async (t) => {
  const { service } = await startSample(t);
  const url = await service.listen();
  const fields = [
    "Host: a",
    "Connection: close",
    "Content-Length: 9",
    "Sec-Fetch-Site: cross-site",
  ];
  const reply = await rawReply(url, `POST ${path} HTTP/1.1\r\n${fields.join("\r\n")}\r\n\r\n`);
  assertProblem(reply, "origin_not_allowed");
});
