import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { lifeMsOf } from "./credentials.ts";

const token = (claims: unknown): string =>
  `e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.c2ln`;

test("a session's life is the time from iat to exp", () => {
  assert.equal(lifeMsOf(token({ iat: 1_700_000_000, exp: 1_700_000_600 })), 600_000);
  // base64url has signs that base64 lacks, and claims may hold any text
  assert.equal(lifeMsOf(token({ sub: "ÿþ?>~~~ü", iat: 5, exp: 65 })), 60_000);
});

test("a token that does not tell lives until it is refused", () => {
  const never = Number.POSITIVE_INFINITY;
  const silent = [{}, { iat: 5 }, { exp: 5 }, { iat: 9, exp: 5 }, { iat: "a", exp: 5 }, null, []];
  for (const claims of silent) assert.equal(lifeMsOf(token(claims)), never);
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      assert.ok(lifeMsOf(text) > 0);
    }),
  );
});
