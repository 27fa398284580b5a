import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { explanations } from "./explanations.ts";
import { metricOrder } from "./names.ts";

const source = join(import.meta.dirname, "..");
const docs = join(source, "../../../docs");
const all = Object.entries(explanations);

/** What the guide's pages call a heading in an address. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, "")
    .replace(/\s+/g, "-");

test("every metric has an explanation, and so has the share of voice", () => {
  for (const name of [...metricOrder, "shareOfVoice"]) assert.ok(name in explanations, name);
});

test("an explanation is short, has an example, and leads to a part of the guide", () => {
  for (const [name, { title, text, example, guide }] of all) {
    assert.ok(title.length <= 24, name);
    assert.ok(text.length >= 40 && text.length <= 240, `${name}: ${text.length} letters`);
    assert.ok(example.length >= 20 && example.length <= 200, `${name}: ${example.length} letters`);
    assert.match(text, /[.]$/, name);
    const [page = "", part] = guide.split("#");
    const path = join(docs, `${page}.md`);
    assert.ok(existsSync(path), `${name}: ${page}`);
    const headings = [...readFileSync(path, "utf8").matchAll(/^#+ (.*)$/gm)];
    const anchors = headings.map(([, heading = ""]) => anchorOf(heading));
    if (part !== undefined) assert.ok(anchors.includes(part), `${name}: ${guide}`);
  }
});

test("every explanation is shown, and what cannot be read without a pointer is not", () => {
  const components = readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".tsx"))
    .map((path) => readFileSync(join(source, path), "utf8"))
    .join("\n");
  const shown = new Set([...components.matchAll(/explained: "(\w+)"/g)].map(([, name]) => name));
  for (const [name] of all) {
    const isMeasure = metricOrder.some((each) => each === name) || name === "shareOfVoice";
    assert.ok(isMeasure || shown.has(name), `${name} explains nothing`);
  }
});
