import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ahrefsColumns,
  ahrefsRow,
  type Cells,
  csvOf,
  elmoTables,
  peecColumns,
  peecRows,
  profoundColumns,
  profoundRow,
} from "@sightline/test-kit/foreign-exports.ts";
import { allOf, inPieces, saved } from "../test/files.ts";
import { MappingError, rowsIn } from "./read-sheet.ts";
import { SourceReader, type SourceSaid } from "./read-source.ts";
import { recognized, type SourceName } from "./sources/recognize.ts";

const rowsOf = (bytes: Uint8Array) => rowsIn(inPieces(bytes, 4_096), {});

/** What tables of text become, each known by its columns. */
async function read(texts: readonly (string | Uint8Array)[], said: SourceSaid = {}) {
  const files = texts.map((text) => (typeof text === "string" ? saved(text, "utf-8") : text));
  const headers = await Promise.all(
    files.map(async (bytes) => (await (await rowsOf(bytes)).next()).value?.cells ?? []),
  );
  const found = recognized(headers.map((header) => ({ name: null, header })));
  assert.ok(found !== null);
  const reader = new SourceReader(said);
  for (const [place, table] of found.tables.entries()) {
    const bytes = files[place];
    if (table === null || bytes === undefined || table.answers !== undefined) continue;
    await reader.addTable(table, await rowsOf(bytes));
  }
  reader.readTables();
  const main = found.tables.findIndex((table) => table?.answers !== undefined);
  const [table, bytes] = [found.tables[main], files[main]];
  if (table === undefined || table === null || bytes === undefined) {
    const dropped = reader.droppedOfTables();
    return { source: found.source.name, lines: [], faults: [], dropped, found: reader.workspace() };
  }
  const { answers, dropped } = await reader.read(table, await rowsOf(bytes));
  const all = await allOf(answers);
  return {
    source: found.source.name,
    lines: all.flatMap(({ line }) => (line === null ? [] : [JSON.parse(line)])),
    faults: all.flatMap(({ faults }) => faults.map(({ row, message }) => [row, message])),
    dropped: [...dropped, ...reader.droppedOfTables()],
    found: reader.workspace(),
  };
}

const profound = (...rows: readonly Cells[]) =>
  csvOf(
    profoundColumns,
    rows.map((row) => Object.fromEntries([...Object.entries(profoundRow), ...Object.entries(row)])),
  );

test("Profound: an answer with 48 sources, queries, a quoted line break and a day", async () => {
  const { source, lines, faults, dropped, found } = await read([profound({})]);
  assert.deepEqual([source, faults], ["profound", []]);
  const [{ id, ...line }] = lines;
  assert.match(id, /^[\da-f-]{36}$/);
  assert.deepEqual(line, {
    prompt: "What is the best anvil?",
    provider: "OPENAI",
    answeredAt: "2026-11-02T12:00:00Z",
    text: 'Take **Tarnfell**,\nor "Globex".',
    region: "US",
    searchQueries: ["best anvils", "anvil test"],
    metadata: { run_id: "r1", persona: "Buyer", type: "open-ended" },
    citations: Array.from({ length: 48 }, (_, place) => {
      return { url: `https://globex.example/${place + 1}` };
    }),
  });
  assert.deepEqual(
    dropped.map(({ column }) => column),
    ["platformId", "mentions", "normalized_mentions", "position", "mentioned?"],
  );
  assert.deepEqual(found, {
    brand: null,
    competitors: [],
    prompts: [
      {
        text: "What is the best anvil?",
        topic: "Anvils",
        tags: ["tools", "steel"],
        isPaused: false,
      },
    ],
    names: [
      { name: "Globex", rows: 1 },
      { name: "Tarnfell", rows: 1 },
    ],
  });
});

