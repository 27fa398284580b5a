import assert from "node:assert/strict";
import { test } from "node:test";
import { archive, serialOf, workbook } from "@sightline/test-kit/workbook-file.ts";
import { allOf } from "../test/files.ts";
import { sheetNames, WorkbookError, workbookRows } from "./workbook.ts";

async function cellsOf(bytes: Uint8Array, sheet: string) {
  const rows = await allOf(workbookRows(bytes, sheet));
  return rows.map(({ number, cells }) => [number, ...cells]);
}

const refused = (bytes: Uint8Array, message: RegExp) =>
  assert.rejects(sheetNames(bytes), (error) => {
    assert.ok(error instanceof WorkbookError, String(error));
    assert.match(error.message, message);
    return true;
  });

test("cells are what their reader sees, with dates as clocks show them", async () => {
  const bytes = workbook([
    {
      name: "A & B",
      rows: [
        ["a", null, 12.5, ""],
        [],
        [
          { serial: serialOf("2026-11-10T09:30:00") },
          { serial: serialOf("2026-11-10T00:00:00") },
          { serial: 0.395833333333333 },
          { serial: serialOf("2026-11-10T23:59:59") },
        ],
      ],
    },
    { name: "Hidden", rows: [["x"]], isHidden: true },
  ]);
  assert.deepEqual(await sheetNames(bytes), ["A & B"]);
  const cells = await cellsOf(bytes, "A & B");
  assert.deepEqual(
    cells.filter(([, ...each]) => each.length > 0),
    [
      [1, "a", "", "12.5"],
      [3, "2026-11-10T09:30:00", "2026-11-10", "09:30:00", "2026-11-10T23:59:59"],
    ],
  );
});

test("what is too large, or not a workbook, is refused before it is unpacked", async () => {
  await refused(new Uint8Array(Buffer.from("PK\x03\x04 and nothing else")), /cut off/);
  await refused(new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 1, 2, 3, 4]), /Excel 97/);
  const bytes = workbook([{ name: "A", rows: [["a"]] }]);
  await refused(bytes.subarray(0, bytes.length - 30), /cut off/);
  const huge = "xl/worksheets/sheet1.xml";
  const large = archive([{ path: huge, text: "a", declaredBytes: 200 * 1024 * 1024 }]);
  await refused(large, /larger than 192 MiB unpacked. Save the sheet as CSV/);
  await refused(archive([{ path: huge, text: "a".repeat(999), declaredBytes: 0 }]), /larger than/);
  await refused(archive([{ path: huge, text: "a" }]), /cannot be read.*Save it as \.xlsx again/);
});

test("a part that is larger than the archive says is not unpacked", async () => {
  const parts = [
    ...["[Content_Types].xml", "_rels/.rels", "xl/workbook.xml"].map((path) => ({
      path,
      text: " ".repeat(50_000_000),
      declaredBytes: 10,
    })),
  ];
  await refused(archive(parts), /cannot be read/);
});
