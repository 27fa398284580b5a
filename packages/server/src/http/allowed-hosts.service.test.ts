import assert from "node:assert/strict";
import { test } from "node:test";
import { post, toolCall } from "@sightline/test-kit/mcp-messages.ts";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { rawReply } from "@sightline/test-kit/requests/raw-request.ts";
import { sampleRange, startSample } from "@sightline/test-kit/sample-account.ts";
import { ConfigError, readConfig } from "../config.ts";
import { operationsOf } from "../server.ts";
import { hostFault } from "./origins.ts";

const routes = operationsOf(false);

const name = "SIGHTLINE_ALLOWED_HOSTS";
const allowedHosts = "sightline.example.com, localhost, 127.0.0.1, [::1]";
const path = "/v1/analytics/brands/mentions";

test("a host is a name or an address as the field has it, without a port", () => {
  for (const host of ["a.example", "localhost", "127.0.0.1", "[::1]", "xn--bcher-kva.example"]) {
    assert.equal(hostFault(host), null, host);
  }
  for (const [text, fault] of [
    ["a.example:8080", "write a.example"],
    ["A.Example", "write a.example"],
    ["bücher.example", "write xn--bcher-kva.example"],
    ["127.1", "write 127.0.0.1"],
    ["[0:0::1]", "write [::1]"],
    ["me@a.example", "write a.example"],
    ["a.example/docs", "write a.example"],
    ["https://a.example", "leave out the scheme"],
    ["::1", "write an IPv6 address in brackets"],
    ["*", "patterns are not supported"],
    ["*.example.com", "patterns are not supported"],
    ["a b", "not a host name"],
    ["a.example:port", "not a host name"],
  ] as const) {
    assert.equal(hostFault(text), fault, text);
  }
});

test("the setting is a list, empty unless it is given, and names each wrong host", () => {
  assert.deepEqual(readConfig({}, {}).allowedHosts, []);
  assert.deepEqual(readConfig({}, { [name]: "" }).allowedHosts, []);
  assert.deepEqual(readConfig({}, { [name]: allowedHosts }).allowedHosts, allowedHosts.split(", "));
  assert.throws(
    () => readConfig({ allowedHosts: "a.example:80,b.example,*" }, {}),
    (error) => {
      assert.ok(error instanceof ConfigError);
      assert.deepEqual(
        error.faults.map((fault) => fault.split(". Expected: ")[0]),
        [
          '--allowed-hosts: invalid value "a.example:80" (write a.example)',
          '--allowed-hosts: invalid value "*" (patterns are not supported)',
        ],
      );
      return true;
    },
  );
});

test("a request to another host is refused at every address but the probes", async (t) => {
  const { service, token } = await startSample(t, { allowedHosts });
  for (const host of ["other.example", "sightline.example.com.", "127.0.0.2:80", "[::2]", "a@b"]) {
    for (const route of routes) {
      const reply = await service.request(route.method, route.path, { headers: { host } });
      const isProbe = ["/healthz", "/readyz"].includes(route.path);
      if (isProbe) assert.equal(reply.status, 200, route.path);
      // Shared pages are for people: what they are refused with is a page, too.
      else if (route.kind === "shared") assert.equal(reply.status, 421, route.path);
      else assertProblem(reply, "host_not_allowed");
    }
    const headers = { host };
    assertProblem(await service.post("/mcp", { token, body: {}, headers }), "host_not_allowed");
    assertProblem(await service.request("GET", "/none", { headers }), "host_not_allowed");
    assertProblem(await service.request("PUT", path, { headers }), "host_not_allowed");
  }
});

test("a request to an allowed host is answered, on any port and in any case", async (t) => {
  const { service, token } = await startSample(t, { allowedHosts });
  const body = { interval: "daily", filters: { timeRange: sampleRange } };
  for (const host of [
    "sightline.example.com",
    "SIGHTLINE.example.com:8080",
    "127.0.0.1",
    "[::1]:80",
  ]) {
    const headers = { host };
    assert.equal((await service.post(path, { token, body, headers })).status, 200, host);
    assert.equal((await service.request("GET", "/metrics", { headers })).status, 200, host);
  }
});

test("assistants ask at an allowed host, by key and by session", async (t) => {
  const { service, token, accountId } = await startSample(t, { allowedHosts });
  const headers = { host: "sightline.example.com" };
  for (const credential of [await service.key(accountId), token]) {
    for (const tool of ["describe_workspace", "summary"]) {
      const reply = await post(service, { token: credential, headers }, toolCall(tool));
      assert.equal(reply.status, 200, reply.body);
      assert.doesNotMatch(reply.body, /isError/, tool);
    }
  }
});

test("HTTP/1.0 without a host is refused when hosts are set", async (t) => {
  const { service } = await startSample(t, { allowedHosts });
  const url = await service.listen();
  assertProblem(await rawReply(url, "GET /metrics HTTP/1.0\r\n\r\n"), "host_not_allowed");
  assert.equal((await rawReply(url, "GET /healthz HTTP/1.0\r\n\r\n")).status, 200);
});

test("without the setting any host is answered", async (t) => {
  const { service } = await startSample(t);
  const headers = { host: "other.example" };
  assert.equal((await service.request("GET", "/metrics", { headers })).status, 200);
});