test("Profound: rows of a day are told by their run, and bad rows are rejected alone", async () => {
  const { lines, faults } = await read([
    profound(
      {},
      { run_id: "r2", citation_1: "https://acme.example/" },
      { run_id: "r3", platform: "Meta AI" },
      { run_id: "r4", date: "31/31/2026" },
      { run_id: "r5", response: "" },
      { run_id: "r6", region: "Atlantis", response: "=1+1" },
    ),
  ]);
  assert.equal(new Set(lines.map(({ id }) => id)).size, 3);
  assert.deepEqual(
    lines.map(({ region, text }) => [region, text.slice(0, 4)]),
    [
      ["US", "Take"],
      ["US", "Take"],
      ["ATLANTIS", "=1+1"],
    ],
  );
  assert.deepEqual(faults, [
    [4, "is not a provider whose answers are recorded. Say which one it means, if it is one."],
    [5, "is not a date. Write it as 2026-11-10 09:30."],
    [6, "must not be empty."],
  ]);
});

test("a file that is cut off loses the row in which it ends, with a reason", async () => {
  const whole = profound({}, { run_id: "r2" });
  const cut = whole.slice(0, whole.lastIndexOf('"https://globex.example/9"'));
  const { lines, faults } = await read([cut.slice(0, -1)]);
  assert.equal(lines.length, 1);
  assert.deepEqual(faults, [
    [3, "The file ends within this row: it has 24 of 64 cells. Is the file cut off?"],
  ]);
  const inText = whole.slice(0, whole.lastIndexOf("or"));
  assert.deepEqual((await read([inText])).faults, [[3, "A quoted cell is not closed."]]);
});

test("what is said about an export goes before its declaration", async () => {
  const { lines } = await read([profound({})], {
    mapping: { columns: { model: "type" }, values: { region: "DE" }, timeOfDay: "08:00Z" },
  });
  const [{ region, model, answeredAt }] = lines;
  assert.deepEqual([region, model, answeredAt], ["DE", "open-ended", "2026-11-02T08:00:00Z"]);
});

test("Ahrefs: responses as UTF-16 with tabs, with pages found and not cited", async () => {
  const text = csvOf(ahrefsColumns, [ahrefsRow], "\t");
  const { source, lines, faults } = await read([saved(text, "utf-16le")]);
  assert.deepEqual([source, faults], ["ahrefs", []]);
  assert.deepEqual(lines, [
    {
      prompt: "What is the best anvil?",
      provider: "GOOGLE_AI_OVERVIEW",
      answeredAt: "2026-11-02T08:00:00Z",
      text: "Take Tarnfell.",
      region: "US",
      searchQueries: ["best anvils", "anvil test, 2026"],
      citations: [
        { url: "https://tarnfell.example/" },
        { url: "https://globex.example/a,b" },
        { url: "https://acme.example/", cited: false },
      ],
    },
  ]);
});

test("Ahrefs: AI Overviews have no date, which is asked, and then said", async () => {
  const columns = ["Land", "Question", "AI Overview", "Link URL", "Volume"];
  const row = {
    Land: "Germany",
    Question: "What is the best anvil?",
    "AI Overview": "Tarnfell.",
    "Link URL": "https://tarnfell.example/,https://globex.example/",
  };
  const text = csvOf(columns, [row]);
  await assert.rejects(read([text]), (error: unknown) => {
    assert.ok(error instanceof MappingError);
    assert.match(error.message, /name the column of answeredAt/);
    return true;
  });
  const { lines } = await read([text], { mapping: { values: { answeredAt: "2026-11-02" } } });
  assert.deepEqual(lines, [
    {
      answeredAt: "2026-11-02T12:00:00Z",
      provider: "GOOGLE_AI_OVERVIEW",
      prompt: "What is the best anvil?",
      text: "Tarnfell.",
      region: "DE",
      citations: [{ url: "https://tarnfell.example/" }, { url: "https://globex.example/" }],
    },
  ]);
});

