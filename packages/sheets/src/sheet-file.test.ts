import assert from "node:assert/strict";
import { test } from "node:test";
import { workbook } from "@sightline/test-kit/workbook-file.ts";
import { saved } from "../test/files.ts";
import type { SheetMapping } from "./index.ts";
import { SheetFile } from "./sheet-file.ts";

const german =
  "Frage;Anbieter;Datum;Antwort\r\n" +
  "Welcher Amboss?;ChatGPT;10.11.2026 09:30;Größe\r\n" +
  "Welcher Amboss?;Googel;11.11.2026 09:30;b\r\n" +
  "Welcher Hammer?;Claude;bald;c\r\n";
const file = (text: string) => new SheetFile(new Blob([saved(text, "windows-1252")]));
const format = { encoding: "windows-1252", separator: ";" } as const;
const mapping: SheetMapping = {
  ...format,
  headerRow: 1,
  columns: { prompt: "A", provider: "B", answeredAt: "C", text: "D" },
};

test("a file says what it seems to be, and its first rows", async () => {
  const sheet = file(german);
  assert.deepEqual(await sheet.open(), {
    kind: "text",
    sheets: [],
    encoding: { value: "windows-1252", isCertain: false },
    separator: { value: ";", isCertain: true },
  });
  const { rows, header, columns } = await sheet.head(format);
  assert.deepEqual([rows.length, header], [4, { value: 1, isCertain: true }]);
  assert.deepEqual(columns, { prompt: 0, provider: 1, answeredAt: 2, text: 3 });
  const names = [{ name: "Antworten", rows: [["a"]] }];
  const { sheets, kind } = await new SheetFile(new Blob([workbook(names)])).open();
  assert.deepEqual([kind, sheets], ["workbook", ["Antworten"]]);
});

test("bytes that are not UTF-8 are noticed wherever they are", async () => {
  const late = new Blob([
    saved(`a;b\n${"1;2\n".repeat(100_000)}`, "utf-8"),
    new Uint8Array([0xe4]),
  ]);
  const { encoding } = await new SheetFile(late).open();
  assert.deepEqual(encoding, { value: "windows-1252", isCertain: false });
});

test("what is open is asked first; then answers, faults and prompts are told", async () => {
  const sheet = file(german);
  const asked = await sheet.read(mapping, new Map(), []);
  assert.deepEqual(asked.questions, [
    { about: "dateOrder", example: "10.11.2026 09:30" },
    { about: "timeZone", example: "10.11.2026 09:30" },
    { about: "providerName", name: "Googel", rows: 1 },
  ]);
  const said: SheetMapping = {
    ...mapping,
    dateOrder: "dmy",
    timeZone: "UTC",
    providers: { Googel: "GEMINI" },
  };
  const read = await sheet.read(said, new Map(), ["Welcher Amboss?"]);
  assert.deepEqual([read.answersCount, read.rejectedCount, read.unknownPrompts], [2, 1, []]);
  assert.deepEqual([...read.rowNumbers], [2, 3]);
  assert.deepEqual(
    read.rejected.flatMap(({ faults }) => faults.map(({ row, place, cell }) => [row, place, cell])),
    [[4, 2, "bald"]],
  );
  const edits = new Map([[4, new Map([[2, "12.11.2026 09:30"]])]]);
  const whole = await sheet.read(said, edits, ["Welcher Amboss?"]);
  assert.deepEqual([whole.answersCount, whole.rejectedCount], [3, 0]);
  assert.deepEqual(whole.unknownPrompts, [{ text: "Welcher Hammer?", topics: [], tags: [] }]);
  const lines = (await whole.content.text()).trimEnd().split("\n");
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as { text: string }).text),
    [...["Größe", "b", "c"]],
  );
  assert.deepEqual(
    whole.preview.map(({ line }) => line),
    lines,
  );
});

test("untracked prompts have topics and tags, which are no part of answers", async () => {
  const rows = [
    "Frage;Anbieter;Datum;Antwort;Thema;Quelle;Schlagworte",
    ...["Hammer?;Grok;2026-11-10;a;Werkzeug;;kauf, haus", "Hammer?;Grok;2026-11-11;a;Werkzeug;;"],
    "Zelt?;Grok;2026-11-12;a;Camping;https://a.example;kauf",
    "Zelt?;Grok;2026-11-12;a;Reise;https://b.example;Urlaub",
    "Amboss?;Grok;2026-11-13;a;Werkzeug;;schmiede",
  ];
  const columns = { ...mapping.columns, topic: "E", citations: "F", tags: "G" };
  const said = { ...mapping, columns, timeZone: "UTC", timeOfDay: "12:00" } as const;
  const sheet = file(rows.join("\n"));
  const { questions } = await sheet.read(said, new Map(), null);
  assert.deepEqual(questions, [{ about: "rowIs", rows: [4, 5] }]);
  const read = await sheet.read({ ...said, rowIs: "citation" }, new Map(), ["Amboss?"]);
  assert.deepEqual(read.unknownPrompts, [
    { text: "Hammer?", topics: ["Werkzeug"], tags: ["kauf", "haus"] },
    { text: "Zelt?", topics: ["Camping", "Reise"], tags: ["kauf", "Urlaub"] },
  ]);
  assert.equal(read.answersCount, 4);
  assert.doesNotMatch(await read.content.text(), /Werkzeug|Reise|kauf/);
});

test("a large table is read in pieces, and what is shown of it is bounded", async () => {
  const row = `Welcher Amboss?;ChatGPT;10.11.2026 09:30;${"x".repeat(2_000)}\n`;
  const bad = "Welcher Amboss?;ChatGPT;bald;y\n";
  const text = `${german.slice(0, 28)}\n${row.repeat(3_000)}${bad.repeat(300)}`;
  const read = await file(text).read(
    { ...mapping, dateOrder: "dmy", timeZone: "UTC" },
    new Map(),
    null,
  );
  assert.deepEqual([read.answersCount, read.rejectedCount], [3_000, 300]);
  assert.deepEqual([read.preview.length, read.rejected.length], [10, 100]);
  assert.ok((read.preview[0]?.line ?? "").length < 500);
  assert.equal(read.content.size, 3_000 * (2_000 + 95));
});
