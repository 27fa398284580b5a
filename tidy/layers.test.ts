import assert from "node:assert/strict";
import { test } from "node:test";
import { importRules } from "./import-rules.ts";
import { layerOf, layers } from "./layers.ts";
import { assertRule } from "./rule.ts";
import { importsOf, parse } from "./syntax.ts";

for (const rule of importRules) assertRule(rule);

test("the table has no cycle", () => {
  const visit = (name: string, way: readonly string[]): void => {
    assert.ok(!way.includes(name), [...way, name].join(" → "));
    for (const each of layers[name] ?? []) visit(each, [...way, name]);
  };
  for (const name of Object.keys(layers)) visit(name, []);
});

test("files belong to their package, and in the server to their folder", () => {
  assert.equal(layerOf("packages/contract/src/a/b.ts"), "contract");
  assert.equal(layerOf("packages/server/src/server.ts"), "server");
  assert.equal(layerOf("packages/server/src/facts/main.ts"), "server/facts");
  assert.equal(layerOf("packages/server/vite.config.ts"), undefined);
  assert.equal(layerOf("tidy/layers.ts"), undefined);
});

test("imports are found in each of their forms", () => {
  const text = `import "a";
import type { B } from "b";
import { type C } from "c";
export * from "d";
export type { E } from "e";
const f = await import("f");
type G = import("g").G;
const h = 'import "h"'; // import "h"`;
  const file = parse([{ path: "a.ts", text }]).get("a.ts");
  assert.ok(file);
  assert.deepEqual(importsOf(file), [
    { specifier: "a", line: 1, typeOnly: false },
    { specifier: "b", line: 2, typeOnly: true },
    { specifier: "c", line: 3, typeOnly: false },
    { specifier: "d", line: 4, typeOnly: false },
    { specifier: "e", line: 5, typeOnly: true },
    { specifier: "f", line: 6, typeOnly: false },
    { specifier: "g", line: 7, typeOnly: true },
  ]);
});
