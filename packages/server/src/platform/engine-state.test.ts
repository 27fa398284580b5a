import assert from "node:assert/strict";
import { test } from "node:test";
import { hostOf } from "./engine-state.ts";

test("an engine is named with the port that its address leads to", () => {
  const found = ["http://c", "https://u:p@c:443/db", "https://[::1]:8443", "postgres://p/db"]
    .concat("postgresql://p", "redis://r", "rediss://:p@r:6380/1")
    .map((url) => hostOf(url));
  const expected = ["c:80", "c:443", "[::1]:8443", "p:5432", "p:5432", "r:6379", "r:6380"];
  assert.deepEqual(found, expected);
});
