import { test } from "node:test";
import { assertRule } from "./rule.ts";
import { fileLinesAim, lineCount, sizeRules } from "./sizes.ts";
import { isTest, isTypeScript, repository } from "./sources.ts";

for (const rule of sizeRules) assertRule(rule);

test("files above the aim are printed", (context) => {
  for (const { path, text } of repository().sources) {
    if (!isTypeScript(path) || isTest(path) || lineCount(text) <= fileLinesAim) continue;
    context.diagnostic(`${path} has ${lineCount(text)} lines; aim below ${fileLinesAim}`);
  }
});
