import assert from "node:assert/strict";
import { test } from "node:test";
import { errorCodes } from "@sightline/contract";
import fc from "fast-check";
import * as client from "../src/index.ts";
import {
  ApiError,
  InvalidRequestError,
  SightlineError,
  UnexpectedReplyError,
} from "../src/index.ts";
import {
  exchanging,
  problem,
  question,
  refusal,
  rejection,
  type ScriptedReply,
  ScriptedService,
} from "./scripted-service.ts";

/** The error of a call whose question gets this reply, without any retry. */
async function errorOf(
  t: Parameters<typeof ScriptedService.start>[0],
  reply: ScriptedReply,
): Promise<unknown> {
  const service = await ScriptedService.start(t, () => reply);
  const { analytics } = service.client({ session: "given", retriesMax: 0 });
  return rejection(service.run(analytics.mentions(question)));
}

test("every code of the contract has the class of its status", async (t) => {
  const found = new Map<string, string>();
  for (const [code, { status }] of Object.entries(errorCodes)) {
    const error = await errorOf(t, refusal(status, code, status === 429 ? 5 : undefined));
    assert.ok(error instanceof ApiError && error instanceof SightlineError);
    assert.deepEqual([error.status, error.code], [status, code]);
    assert.ok(
      Object.values<unknown>(client).includes(error.constructor),
      `${code} is not exported`,
    );
    assert.equal(error.constructor.name, error.name);
    found.set(code, error.name);
  }
  assert.deepEqual(Object.fromEntries(found), {
    malformed_json: "InvalidRequestError",
    invalid_request: "InvalidRequestError",
    malformed_http: "InvalidRequestError",
    session_required: "UnauthorizedError",
    session_invalid: "UnauthorizedError",
    key_invalid: "UnauthorizedError",
    origin_not_allowed: "ForbiddenError",
    scope_missing: "ForbiddenError",
    not_from_console: "ForbiddenError",
    not_found: "NotFoundError",
    answer_not_found: "NotFoundError",
    method_not_allowed: "MethodNotAllowedError",
    request_timeout: "RequestTimeoutError",
    collection_off: "ConflictError",
    precondition_failed: "PreconditionFailedError",
    payload_too_large: "PayloadTooLargeError",
    unsupported_media_type: "UnsupportedMediaTypeError",
    host_not_allowed: "MisdirectedRequestError",
    rate_limited: "RateLimitError",
    quota_exhausted: "QuotaExhaustedError",
    headers_too_large: "HeadersTooLargeError",
    internal_error: "InternalError",
    storage_full: "StorageFullError",
    facts_not_ready: "OverloadedError",
    overloaded: "OverloadedError",
    deadline_exceeded: "OverloadedError",
    shutting_down: "OverloadedError",
  });
});

test("an error holds all that the problem says", async (t) => {
  const errors = [{ path: "/filters/providers/0", code: "not_allowed", message: "got GPT" }];
  const body = problem(400, "invalid_request", { requestId: "req_1", errors });
  const error = await errorOf(t, { status: 400, body });

  assert.ok(error instanceof InvalidRequestError);
  const { status, code, detail, requestId, retryAfter } = error;
  assert.deepEqual(
    { status, code, detail, requestId, retryAfter, errors: error.errors },
    {
      status: 400,
      code: "invalid_request",
      detail: "It is so.",
      requestId: "req_1",
      retryAfter: undefined,
      errors,
    },
  );
  assert.equal(
    error.message,
    "400 invalid_request: It is so. (request req_1)\n  /filters/providers/0: got GPT",
  );
});

test("a proxy's page is not a problem document, and is not shown", async (t) => {
  const body = "<h1>Forbidden</h1>";
  const error = await errorOf(t, { status: 402, body, headers: { "x-request-id": "abc" } });

  assert.ok(error instanceof ApiError);
  assert.equal(error.name, "ApiError");
  const { status, code, requestId, errors } = error;
  assert.deepEqual(
    { status, code, requestId, errors },
    { status: 402, code: null, requestId: "abc", errors: [] },
  );
  assert.equal(error.message, "402 without a code: The reply does not say why. (request abc)");
});

const notReplies: Readonly<Record<string, ScriptedReply>> = {
  "a page": { status: 200, body: "<h1>Log in</h1>" },
  nothing: { status: 204 },
  "a number": { status: 200, body: "1" },
  "a redirect": { status: 307, headers: { location: "https://elsewhere.example/" } },
};
for (const [what, reply] of Object.entries(notReplies)) {
  test(`${what} in place of a reply is an error, and no token goes elsewhere`, async (t) => {
    assert.ok((await errorOf(t, reply)) instanceof UnexpectedReplyError);
  });
}

test("no text of a reply can steer a terminal", async (t) => {
  let body = {};
  const service = await ScriptedService.start(
    t,
    exchanging(() => ({ status: 400, body })),
  );
  const { analytics } = service.client();
  const steering = fc.string({
    unit: fc.constantFrom("\x1b", "\x9b", "\r", "\u202e", "[31m", "a"),
  });
  await fc.assert(
    fc.asyncProperty(steering, fc.jsonValue(), async (text, value) => {
      const errors = [{ path: text, code: text, message: text }, value];
      body = { detail: text, code: text, requestId: value, errors };
      const error = await rejection(service.run(analytics.mentions(question)));
      assert.ok(error instanceof ApiError);
      const shown = JSON.stringify([error.detail, error.code, error.requestId, error.errors]);
      // Line breaks in the message are the client's own.
      const printed = `${shown}${error.message.replaceAll("\n  ", "")}`;
      assert.doesNotMatch(printed, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|\\u00[019]/u);
      assert.ok(error.message.length < 400_000);
    }),
    { numRuns: 200 },
  );
});
