import { test } from "node:test";
import { assertRule } from "./rule.ts";
import { smallFileRule, smallFiles, smallFilesMax } from "./small-files.ts";
import { repository } from "./sources.ts";

assertRule(smallFileRule);

test("a number that has fallen is printed", (context) => {
  const count = smallFiles(repository()).length;
  if (count < smallFilesMax) context.diagnostic(`lower smallFilesMax to ${count}`);
});
