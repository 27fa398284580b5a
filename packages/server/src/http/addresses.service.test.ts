import assert from "node:assert/strict";
import { test } from "node:test";
import { operations } from "@sightline/contract";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { rawReply } from "@sightline/test-kit/requests/raw-request.ts";
import { sampleRange } from "@sightline/test-kit/sample-account.ts";
import { sharedSample } from "@sightline/test-kit/shared-sample.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { operationsOf } from "../server.ts";

const routes = operationsOf(true);

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"] as const;

test("every operation of callers is declared in the contract, and each declared one served", () => {
  const served = routes.flatMap(({ kind, method, path }) =>
    ["open", "console", "shared"].includes(kind) ? [] : [`${method} ${path}`],
  );
  const declared = Object.values(operations).map(
    ({ method, path }) => `${method} ${path.replace(/\{(\w+)\}/, ":$1")}`,
  );
  assert.deepEqual(served.toSorted(), declared.toSorted());
});

test("an address takes its method, a GET's also HEAD, and names them in the refusal", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  for (const path of new Set(routes.map((route) => route.path))) {
    const taken = routes.flatMap((route) => (takes(route.path, path) ? [route.method] : []));
    const allowed = methods.filter((name) =>
      taken.some((one) => one === (name === "HEAD" ? "GET" : name)),
    );
    for (const each of methods.filter((name) => !allowed.includes(name))) {
      const reply = await service.request(each, path.replace(/:\w+/, "not_found"));
      assert.equal(reply.status, 405, `${each} ${path}`);
      assert.equal(reply.headers["allow"], allowed.join(", "));
      if (each !== "HEAD") assertProblem(reply, "method_not_allowed");
    }
  }
});

/** Whether a route takes an address: /v1/answers/:id takes /v1/answers/delete, too. */
function takes(route: string, path: string): boolean {
  return new RegExp(`^${route.replaceAll("*", "\\*").replaceAll(/:\w+/g, "[^/]+")}$`).test(path);
}

test("the root, and the asterisk for it, take GET alone", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const url = await service.listen();
  for (const path of ["/", "*"]) {
    const end = "HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    const refused = await rawReply(url, `POST ${path} ${end}`);
    assertProblem(refused, "method_not_allowed");
    assert.equal(refused.headers["allow"], "GET, HEAD");
    assert.equal((await rawReply(url, `GET ${path} ${end}`)).status, 200);
  }
});

test("methods that HTTP knows and the service does not", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const url = await service.listen();
  for (const method of ["PROPFIND", "QUERY", "PURGE", "M-SEARCH", "LINK"]) {
    const end = "Host: a\r\nConnection: close\r\n\r\n";
    const reply = await rawReply(url, `${method} /healthz HTTP/1.1\r\n${end}`);
    assertProblem(reply, "method_not_allowed");
    assert.equal(reply.headers["allow"], "GET, HEAD");
    const none = await rawReply(url, `${method} /none HTTP/1.1\r\n${end}`);
    assertProblem(none, "not_found");
  }
});

const tricks = [
  "/none",
  "/healthz/",
  "/Healthz",
  "/healthz/.",
  "//healthz",
  "/./healthz",
  "/x/../healthz",
  "/x/%2e%2e/healthz",
  "/x/%2E%2E/healthz",
  "/%2e/healthz",
  "/%2fhealthz",
  "/healthz%2f",
  "/healthz%00",
  "/healthz%20",
  "/healthz;a=1",
  "/healthz,",
  "/healthz\\",
  "/healthz%3fa",
  "/%",
  "/%zz",
  "/%c0%ae",
  "/*",
  "/:code",
  "/:a(b+)+",
  "/v1/analytics/brands",
  "/v1/analytics/brands/",
  "/v1/analytics/brands/mentions/",
  "/v1/analytics/brands/Mentions",
  "/v1//analytics/brands/mentions",
  "/v2/analytics/brands/mentions",
  "/analytics/brands/mentions",
  "/v1/analytics/brands/toString",
  "/v1/analytics/brands/__proto__",
  `/${"a".repeat(8_000)}`,
];

test("an address is compared as it is written", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const url = await service.listen();
  for (const trick of tricks) {
    for (const method of ["GET", "POST", "PUT", "OPTIONS"]) {
      const end = "Host: a\r\nConnection: close\r\n\r\n";
      const reply = await rawReply(url, `${method} ${trick} HTTP/1.1\r\n${end}`);
      assert.equal(reply.status, 404, `${method} ${trick}`);
      assertProblem(reply, "not_found");
      assert.equal(reply.headers["allow"], undefined);
    }
  }
});

test("a browser gets a page where there is none; programs get the problem", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const browser = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };
  for (const path of ["/none", "/docs/guide/none", "/docs/none?a=b", "/index.php%22%3E"]) {
    const reply = await service.request("GET", path, { headers: browser });
    assert.equal(reply.status, 404, path);
    assert.equal(reply.headers["content-type"], "text/html; charset=utf-8");
    assert.match(`${reply.headers["content-security-policy"]}`, /default-src 'none'/);
    assert.equal(reply.headers["vary"], "Accept");
    assert.match(reply.body, /<h1>There is no page here<\/h1>[\s\S]*href="\/"/);
    assert.ok(!reply.body.includes("%22"));
    assertProblem(await service.request("GET", path), "not_found");
  }
  assertProblem(await service.request("POST", "/none", { headers: browser }), "not_found");
  for (const path of ["/v1/none", "/mcp/none", "/console/accounts/a/v1/none"]) {
    assertProblem(await service.request("GET", path, { headers: browser }), "not_found");
  }
});

test("the same address in other letters: percent-encoded, absolute, with a query", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const url = await service.listen();
  for (const target of [
    "/%68ealthz",
    "http://sightline/healthz",
    "http://sightline:80/healthz?a",
    "/healthz?",
    "/healthz?a=1&a=2&__proto__=3&%",
    "/healthz#a",
  ]) {
    const head = `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
    const reply = await rawReply(url, head);
    assert.deepEqual([reply.status, reply.body], [200, '{"status":"alive"}'], target);
  }
});

test("a question has no query parameters: what stands in a query is not looked at", async () => {
  const { service, token } = await sharedSample();
  const path = "/v1/analytics/brands/mentions";
  const body = { interval: "daily", filters: { timeRange: sampleRange } };
  const plain = await service.post(path, { token, body });
  const queried = await service.post(`${path}?interval=monthly&filters[branded]=true&limit=x`, {
    token,
    body,
  });
  assert.deepEqual([queried.status, queried.body], [200, plain.body]);
});

test("HEAD gives what GET gives, without the body", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const url = await service.listen();
  const ask = (method: string, path: string) =>
    rawReply(url, `${method} ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  for (const path of ["/healthz", "/readyz", "/openapi.json", "/.well-known/jwks.json", "/none"]) {
    const [get, head] = [await ask("GET", path), await ask("HEAD", path)];
    assert.equal(head.body, "", path);
    assert.equal(head.status, get.status);
    for (const name of ["content-type", "content-length"]) {
      assert.equal(head.headers[name], get.headers[name], `${name} of ${path}`);
    }
  }
});