test("Peec: prompts with topics, tags and names, and no answers", async () => {
  const { source, lines, dropped, found } = await read([csvOf(peecColumns, peecRows)]);
  assert.deepEqual([source, lines], ["peec", []]);
  assert.deepEqual(found, {
    brand: null,
    competitors: [],
    prompts: [
      { text: "What is the best anvil?", topic: "Anvils", tags: ["tools"], isPaused: false },
      { text: "Which hammer?", topic: "Hammers", tags: [], isPaused: true },
    ],
    names: [
      { name: "Globex", rows: 2 },
      { name: "Tarnfell", rows: 1 },
    ],
  });
  assert.equal(dropped.length, peecColumns.length - 4);
});

const elmo = (name: keyof typeof elmoTables, rows: readonly Cells[] = elmoTables[name]) =>
  csvOf(Object.keys(elmoTables[name][0]), rows);
const elmoFiles = () => [
  elmo("prompt_runs"),
  elmo("citations"),
  elmo("prompts"),
  elmo("competitors"),
  elmo("brands"),
];

test("Elmo: runs with their prompts and sources, out of the providers' replies", async () => {
  const { source, lines, faults, found } = await read(elmoFiles());
  assert.deepEqual([source, faults], ["elmo", []]);
  assert.deepEqual(lines, [
    {
      id: "3f0c8f0e-5a0f-4a52-9d0a-0d5b6f1c2a11",
      prompt: "What is the best anvil?",
      provider: "OPENAI",
      vendor: "openai-api",
      model: "gpt-5-mini",
      answeredAt: "2026-11-02T08:00:00.250Z",
      text: "Take Tarnfell.",
      searchQueries: ["anvils", "best, anvil"],
      metadata: { web_search_enabled: "t" },
      citations: [
        { url: "https://tarnfell.example/", title: "Tarnfell" },
        { url: "https://globex.example/" },
      ],
    },
  ]);
  assert.deepEqual(found, {
    brand: { name: "Tarnfell", domains: ["https://tarnfell.example"], aliases: [] },
    competitors: [{ name: "Globex", domains: ["globex.example"], aliases: ["Globex Inc"] }],
    prompts: [
      { text: "What is the best anvil?", topic: null, tags: ["a"], isPaused: false },
      { text: "Which hammer?", topic: null, tags: [], isPaused: true },
    ],
    names: [],
  });
});

test("Elmo: a missing table is named, and several brands are asked about", async () => {
  const [runs = "", citations = "", prompts = "", competitors = "", brands = ""] = elmoFiles();
  const refused = (texts: readonly string[], said: SourceSaid, reason: RegExp) =>
    assert.rejects(read(texts, said), reason);
  await refused([runs, prompts], {}, /^MappingError: citations: this table is missing\. Give its/);
  const [first] = elmoTables.prompts;
  const other = { id: "x", brand_id: "globex", value: "Which saw?", enabled: "t", tags: "" };
  const two = elmo("prompts", [first, other]);
  const all = [runs, citations, two, competitors, brands];
  await refused(all, {}, /brand: the export is of several\. Name one of "Tarnfell", "globex"\./);
  await refused(all, { brand: "Acme" }, /the export has none that is "Acme"/);
  const { lines, found } = await read(all, { brand: "Tarnfell" });
  assert.equal(lines.length, 1);
  assert.deepEqual(
    found.prompts.map(({ text }) => text),
    ["What is the best anvil?"],
  );
  assert.deepEqual((await read(all, { brand: "globex" })).lines, []);
});

test("tables of no tool are not recognized, nor those of another one", () => {
  const of = (header: readonly string[], wanted?: SourceName) =>
    recognized([{ name: null, header }], wanted)?.source.name ?? null;
  assert.equal(of(["prompt", "provider", "answeredAt", "text"]), null);
  assert.equal(of(profoundColumns), "profound");
  assert.equal(of(profoundColumns, "peec"), null);
  assert.equal(of(Object.keys(elmoTables.citations[0])), null);
});
