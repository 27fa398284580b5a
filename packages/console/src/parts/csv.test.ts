import assert from "node:assert/strict";
import { test } from "node:test";
import { csvOf } from "./csv.ts";

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
    new TextDecoder("utf-8", { ignoreBOM: true }).decode(await csvOf(rows, "plain").arrayBuffer()),
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

test("CSV for a spreadsheet: semicolons, decimal commas, dates without letters", async () => {
  const rows = [
    ["name", "value", "at"],
    ["a;b,c", 0.25, "2026-11-24T00:00:00.000Z"],
    ["=1", -1e-7, "2026-11-24T08:30:05Z"],
    ["2026-11-24T08:30", true, null],
  ];
  assert.equal(
    new TextDecoder("utf-8", { ignoreBOM: true }).decode(await csvOf(rows, "excel").arrayBuffer()),
    "\ufeffname;value;at\r\n" +
      '"a;b,c";0,25;2026-11-24\r\n' +
      "'=1;-1e-7;2026-11-24 08:30:05\r\n" +
      "2026-11-24T08:30;true;\r\n",
  );
});
