import assert from "node:assert/strict";
import { test } from "node:test";
import { requestedWait, waitHeaders } from "./reply-failure.ts";

const at = Date.parse("2026-06-01T12:00:00.000Z");
const request = { method: "POST", host: "a.example", path: "/", isPaid: true } as const;

function waitOf(headers: Readonly<Record<string, string>>, error = {}): number | null {
  return requestedWait({ request, reply: { status: 429, headers, body: "" }, at }, error);
}

test("what vendors say of a wait, in milliseconds", () => {
  const said: readonly (readonly [Readonly<Record<string, string>>, number | null])[] = [
    [{ "retry-after": "20" }, 20_000],
    [{ "retry-after": "0.5" }, 500],
    [{ "retry-after": "Mon, 01 Jun 2026 12:01:00 GMT" }, 60_000],
    [{ "retry-after": "Mon, 01 Jun 2026 11:59:00 GMT" }, 0],
    [{ "retry-after": "soon" }, null],
    [{ "retry-after": "-5" }, null],
    [{ "retry-after": "99999999999" }, 86_400_000], // a day at most
    [{ "retry-after-ms": "250", "retry-after": "1" }, 250],
    [
      {
        "anthropic-ratelimit-requests-remaining": "0",
        "anthropic-ratelimit-requests-reset": "2026-06-01T12:00:30Z",
        "anthropic-ratelimit-tokens-remaining": "5000",
        "anthropic-ratelimit-tokens-reset": "2026-06-01T13:00:00Z",
      },
      30_000,
    ],
    [{ "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "6m0.5s" }, 360_500],
    [{ "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "120ms" }, 120],
    [{ "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "?" }, 0],
    [{ "x-ratelimit-remaining-requests": "3", "x-ratelimit-reset-requests": "1s" }, null],
    [{}, null],
  ];
  for (const [headers, wait] of said) assert.equal(waitOf(headers), wait, JSON.stringify(headers));
});

test("Google says it in the details of the error", () => {
  const info = { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.07s" };
  assert.equal(waitOf({}, { details: [{ "@type": "other" }, info] }), 34_070);
  assert.equal(waitOf({}, { details: [{ ...info, retryDelay: 34 }] }), null);
  assert.equal(waitOf({}, { details: "34s" }), null);
});

test("OpenAI says it in the message of the error; the longer wait counts", () => {
  const message = (wait: string) => ({
    message: `Rate limit reached for gpt-6.2-sol on requests per day (RPD): Limit 200. ${wait}`,
  });
  assert.equal(waitOf({}, message("Please try again in 7m12s. Visit https://a.example.")), 432_000);
  assert.equal(waitOf({}, message("Please try again in 1.5s.")), 1_500);
  assert.equal(waitOf({ "retry-after": "20" }, message("Please try again in 120ms.")), 20_000);
  assert.equal(waitOf({ "retry-after": "20" }, message("Please try again in 7m12s")), 432_000);
  assert.equal(waitOf({}, message("Please try again in a while.")), null);
  assert.equal(waitOf({}, { message: 7 }), null);
});

test("the header fields that a transport keeps are listed", () => {
  assert.equal(waitHeaders.length, 14);
  assert.ok(waitHeaders.every((name) => name === name.toLowerCase()));
});
