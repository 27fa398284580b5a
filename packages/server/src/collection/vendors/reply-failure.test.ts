import assert from "node:assert/strict";
import { test } from "node:test";
import type { Vendor } from "@sightline/contract";
import type { FailureClass } from "../adapter.ts";
import { noUsage } from "./collected-answer.ts";
import { adapters } from "./index.ts";

const question = {
  id: "0f1e2d3c-4b5a-4678-8796-a5b4c3d2e1f0",
  prompt: "Which phone is best?",
  surface: "api",
  region: null,
  model: null,
} as const;

function failureOf(vendor: Vendor, status: number, body: unknown) {
  const adapter = adapters.find((each) => each.vendor === vendor);
  const [asks] = adapter?.asks ?? [];
  assert.ok(adapter !== undefined && asks !== undefined);
  const request = {
    method: "POST",
    host: adapter.hosts[0] ?? "",
    path: "/",
    isPaid: true,
  } as const;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const reply = { status, headers: { "retry-after": "7" }, body: text };
  const step = adapter.step({ ...question, ...asks }, [{ request, reply, at: 0 }]);
  assert.equal(step.kind, "failed");
  assert.deepEqual(step.usage, noUsage);
  return step.failure;
}

/** Statuses that all vendors document alike. */
const byStatus: readonly (readonly [number, FailureClass])[] = [
  [400, "give-up"],
  [401, "stop-vendor"],
  [402, "stop-vendor"],
  [403, "stop-vendor"],
  [404, "give-up"],
  [408, "retry"],
  [409, "retry"],
  [413, "give-up"],
  [422, "give-up"],
  [429, "wait"],
  [500, "retry"],
  [502, "retry"],
  [503, "retry"],
  [504, "retry"],
  [529, "retry"],
  [302, "give-up"],
  [204, "give-up"],
];

// Page vendors have statuses of their own, which the tests of documented pages list.
const ofApis = adapters.filter(({ asks }) => asks.every(({ surface }) => surface === "api"));

for (const { vendor } of ofApis) {
  test(`${vendor}: what a status asks for`, () => {
    for (const [status, expected] of byStatus) {
      const failure = failureOf(vendor, status, { error: { message: "Not now." } });
      assert.equal(failure.class, expected, String(status));
      assert.equal(failure.reason, `HTTP ${status}: Not now.`);
      assert.equal(failure.afterMs, 7_000);
    }
  });
}

/** Errors whose status says less than their body, as the vendors document them. */
const byBody: readonly (readonly [Vendor, number, object, FailureClass])[] = [
  ["openai", 429, { error: { type: "insufficient_quota", code: null } }, "stop-vendor"],
  ["openai", 429, { error: { code: "credit_balance_exhausted" } }, "stop-vendor"],
  ["openai", 429, { error: { code: "organization_spend_limit_exceeded" } }, "stop-vendor"],
  ["openai", 429, { error: { code: "project_spend_limit_exceeded" } }, "stop-vendor"],
  ["openai", 429, { error: { code: "organization_usage_limit_exceeded" } }, "stop-vendor"],
  ["openai", 429, { error: { code: "rate_limit_exceeded" } }, "wait"],
  ["openai", 404, { error: { code: "model_not_found" } }, "stop-part"],
  [
    ...(["openai", 400] as const),
    { error: { message: "Hosted tool 'web_search' is not supported with gpt-4.1-nano." } },
    "stop-part",
  ],
  ["openai", 400, { error: { code: "invalid_prompt", message: "No model." } }, "give-up"],
  ["anthropic", 404, { error: { type: "not_found_error", message: "model: x" } }, "stop-part"],
  [
    ...(["anthropic", 400] as const),
    { error: { message: "Web search is not enabled for this organization." } },
    "stop-vendor",
  ],
  [
    ...(["gemini", 404] as const),
    { error: { status: "NOT_FOUND", message: "This model is no longer available to new users." } },
    "stop-part",
  ],
  ["gemini", 499, { error: { status: "CANCELLED" } }, "retry"],
  ["xai", 404, { error: "The model grok-1 does not exist." }, "stop-part"],
  ["perplexity", 400, { error: { type: "invalid_model" } }, "stop-part"],
  [
    ...(["anthropic", 400] as const),
    { type: "error", error: { message: "Your credit balance is too low to access the API." } },
    "stop-vendor",
  ],
  [
    ...(["anthropic", 429] as const),
    {
      error: { type: "rate_limit_error", details: { error_code: "enforced_spend_limit_reached" } },
    },
    "stop-vendor",
  ],
  ["anthropic", 429, { error: { type: "rate_limit_error" } }, "wait"],
  ["anthropic", 402, { error: { type: "billing_error" } }, "stop-vendor"],
  ["anthropic", 529, { error: { type: "overloaded_error" } }, "retry"],
  [
    ...(["gemini", 400] as const),
    { error: { status: "INVALID_ARGUMENT", details: [{ reason: "API_KEY_INVALID" }] } },
    "stop-vendor",
  ],
  ["gemini", 400, { error: { status: "FAILED_PRECONDITION" } }, "stop-vendor"],
  ["gemini", 429, { error: { message: "Your prepayment credits are depleted." } }, "stop-vendor"],
  ["gemini", 400, { error: { status: "INVALID_ARGUMENT" } }, "give-up"],
  ["gemini", 429, [{ error: { status: "RESOURCE_EXHAUSTED" } }], "wait"],
  ["perplexity", 429, { error: { message: "Rate limit exceeded" } }, "wait"],
  ["perplexity", 429, { error: { type: "insufficient_quota" } }, "stop-vendor"],
  ["xai", 400, { code: "invalid-argument", error: "Incorrect API key provided." }, "stop-vendor"],
  ["xai", 429, { error: "Your team has used all available credits." }, "stop-vendor"],
  ["xai", 429, { error: "Too many requests" }, "wait"],
];

