import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError, ConnectionError } from "@sightline/client";
import { faultText } from "./fault-text.ts";

test("a fault is said in words, without addresses of calls and pointers into bodies", () => {
  const detail = "/: cannot be read: the body ended. 500 answers were accepted before.";
  const refusal = { status: 400, code: null, detail, requestId: null, errors: [] };
  assert.equal(
    faultText(new ApiError({ ...refusal, retryAfter: undefined })),
    "Cannot be read: the body ended. 500 answers were accepted before.",
  );
  const lost = "No reply from /console/accounts/a/v1/insights/series: Failed to fetch.";
  assert.equal(
    faultText(new ConnectionError(lost)),
    "The service cannot be reached. Check your connection, and try again.",
  );
  assert.equal(
    faultText(new Error("/prompts/0/text: is required")),
    "/prompts/0/text: is required",
  );
  assert.equal(faultText("a text"), "A text");
});
