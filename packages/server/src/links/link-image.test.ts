import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { imageOfCourse, type LinkImage } from "./link-image.ts";

const id = "aaaaaaaa-0000-4000-8000-000000000001";

function series(name: string, values: readonly (number | null)[]): LinkImage["series"][number] {
  const data = values.map((value, day) => ({
    timestamp: new Date(Date.UTC(2026, 0, 1 + day)).toISOString(),
    value,
    numerator: Math.round((value ?? 0) * 10),
    denominator: value === null ? 0 : 10,
    interval: null,
    empty: value === null,
    covered: 1,
    days: 1,
  }));
  return { id, name, data };
}

const image: LinkImage = {
  title: "Visibility",
  sentences: ["Last 7 days: 2026-01-01 to 2026-01-07 (UTC)."],
  foot: "Live: answers up to 2026-01-07 12:00 UTC.",
  metric: { title: "Mentions", unit: "fraction" },
  series: [series("Acme", [0.2, null, 0.4, 0.5])],
};

/** The elements of a text of XML in order; throws unless each is closed where it must be. */
function elementsOf(xml: string): readonly string[] {
  const open: string[] = [];
  const found: string[] = [];
  const token =
    /<\?xml [^?]*\?>|<\/([\w]+)>|<([\w]+)((?: [\w-]+="[^"<&]*")*)(\/?)>|([^<&]|&\w+;|&#\d+;)+/gy;
  while (token.lastIndex < xml.length) {
    const at = token.lastIndex;
    const match = token.exec(xml);
    assert.ok(match !== null, `not XML at ${at}: ${xml.slice(at, at + 60)}`);
    const [, closed, opened, , isEmpty] = match;
    if (closed !== undefined) assert.equal(open.pop(), closed);
    if (opened === undefined) continue;
    found.push(opened);
    if (isEmpty !== "/") open.push(opened);
  }
  assert.deepEqual(open, []);
  return found;
}

const allowed = ["svg", "title", "desc", "style", "rect", "text", "line", "polyline", "circle"];

test("whatever names there are, the picture is XML with nothing that acts", () => {
  const hostile = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom(
      "</text><script>alert(1)</script>",
      "]]>",
      "&lt;",
      '" onload="x',
      "\u0000\ufffe",
    ),
  );
  const values = fc.array(fc.option(fc.double({ min: 0, max: 1, noNaN: true })), { maxLength: 9 });
  fc.assert(
    fc.property(hostile, hostile, fc.array(values, { maxLength: 9 }), (title, name, all) => {
      const svg = imageOfCourse({
        ...image,
        title,
        sentences: [name],
        foot: name,
        series: all.map((each) => series(name, each)),
      });
      for (const element of elementsOf(svg)) assert.ok(allowed.includes(element), element);
      assert.doesNotMatch(svg, /NaN|Infinity|undefined/);
    }),
  );
});

test("a gap is a gap, and a value between gaps is a dot", () => {
  const svg = imageOfCourse(image);
  assert.equal(svg.match(/<polyline /g)?.length, 1);
  assert.equal(svg.match(/<circle /g)?.length, 1);
  assert.match(svg, /Live: answers up to 2026-01-07 12:00 UTC\. n = 30\.</);
});

test("the brand and the four strongest competitors are drawn", () => {
  const others = [0.1, 0.9, 0.3, 0.8, 0.7, 0.2].map((value, index) => {
    return series(`Competitor ${index}`, [value, value]);
  });
  const svg = imageOfCourse({ ...image, series: [series("Acme", [0, 0]), ...others] });
  const names = [...svg.matchAll(/<text class="name"[^>]*>([^<]+)</g)].map(([, text]) => text);
  assert.deepEqual(names, [
    "Acme 0 %",
    "Competitor… 90 %",
    "Competitor… 80 %",
    "Competitor… 70 %",
    "Competitor… 30 %",
  ]);
  assert.equal(svg.match(/<polyline /g)?.length, 5);
});

test("the first place is on top", () => {
  const metric = { title: "Rank", unit: "place" } as const;
  const svg = imageOfCourse({ ...image, metric, series: [series("Acme", [1, 3])] });
  const [, first, last] = /points="[\d.]+,([\d.]+) [\d.]+,([\d.]+)"/.exec(svg) ?? [];
  assert.ok(Number(first) < Number(last), svg);
});
