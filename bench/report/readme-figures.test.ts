import assert from "node:assert/strict";
import { test } from "node:test";
import { thisMachine } from "../measure/machine.ts";
import type { BoardResult } from "./results.ts";
import { withFigures } from "./written-results.ts";

const timing = { medianMs: 40, p99Ms: 60, times: 30 };
const board: BoardResult = {
  part: "board",
  workload: "M",
  machine: thisMachine(),
  panels: ["mentions daily", "sources by url"],
  versions: { postgres: "15" },
  fresh: timing,
  ranges: [{ days: 90, ours: timing, peers: { postgres: { ...timing, medianMs: 1_000 } } }],
  people: 8,
  boardsPerSecond: 31.25,
  singles: [{ workload: "M", connections: 8, perSecond: 200, timing }],
};
const readme = "# A\n\n<!-- bench:begin -->\nbefore\n<!-- bench:end -->\n\nMore.\n";

test("the figures replace what stands between the marks, and nothing else", () => {
  const written = withFigures(readme, [board]);
  assert.match(written, /^# A\n\n<!-- bench:begin -->\n/);
  assert.match(written, /\n<!-- bench:end -->\n\nMore\.\n$/);
  assert.doesNotMatch(written, /before/);
  assert.match(written, /\| warm, 90 days \| 40\.0 ms \| 1000 ms \| 25\.0 \|/);
  assert.equal(withFigures(written, [board]), written);
});

test("without a measured board the README stays as it is", () => {
  assert.equal(withFigures(readme, []), readme);
});

test("a README without the marks is refused", () => {
  assert.throws(() => withFigures("# A\n", [board]), /README\.md lacks/);
});
