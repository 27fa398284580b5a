import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const source = join(import.meta.dirname, "..");

/** Small print, text, titles of parts, and figures with titles of pages. */
const scale = ["small", "body", "title", "figure"].map((name) => `var(--type-${name})`);
const lineHeights = ["16px", "18px", "20px", "22px", "24px", "36px"];

/** The declarations of a property in all style sheets, each with its file. */
function declared(property: string): readonly (readonly [file: string, value: string])[] {
  const files = readdirSync(source, { recursive: true, encoding: "utf8" });
  return files
    .filter((path) => path.endsWith(".css"))
    .flatMap((path) => {
      const rules = readFileSync(join(source, path), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
      const found = rules.matchAll(new RegExp(`(?:^|[{;\\s])${property}:\\s*([^;}]+)`, "g"));
      return [...found].map(([, value = ""]) => [path, value.trim()] as const);
    });
}

test("texts have the four sizes of the scale", () => {
  const sizes = declared("font-size");
  assert.ok(sizes.length > 40);
  const others = sizes.filter(([, value]) => value !== "inherit" && !scale.includes(value));
  assert.deepEqual(others, []);
  const fonts = declared("font").filter(([, value]) => value !== "inherit");
  assert.ok(
    fonts.every(([, value]) => scale.some((size) => value.includes(size))),
    `${fonts}`,
  );
});

test("lines have one of a few heights", () => {
  const others = declared("line-height").filter(
    ([, value]) => value !== "0" && !lineHeights.includes(value),
  );
  assert.deepEqual(others, []);
});
