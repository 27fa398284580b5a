import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { call, httpClient } from "@sightline/test-kit/assistant.ts";
import { current, post, rpc, toolCall } from "@sightline/test-kit/mcp-messages.ts";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { type AfterHook, startSample } from "@sightline/test-kit/sample-account.ts";
import type { TestReply, TestService } from "@sightline/test-kit/test-service.ts";
import { bodyBytesMax } from "../http/problems.ts";

const list = rpc("tools/list");

// One service for all: nothing here changes it.
const hooks: (() => Promise<void>)[] = [];
const whole: AfterHook = { after: (hook) => void hooks.unshift(hook) };
let service: TestService;
let token: string;
let accountId: string;
let key: string;
before(async () => {
  ({ service, token, accountId } = await startSample(whole));
  key = await service.key(accountId);
});
after(async () => {
  for (const hook of hooks) await hook();
});

test("the protocol's own client, before and after 2026-07-28, by session and by key", async (t) => {
  const url = await service.listen();
  const replies = [];
  for (const mode of ["legacy", "auto"] as const) {
    for (const credential of [token, key, `sightline:${key}`]) {
      const client = await httpClient(t, { url, token: credential, mode });
      const version = client.getServerVersion();
      assert.deepEqual([version?.name, version?.title], ["sightline", "Sightline"]);
      replies.push(await call(client, "describe_workspace"));
      await client.close();
    }
  }
  assert.match(replies[0]?.text ?? "", /^Today is 2026-06-01\. The brand is Acme/);
  for (const reply of replies) assert.deepEqual(reply, replies[0]);
});

test("a reply is one JSON document, which nobody keeps; a notification has none", async () => {
  for (const message of [list, current(list)]) {
    const headers = { "mcp-protocol-version": message === list ? "2025-06-18" : "2026-07-28" };
    const reply = await post(
      service,
      { token, headers: { ...headers, "mcp-method": "tools/list" } },
      message,
    );
    assert.equal(reply.status, 200, reply.body);
    assert.equal(reply.headers["content-type"], "application/json; charset=utf-8");
    assert.equal(reply.headers["cache-control"], "no-store");
    assert.equal(reply.headers["mcp-session-id"], undefined);
    assert.match(String(reply.headers["x-request-id"]), /^req_/);
    assert.equal(reply.json<{ result: { tools: unknown[] } }>().result.tools.length, 9);
  }
  const notification = { jsonrpc: "2.0", method: "notifications/initialized" };
  const noted = await post(service, token, notification);
  assert.deepEqual([noted.status, noted.body], [202, ""]);
});

test("without sessions there is nothing to GET or DELETE: 405", async () => {
  const headers = { authorization: `Bearer ${token}`, accept: "text/event-stream" };
  for (const method of ["GET", "DELETE", "PUT", "OPTIONS"] as const) {
    const reply = await service.request(method, "/mcp", { headers });
    assertProblem(reply, "method_not_allowed");
    assert.equal(reply.headers["allow"], "POST");
  }
});

test("a page of another origin is refused before anything else is looked at: 403", async () => {
  const from = (origin: string) => post(service, { token, headers: { origin } }, list);
  for (const origin of [
    "https://rebound.example",
    "http://127.0.0.1.rebound.example",
    "http://localhost.rebound.example:8080",
    "null",
    "not an origin",
    "file://",
  ]) {
    const refused = assertProblem(await from(origin), "origin_not_allowed");
    assert.ok(!refused.detail.includes(origin));
  }
  const stranger = { origin: "https://rebound.example", "content-type": "text/plain" };
  assertProblem(await service.post("/mcp", { body: "{", headers: stranger }), "origin_not_allowed");
  for (const origin of ["http://localhost:5173", "http://127.0.0.1:8080", "http://[::1]:8080"]) {
    assert.equal((await from(origin)).status, 200, origin);
  }
});

test("the order of checks: type, size, session, then the message", async () => {
  const large = "[".repeat(bodyBytesMax + 1);
  const plain = { "content-type": "text/plain" };
  const typed = await service.request("POST", "/mcp", { body: large, headers: plain });
  assertProblem(typed, "unsupported_media_type");
  assertProblem(await service.post("/mcp", { body: large }), "payload_too_large");
  for (const body of ["", "{", "[]", list]) {
    const headers = { "content-type": "application/json" };
    const { detail } = assertProblem(
      await service.post("/mcp", { body, headers }),
      "session_required",
    );
    assert.match(detail, /^Send `Authorization: Bearer <API key or session token>`;/);
  }
  assertProblem(await post(service, token, "{"), "malformed_json");
  assertProblem(await post(service, token, '{"a":1,"a":2}'), "malformed_json");
  assertProblem(await post(service, token, large.slice(1)), "invalid_request");
});

test("one message at a time: a batch and what is not an object are refused", async () => {
  for (const [body, got] of [
    [JSON.stringify([list, list]), "an array"],
    ["[]", "an array"],
    ["null", "another value"],
    ['"tools/list"', "another value"],
  ] as const) {
    const { errors } = assertProblem(await post(service, token, body), "invalid_request");
    const message = `must be one JSON-RPC message, not a batch, got ${got}.`;
    assert.deepEqual(errors, [{ path: "", code: "wrong_type", message }]);
  }
});

