import assert from "node:assert/strict";
import { test } from "node:test";
import { csvOf } from "./save.ts";

test("CSV: quotes where they are needed, and nothing that a spreadsheet would run", async () => {
  const rows = [
    ["name", "value"],
    ['Stonewhit & "Pike", Ltd', 0.5],
    ["=HYPERLINK(1)", null],
    ["@a\nb", -1],
    [" =1", "\u00a0=1"],
    ["＝1", "＋1"],
    ["＠sum", "|calc"],
    ["\n=1", "\u200b-1"],
    ["a=1", "–"],
  ];
  assert.equal(
    new TextDecoder("utf-8", { ignoreBOM: true }).decode(await csvOf(rows).arrayBuffer()),
    "\ufeffname,value\r\n" +
      '"Stonewhit & ""Pike"", Ltd",0.5\r\n' +
      "'=HYPERLINK(1),\r\n" +
      '"\'@a\nb",-1\r\n' +
      "' =1,'\u00a0=1\r\n" +
      "'＝1,'＋1\r\n" +
      "'＠sum,'|calc\r\n" +
      "\"'\n=1\",'\u200b-1\r\n" +
      "a=1,–\r\n",
  );
});
