import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ansvisorTables,
  type Cells,
  csvOf,
  elmoTables,
  peecColumns,
  peecRows,
  profoundColumns,
  profoundRow,
} from "@sightline/test-kit/foreign-exports.ts";
import { type ExportFile, exportGroups, joinedExport } from "./export-files.ts";
import { SheetFile } from "./sheet-file.ts";

const file = (name: string, text: string): ExportFile => ({ name, content: new Blob([text]) });
const tableOf = (name: string, rows: readonly Cells[]) =>
  file(`${name}.csv`, csvOf(Object.keys(rows[0] ?? {}), rows));
const elmo = Object.entries(elmoTables).map(([name, rows]) => tableOf(name, rows));
const profound = file("raw.csv", csvOf(profoundColumns, [profoundRow]));

/** What the wizard reads of files whose reader presses nothing but Next. */
async function answersOf(files: readonly ExportFile[]) {
  const joined = await joinedExport(files);
  const sheet = new SheetFile(joined?.content ?? new Blob());
  const { source } = await sheet.head({ encoding: "utf-8", separator: "," });
  assert.ok(source?.mapping != null);
  const read = await sheet.read(source.mapping, new Map(), []);
  const lines = (await read.content.text()).split("\n").filter((line) => line !== "");
  return { ...read, joined, source, lines: lines.map((line) => JSON.parse(line)) };
}

test("tables of an export are read together, and other files by themselves", async () => {
  const other = file("own.csv", "Frage;Antwort\na;b\n");
  const [runs, ...others] = elmo;
  assert.ok(runs !== undefined);
  assert.deepEqual(await exportGroups([profound, profound]), [[0], [1]]);
  assert.deepEqual(await exportGroups([other, ...elmo]), [[1, 2, 3, 4, 5], [0]]);
  assert.deepEqual(await exportGroups([runs]), [[0]]);
  assert.deepEqual(
    await exportGroups(others),
    others.map((_, place) => [place]),
  );
});

test("Elmo's tables become one, with sources and tags, and leave nothing to ask", async () => {
  const { joined, source, questions, lines, unknownPrompts } = await answersOf(elmo);
  assert.deepEqual([joined?.title, source.title, questions], ["Elmo", "Elmo", []]);
  assert.equal(lines.length, 1);
  const [{ prompt, provider, text, citations, searchQueries }] = lines;
  assert.deepEqual(
    [prompt, provider, text, searchQueries],
    ["What is the best anvil?", "OPENAI", "Take Tarnfell.", ["anvils", "best, anvil"]],
  );
  assert.deepEqual(
    citations.map(({ url }: { url: string }) => url),
    ["https://tarnfell.example/", "https://globex.example/"],
  );
  assert.deepEqual(unknownPrompts, [{ text: "What is the best anvil?", topics: [], tags: ["a"] }]);
  const columns = source.dropped.map(({ column }) => column);
  assert.deepEqual(
    columns.filter((column) => column.startsWith("prompts.")),
    [],
  );
});

test("a table that is missing is named, and so are two of a kind", async () => {
  const [runs, citations, prompts] = elmo;
  assert.ok(runs !== undefined && citations !== undefined && prompts !== undefined);
  await assert.rejects(
    joinedExport([runs]),
    /^MappingError: prompts: this table is missing\. Give/,
  );
  await assert.rejects(joinedExport([runs, runs]), /prompt_runs: two files have this table/);
});

test("JSON of Ansvisor, and of Canonry", async () => {
  const ansvisor = file("export.json", JSON.stringify(ansvisorTables));
  const read = await answersOf([ansvisor]);
  assert.equal(read.joined?.title, "Ansvisor");
  assert.equal(read.lines.length + read.rejectedCount, ansvisorTables.prompt_results.length);
  assert.equal(read.lines[0].prompt, "What is the best anvil?");
  assert.deepEqual(read.unknownPrompts[0]?.topics, ["Anvils"]);
  const canonry = file(
    "canonry.json",
    JSON.stringify({
      query_snapshots: [
        {
          id: "s1",
          run_id: "r1",
          query_text: "Which hammer?",
          provider: "gemini",
          served_model: "gemini-flash-001",
          citation_state: "cited",
          answer_text: "Take Tarnfell.",
          cited_urls: '["https://tarnfell.example/"]',
          created_at: "2026-11-02T08:00:00.000Z",
        },
      ],
      runs: [{ id: "r1", project_id: "p1", kind: "answer-visibility" }],
    }),
  );
  const [answer] = (await answersOf([canonry])).lines;
  assert.deepEqual(
    [answer.prompt, answer.provider, answer.model, answer.citations],
    ["Which hammer?", "GEMINI", "gemini-flash-001", [{ url: "https://tarnfell.example/" }]],
  );
});

test("an export without answers has prompts; a table by itself is none", async () => {
  assert.deepEqual(await joinedExport([file("prompts.csv", csvOf(peecColumns, peecRows))]), {
    title: "Peec",
    content: null,
    prompts: [
      { text: "What is the best anvil?", topic: "Anvils", tags: ["tools"], isPaused: false },
      { text: "Which hammer?", topic: "Hammers", tags: [], isPaused: true },
    ],
  });
  assert.equal(await joinedExport([profound]), null);
  assert.equal(await joinedExport([file("a.csv", "a;b\n1;2\n")]), null);
});

test("what a browser cannot read is told, with what can", async () => {
  await assert.rejects(
    joinedExport([file("canonry.db", "SQLite format 3\0…")]),
    /canonry\.db is a database of SQLite.* sightline import canonry\.db/,
  );
  await assert.rejects(joinedExport([file("a.json", "[{}]")]), /This JSON is not an export/);
  await assert.rejects(joinedExport([file("a.json", "[{")]), /The file is not JSON/);
});
