import assert from "node:assert/strict";
import { test } from "node:test";
import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { countedReply, type Days, dailyReply } from "../../test/replies.ts";
import { seriesPlot } from "./series-plot.ts";
import { textWidth } from "./text-width.ts";

const plain = { width: 60, colour: false, isTerminal: true };
const rising = Array.from({ length: 30 }, (_, day) => day / 29);

const counted = (series: Readonly<Record<string, Days>>, answers?: readonly number[]) =>
  countedReply(dailyReply(series), answers);

/** The chart's rows, without its heading and legend. */
const chartOf = (lines: readonly string[]) => lines.slice(3, 19);

test("axes, lines with their letters, a legend with the last values", () => {
  const reply = counted({ Acme: rising, "Globex\u202e": rising.map((value) => 1 - value) });
  assert.deepEqual(seriesPlot("mentions", reply, plain), [
    "How often the brand and each competitor are mentioned",
    "% of all answers, more is better; daily, 2026-01-01 to before 2026-01-31 (UTC)",
    "",
    "100.0% ┤⠑⠢⢄⡀                                            ⢀⡠⠔A",
    "       │   ⠈⠢B                                        ⡠⠔⠁",
    "       │      ⠉⠢⢄⡀                                ⢀⡠⠔⠉",
    "       │         ⠈⠑⠤⣀                          ⣀⠤⠊⠁",
    " 75.0% ┤             ⠉⠢⣀                    ⣀⠔⠉",
    "       │                ⠑⠢⢄⡀            ⢀⡠⠔⠊",
    "       │                   ⠈⠒⠤⣀      ⣀⠤⠒⠁",
    "       │                       ⠑⠢⢄⡠⠔⠊",
    " 50.0% ┤                       ⣀⠤A⠑⠤⣀",
    "       │                   ⢀⡠⠔⠉      ⠉B⢄⡀",
    "       │                ⣀⠤⠊⠁            ⠈⠑⠤⣀",
    " 25.0% ┤             ⣀⠔⠊                    ⠑⠢⣀",
    "       │         ⢀⡠⠔⠊                          ⠑⠢⢄⡀",
    "       │      ⣀⠤⠒⠁                                ⠈⠒⠤⣀",
    "       │   ⢀⠤⠊                                        ⠑⠤⡀",
    "  0.0% ┤A⠤⠊⠁                                            ⠈⠑⠤B",
    "       └────────────────────────────────────────────────────",
    "        2026-01-01          2026-01-15            2026-01-30",
    "",
    "A Acme 100.0%   B Globex\\u{202e} 0.0%",
    "n = 1,200 answers, 40 a point",
  ]);
});

test("places: the first is on top", () => {
  const reply = counted({ Acme: [1, 1, 1, 1], Globex: [3, 3, 3, 3] });
  const rows = chartOf(seriesPlot("rank", reply, plain));
  assert.match(rows[0] ?? "", /^1\.00 ┤.*A$/);
  assert.match(rows.at(-1) ?? "", /^3\.00 ┤.*B$/);
});

test("null breaks a line, and a value alone is a dot", () => {
  const chart = chartOf(
    seriesPlot("mentions", counted({ Acme: [1, 1, null, 1, null, null, 1] }), plain),
  );
  assert.match(chart[0] ?? "", /^100\.0% ┤[^ ]+ {2,}[^ ] +A$/);
  assert.equal(
    chart
      .slice(1)
      .join("")
      .replaceAll(/[^\u2801-\u28ff]/g, ""),
    "",
  );
});

test("points of fewer than five answers are hollow, the last one in the legend", () => {
  const rates = { Acme: [1, 1, 0.5, 1, 1], Globex: [0, 0, null, 0, 0] };
  const lines = seriesPlot("mentions", counted(rates, [900, 4, 5, 1, 3]), plain);
  const chart = chartOf(lines);
  assert.match(chart[0] ?? "", /^100\.0% ┤A[^○]+○[^○]+○[^○]+A$/);
  assert.match(chart.at(-1) ?? "", /^ {2}0\.0% ┤[^○]+○[^○]+○[^○]+B$/);
  assert.deepEqual(lines.slice(-3), [
    "A Acme 100.0% ○   B Globex 0.0% ○",
    "n = 913 answers, 1 to 900 a point",
    "○ fewer than 5 answers: such points vary widely by chance",
  ]);
});

test("a partial bucket is hollow, and named below", () => {
  const { series, ...reply } = counted({ Acme: [0.5, 0.5, 0.25] });
  const of = [3, 7, 2.5];
  const partial = series.map((each) => {
    const data = each.data.map((point, index) => ({ ...point, covered: of[index] ?? 0, days: 7 }));
    return { ...each, data };
  });
  const lines = seriesPlot("mentions", { ...reply, interval: "weekly", series: partial }, plain);
  assert.equal(chartOf(lines).join("").match(/◌/g)?.length, 1);
  assert.ok(lines.includes("A Acme 25.0% ◌"), lines.join("\n"));
  assert.equal(lines.at(-1), "◌ 2026-01-01: 3 of 7 days; 2026-01-03: 2.5 of 7 days");
});

test("of places, the mentions of each count; of nothing, none", () => {
  const places = counted({ Acme: [1, 1], Globex: [2, null] }, [12, 7]);
  assert.equal(seriesPlot("rank", places, plain).at(-1), "n = 31 mentions, 7 to 12 a point");
  const nothing = counted({ Acme: [null, null] });
  assert.equal(seriesPlot("mentions", nothing, plain).at(-1), "n = 0 answers");
});

test("with and without colour it is the same picture", () => {
  const reply = counted({ Acme: rising, Globex: rising.toReversed(), C: [0.5, null, 0.2] });
  const coloured = seriesPlot("mentions", reply, { ...plain, colour: true }).join("\n");
  assert.ok(coloured.includes("\u001b[36m"));
  assert.equal(stripVTControlCharacters(coloured), seriesPlot("mentions", reply, plain).join("\n"));
});

test("any reply fits the terminal", () => {
  const values = fc.array(fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: null }));
  const names = fc.string({ unit: "binary", maxLength: 30 });
  fc.assert(
    fc.property(
      fc.dictionary(names, values, { maxKeys: 60 }),
      fc.integer({ min: 40, max: 160 }),
      (series, width) => {
        const [, , , ...lines] = seriesPlot("mentions", counted(series), { ...plain, width });
        for (const line of lines) assert.ok(textWidth(line) <= width, line);
      },
    ),
    { numRuns: 20 },
  );
});
