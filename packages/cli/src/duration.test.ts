import assert from "node:assert/strict";
import { test } from "node:test";
import { durationOf } from "./option-values.ts";

const known: readonly (readonly [text: string, ms: number])[] = [
  ["1s", 1_000],
  ["90m", 5_400_000],
  ["12h", 43_200_000],
  ["90d", 7_776_000_000],
  ["2w", 1_209_600_000],
];

for (const [text, ms] of known) {
  test(`a duration: ${text}`, () => assert.equal(durationOf(text), ms));
}

for (const text of ["", "0d", "90", "d", "-1d", "1.5d", "1 d", "1D", "1y", "1234567d"]) {
  test(`no duration: ${JSON.stringify(text)}`, () => {
    assert.throws(() => durationOf(text), {
      name: "CommandError",
      exitStatus: 2,
      message:
        `Invalid duration ${JSON.stringify(text)}. ` +
        "Use a number above 0 followed by s, m, h, d or w, for example 90d.",
    });
  });
}
