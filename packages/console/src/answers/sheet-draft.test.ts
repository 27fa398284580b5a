import assert from "node:assert/strict";
import { test } from "node:test";
import { SheetFile } from "@sightline/sheets/sheet-file";
import {
  csvOf,
  peecColumns,
  peecRows,
  profoundColumns,
  profoundRow,
} from "@sightline/test-kit/foreign-exports.ts";
import { draftOf, formatOf, mappingOf, missingOf, proposedOf } from "./sheet-draft.ts";

/** What the wizard makes of a file whose reader presses nothing but Next. */
async function wizard(text: string) {
  const file = new SheetFile(new Blob([text]));
  const opened = await file.open();
  const head = await file.head(formatOf(opened));
  const draft = draftOf(formatOf(opened), head, proposedOf(opened));
  return { file, head, draft, missing: missingOf(draft) };
}

test("an export of a known tool is filled in, and leaves nothing to ask", async () => {
  const { file, head, draft, missing } = await wizard(csvOf(profoundColumns, [profoundRow]));
  assert.deepEqual([head.source?.title, missing], ["Profound", []]);
  assert.equal(draft.fields.filter((field) => field === "citations").length, 48);
  const { questions, preview } = await file.read(mappingOf(draft), draft.edits, null);
  assert.deepEqual(questions, []);
  const { answeredAt, citations, region, metadata } = JSON.parse(preview[0]?.line ?? "{}");
  assert.deepEqual(
    [answeredAt, citations.length, region, metadata.run_id],
    ["2026-11-02T12:00:00Z", 48, "US", "r1"],
  );
});

test("a table without answers is recognized, and has no mapping", async () => {
  const { head, draft } = await wizard(csvOf(peecColumns, peecRows));
  assert.deepEqual([head.source?.title, head.source?.mapping], ["Peec", null]);
  assert.equal(draft.source, null);
});
