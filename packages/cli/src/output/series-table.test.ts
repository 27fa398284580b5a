import assert from "node:assert/strict";
import { test } from "node:test";
import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { dailyReply } from "../../test/replies.ts";
import { seriesTable } from "./series-table.ts";
import { styled } from "./terminal.ts";
import { textWidth } from "./text-width.ts";

const plain = { width: 80, colour: false, isTerminal: true };

test("a row a series: null is a gap and never 0, names are made safe, columns align", () => {
  const reply = dailyReply({
    Acme: [0.25, null, 0.5, 1, 0.1251],
    "日本の\u001b[31mテント": [0, 0, null, null, 0],
    Globex: [null, null, null, null, null],
  });
  assert.deepEqual(seriesTable("mentions", reply, plain), [
    "How often the brand and each competitor are mentioned",
    "% of all answers, more is better; daily, 2026-01-01 to before 2026-01-06 (UTC)",
    "",
    "                               first   last    change    min     max",
    "Acme                    ▃ ▅█▂  25.0%  12.5%  -12.5 pp  12.5%  100.0%",
    "日本の\\u{1b}[31mテント  ▁▁  ▁   0.0%   0.0%    0.0 pp   0.0%    0.0%",
    "Globex                             –      –         –      –       –",
    "",
    "▁ 0.0% to █ 100.0%, a gap where nothing was measured",
  ]);
});

test("rank: places, less is better", () => {
  const reply = dailyReply({ Acme: [2, 1.5], Globex: [1, 2.25] });
  assert.deepEqual(seriesTable("rank", reply, plain), [
    "The mean place of the brand and each competitor in the order of first mention",
    "mean place, 1 is first, less is better; daily, 2026-01-01 to before 2026-01-03 (UTC)",
    "",
    "            first  last  change   min   max",
    "Acme    ▂▅   2.00  1.50   -0.50  1.50  2.00",
    "Globex  █▁   1.00  2.25   +1.25  1.00  2.25",
    "",
    "▁ 2.25 to █ 1.00, a gap where nothing was measured",
  ]);
});

test("colour says which change is for the better, and takes no room", () => {
  const coloured = { ...plain, colour: true };
  const reply = dailyReply({ Acme: [0.5, 0.25], Globex: [0.1, 0.9] });
  const rank = seriesTable("rank", reply, coloured).join("\n");
  assert.ok(rank.includes(styled(coloured, "green", " -0.25")), rank);
  assert.ok(rank.includes(styled(coloured, "red", " +0.80")), rank);
  const mentions = seriesTable("mentions", reply, coloured).join("\n");
  assert.ok(mentions.includes(styled(coloured, "red", "-25.0 pp")), mentions);
  assert.ok(mentions.includes(styled(coloured, "green", "+80.0 pp")), mentions);
  assert.equal(
    stripVTControlCharacters(rank).replaceAll(/ +$/gm, ""),
    seriesTable("rank", reply, plain).join("\n"),
  );
});

test("no series, no bucket, nothing measured", () => {
  assert.equal(seriesTable("mentions", dailyReply({}), plain).length, 4);
  const empty = seriesTable("mentions", dailyReply({ Acme: [] }), plain);
  assert.match(empty.at(-1) ?? "", /^Acme +–/);
});

test("rows are as wide as the terminal at most, from 60 columns on", () => {
  const name = fc.string({ unit: "binary", maxLength: 40 });
  const values = fc.array(fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: null }));
  const gaps = new Array<null>(10).fill(null);
  const widest = { "Acme Anvils": [1, ...gaps, 0], "Globex Works": [1, ...gaps, 1] };
  fc.assert(
    fc.property(
      fc.dictionary(name, values, { maxKeys: 5 }),
      fc.integer({ min: 60, max: 200 }),
      (series, width) => {
        const [, , , ...rows] = seriesTable("mentions", dailyReply(series), { ...plain, width });
        for (const row of rows) assert.ok(textWidth(row) <= width, row);
      },
    ),
    { numRuns: 20, examples: [[widest, 60]] },
  );
});