test("who is not known: 401 with a challenge, whatever is asked", async () => {
  const none = await service.post("/mcp", { body: list });
  assertProblem(none, "session_required");
  assert.equal(none.headers["www-authenticate"], "Bearer");
  const mistyped = `${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`;
  for (const [credential, code] of [
    ["forged", "session_invalid"],
    [`${token}x`, "session_invalid"],
    ["sl_", "key_invalid"],
    [mistyped, "key_invalid"],
  ] as const) {
    const reply = await post(service, credential, list);
    assertProblem(reply, code);
    assert.equal(reply.headers["www-authenticate"], 'Bearer error="invalid_token"');
  }
  for (const inQuery of [`?token=${key}`, `?authorization=Bearer%20${key}`]) {
    assertProblem(await service.post(`/mcp${inQuery}`, { body: list }), "session_required");
  }
});

test("a key without the scope read learns nothing of its account by any tool", async () => {
  for (const credential of [
    await service.key(accountId, ["import", "manage"]),
    await service.session(accountId, ["import"]),
  ]) {
    for (const tool of ["describe_workspace", "find_prompts", "show_answers", "summary"]) {
      const { body } = await post(service, credential, toolCall(tool));
      assert.match(body, /\(scope_missing, /, tool);
      assert.match(body, /"isError":true/, tool);
      assert.doesNotMatch(body, /Acme|storage/, tool);
    }
  }
});

/** The error of a JSON-RPC reply. */
function rpcError(reply: TestReply) {
  const { error, id } = reply.json<{ error?: { code: number; message: string }; id: unknown }>();
  return { code: error?.code, message: error?.message, id };
}

test("what the protocol refuses is told in its own words", async () => {
  const wrong = await post(
    service,
    { token, headers: { "mcp-protocol-version": "1999-01-01" } },
    list,
  );
  assert.equal(wrong.status, 400);
  assert.match(rpcError(wrong).message ?? "", /Unsupported protocol version/);
  const newer = await post(
    service,
    { token, headers: { "mcp-protocol-version": "2099-01-01", "mcp-method": "tools/list" } },
    current(list, "2099-01-01"),
  );
  assert.deepEqual([newer.status, rpcError(newer).code], [400, -32022]);
  const unknown = await post(service, token, rpc("tools/lst"));
  assert.deepEqual([unknown.status, rpcError(unknown).code], [200, -32601]);
  const missing = await post(service, token, toolCall("describe_workspac"));
  assert.deepEqual(rpcError(missing), {
    code: -32602,
    message: "Tool describe_workspac not found",
    id: 1,
  });
  const listen = current(
    rpc("subscriptions/listen", { notifications: { toolsListChanged: true } }),
  );
  const stream = await post(
    service,
    {
      token,
      headers: { "mcp-protocol-version": "2026-07-28", "mcp-method": "subscriptions/listen" },
    },
    listen,
  );
  assert.equal(rpcError(stream).message, "Subscription limit reached");
});

const toolNames = ["__proto__", "constructor", "toString", "", ".//", "a".repeat(100_000)];
const wrongArguments = [
  null,
  "text",
  7,
  [],
  [["metric", "rank"]],
  JSON.parse('{"__proto__":{"metric":"rank"}}'),
  JSON.parse('{"metric":"rank","constructor":{"prototype":{"a":1}}}'),
  { metric: { toString: "rank" } },
  { metric: "\ud800" },
  { metric: "rank", period: "9".repeat(500_000) },
  { metric: "rank", entities: Array.from({ length: 100_000 }, () => "a") },
  Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`f${index}`, index])),
  { metric: "rank", period: "\0" },
  { metric: "rank", filters: { topics: ["' OR 1=1 --"] } },
];
const wrongMessages = [
  {},
  { jsonrpc: "1.0", id: 1, method: "tools/list" },
  { jsonrpc: "2.0", id: { a: 1 }, method: "tools/list" },
  { jsonrpc: "2.0", id: 1, method: 7 },
  { jsonrpc: "2.0", id: 1, method: "tools/call" },
  { jsonrpc: "2.0", id: 1, method: "tools/call", params: [] },
  { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: 7 } },
  { jsonrpc: "2.0", id: 1, result: {} },
  { jsonrpc: "2.0", id: 1, method: "__proto__", params: {} },
  { jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: "x" } },
  { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: 7 } },
];

test("hostile messages: an error of the tool or the protocol, never the service's", async () => {
  const messages = [
    ...toolNames.map((name) => toolCall(name)),
    ...wrongArguments.map((given) => toolCall("time_series", given)),
    ...wrongMessages,
  ];
  const headers = {
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": "x",
  };
  for (const message of messages) {
    const shown = JSON.stringify(message).slice(0, 100);
    const isCall = "params" in message && !Array.isArray(message.params);
    const sent = [post(service, token, message)];
    if (isCall) sent.push(post(service, { token, headers }, current(message)));
    for (const reply of await Promise.all(sent)) {
      assert.ok(reply.status < 500, `${shown}: ${reply.status} ${reply.body}`);
      assert.ok(reply.body.length < 10_000 || shown.includes("aaaa"), `${shown}: long`);
      const isRefused =
        reply.status >= 400 ||
        reply.status === 202 ||
        /"error":|"isError":true/.test(reply.body) ||
        shown.includes('"_meta":"x"');
      assert.ok(isRefused, `${shown}: ${reply.status} ${reply.body.slice(0, 200)}`);
    }
  }
});
