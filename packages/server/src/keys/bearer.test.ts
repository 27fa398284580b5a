import assert from "node:assert/strict";
import { test } from "node:test";
import { hostileFields } from "@sightline/test-kit/requests/hostile-fields.ts";
import { bearerToken } from "./bearer.ts";

test("the credential of a Bearer field, null without a field, undefined for another form", () => {
  const cases: readonly (readonly [string | undefined, string | null | undefined])[] = [
    [undefined, null],
    ["Bearer a.b-c_d~e+f/g:h==", "a.b-c_d~e+f/g:h=="],
    ["bearer a", "a"],
    ["BEARER    a   ", "a"],
    ["", undefined],
    ["Bearer", undefined],
    ["Bearer ", undefined],
    ["Bearer =", undefined],
    ["Bearer a=b", undefined],
    ["Bearer a b", undefined],
    ["Bearer a, Bearer b", undefined],
    ["Bearera", undefined],
    [" Bearer a", undefined],
    ["Bearer\ta", undefined],
    ["Bearer ä", undefined],
    ["Bearer a\n", undefined],
    ["Bearer a\0", undefined],
    ['Bearer "a"', undefined],
    ["Basic YTpi", undefined],
  ];
  for (const [field, token] of cases) assert.equal(bearerToken(field), token, String(field));
});

test("a hostile field of 16 KiB is not a token", () => {
  assert.deepEqual(hostileFields.map(bearerToken), [...hostileFields.map(() => undefined)]);
});