test("errors whose body says more than their status", () => {
  for (const [vendor, status, body, expected] of byBody) {
    assert.equal(failureOf(vendor, status, body).class, expected, JSON.stringify(body));
  }
});

test("a reason says what to do where the vendor's words do not", () => {
  const message = `models/gemini-2.5-pro is no longer available. ${"x".repeat(400)}`;
  const gone = failureOf("gemini", 404, { error: { status: "NOT_FOUND", message } });
  assert.equal(gone.reason.length, 300);
  assert.match(gone.reason, /^HTTP 404: NOT_FOUND models.* Set `model` of this provider .*\.$/);
  const off = { error: { message: "Web search is not enabled for this organization." } };
  assert.match(failureOf("anthropic", 400, off).reason, /must enable web search in Anthropic's/);
});

test("Google's quota of a day is full again at midnight Pacific Time, not after seconds", () => {
  const details = (quotaId: string) => [
    { violations: [{ quotaId }] },
    { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34s" },
  ];
  const daily = {
    error: { details: details("GenerateRequestsPerDayPerProjectPerModel-FreeTier") },
  };
  const failure = failureOf("gemini", 429, daily);
  // The replies are of 1970-01-01T00:00:00Z: 16:00 in Los Angeles.
  assert.deepEqual([failure.class, failure.afterMs], ["wait", 8 * 3_600_000]);
  assert.match(failure.reason, /PerDay.*until midnight Pacific Time\.$/);
  const minute = { error: { details: details("GenerateRequestsPerMinutePerProject") } };
  assert.equal(failureOf("gemini", 429, minute).afterMs, 7_000); // its Retry-After
});

test("a reason is short, in one line, and holds no credential", () => {
  const message =
    "Incorrect API key provided: sk-proj-abc123DEF456. Bearer pplx-aaaaaaaaaa\n" +
    `xai-bbbbbbbbbbbb AIzaSyD-cccccccccc sk-ab***yz ${"x".repeat(1_000)}`;
  const { reason } = failureOf("openai", 401, { error: { code: "invalid_api_key", message } });
  assert.doesNotMatch(reason, /abc123|aaaaa|bbbbb|ccccc|\*\*|\n/);
  assert.equal(reason.length, 300);
  assert.match(reason, /^HTTP 401: invalid_api_key Incorrect API key provided: …/);
});

test("the words of DataForSEO are the reason", () => {
  const body = { status_code: 40_100, status_message: "You are not authorized to access it." };
  const { reason } = failureOf("dataforseo", 401, body);
  assert.equal(reason, "HTTP 401: You are not authorized to access it.");
});

test("a body that tells of no error has a reason too", () => {
  for (const body of ["", "<html>", "null", "[]", "7", '{"error":[]}', '{"error":{"message":7}}']) {
    const failure = failureOf("openai", 503, body);
    assert.equal(failure.reason, "HTTP 503: no reason is given");
  }
});
