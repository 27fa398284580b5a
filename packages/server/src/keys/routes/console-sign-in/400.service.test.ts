import assert from "node:assert/strict";
import { test } from "node:test";
import { fromConsole, signIn } from "@sightline/test-kit/console-page.ts";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { sharedSample } from "@sightline/test-kit/shared-sample.ts";

test("a body that is neither a key nor a code is refused", async () => {
  const { service } = await sharedSample();
  const bodies = ["{}", "[]", "null", '{"key":1}', '{"key":"a","code":"b"}', '{"key":"a","x":1}'];
  for (const body of bodies) assertProblem(await signIn(service, body), "invalid_request");
  assertProblem(await signIn(service, "{"), "malformed_json");
  const { errors } = assertProblem(await signIn(service, "{}"), "invalid_request");
  assert.deepEqual(
    errors?.map(({ path, message }) => [path, message]),
    [["", "must have either key or code."]],
  );
  const form = { ...fromConsole, "content-type": "application/x-www-form-urlencoded" };
  assertProblem(await signIn(service, "key=a", form), "unsupported_media_type");
});
