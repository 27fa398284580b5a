import assert from "node:assert/strict";
import { test } from "node:test";
import { serialOf, workbook } from "@sightline/test-kit/workbook-file.ts";
import { allOf, inPieces, saved } from "../test/files.ts";
import { type Encoding, EncodingError, faultText, type SheetMapping } from "./index.ts";
import { MappingError, mapSheet } from "./read-sheet.ts";

const german: SheetMapping = {
  columns: {
    prompt: "Frage",
    provider: "Anbieter",
    answeredAt: "Datum",
    text: "Antwort",
    citations: "Quellen",
  },
  dateOrder: "dmy",
  timeZone: "Europe/Berlin",
};

const answer = {
  prompt: "Welcher Amboss?",
  provider: "OPENAI",
  answeredAt: "2026-11-10T08:30:00Z",
  text: 'Für Größe:\n"Tarnfell"; sonst Globex.',
  citations: [{ url: "https://tarnfell.example/" }, { url: "https://globex.example/" }],
};

/** The lines of a table, and the faults of those rows that are none. */
async function read(bytes: Uint8Array, mapping: SheetMapping) {
  const { answers, columns } = await mapSheet(inPieces(bytes), mapping);
  const all = await allOf(answers);
  return {
    lines: all.flatMap(({ line }) => (line === null ? [] : [JSON.parse(line) as unknown])),
    faults: all.flatMap(({ faults }) =>
      faults.map((fault) => `${fault.row}: ${faultText(fault, columns)}`),
    ),
    rows: all.map(({ rows }) => rows.map(({ number }) => number)),
  };
}

const faultsOf = async (bytes: Uint8Array, mapping: SheetMapping) => {
  try {
    await mapSheet(inPieces(bytes), mapping);
  } catch (error) {
    if (error instanceof MappingError) return error.faults;
    throw error;
  }
  return [];
};

/** The same table in the shapes in which programs save it. */
const shapes: Readonly<Record<string, (cells: readonly (readonly string[])[]) => string>> = {
  "semicolons, CRLF": (rows) => delimited(rows, ";", "\r\n"),
  "commas, LF": (rows) => delimited(rows, ",", "\n"),
  "tabs, CRLF": (rows) => delimited(rows, "\t", "\r\n"),
  "bars, CR": (rows) => delimited(rows, "|", "\r"),
  "a note of the separator": (rows) => `sep=;\r\n${delimited(rows, ";", "\r\n")}`,
  "a title above, empty rows, every cell quoted": (rows) =>
    delimited(
      [["Woche 46"], ["", "", "", "", ""], ...rows, ["", "", "", "", ""]],
      ";",
      "\r\n",
      true,
    ),
};

function delimited(
  rows: readonly (readonly string[])[],
  separator: string,
  ending: string,
  isQuoted = false,
): string {
  const cell = (text: string) =>
    isQuoted || /[",;\t|\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  return rows.map((cells) => `${cells.map(cell).join(separator)}${ending}`).join("");
}

const table = [
  ["Frage", "Anbieter", "Datum", "Antwort", "Quellen"],
  [
    "Welcher Amboss?",
    "ChatGPT",
    "10.11.2026 09:30",
    answer.text,
    "https://tarnfell.example/\nhttps://globex.example/",
  ],
];

for (const encoding of ["utf-8", "utf-16le", "utf-16be", "windows-1252"] as const) {
  for (const [shape, write] of Object.entries(shapes)) {
    test(`${encoding}, ${shape}`, async () => {
      const said = encoding === "windows-1252" ? { ...german, encoding } : german;
      const { lines, faults } = await read(saved(write(table), encoding), said);
      assert.deepEqual([lines, faults], [[answer], []]);
    });
  }
}

test("a workbook as Excel writes it", async () => {
  const rows = [
    table[0] ?? [],
    ["Welcher Amboss?", "ChatGPT", { serial: serialOf("2026-11-10T09:30:00") }, answer.text, null],
    ["Welcher Amboss?", "Claude", "11.11.2026 09:30", "Globex & Söhne", "https://globex.example"],
  ];
  const bytes = workbook([
    { name: "Notizen", rows: [["x"]], isHidden: true },
    { name: "Antworten", rows },
  ]);
  const { lines, faults } = await read(bytes, german);
  const { citations: _, ...first } = answer;
  assert.deepEqual(faults, []);
  assert.deepEqual(lines, [
    first,
    {
      prompt: "Welcher Amboss?",
      provider: "ANTHROPIC",
      answeredAt: "2026-11-11T08:30:00Z",
      text: "Globex & Söhne",
      citations: [{ url: "https://globex.example" }],
    },
  ]);
});

test("a workbook of several sheets is asked which one", async () => {
  const bytes = workbook([
    { name: "Oktober", rows: table },
    { name: "November", rows: table },
  ]);
  assert.deepEqual(await faultsOf(bytes, german), [
    'sheet: the workbook has several. Write one of "Oktober", "November".',
  ]);
  assert.deepEqual(await faultsOf(bytes, { ...german, sheet: "Mai" }), [
    'sheet: the workbook has no sheet "Mai". It has "Oktober", "November".',
  ]);
  assert.equal((await read(bytes, { ...german, sheet: "November" })).lines.length, 1);
});

const dated = (...dates: readonly string[]) =>
  saved(
    `prompt;provider;date;text\n${dates.map((each) => `a;Grok;${each};b\n`).join("")}`,
    "utf-8",
  );
const english: SheetMapping = {
  columns: { prompt: "prompt", provider: "provider", answeredAt: "date", text: "text" },
  timeZone: "UTC",
};
const instants = async (bytes: Uint8Array, mapping: SheetMapping) => {
  const { lines, faults } = await read(bytes, mapping);
  return [...lines.map((line) => (line as { answeredAt: string }).answeredAt), ...faults];
};

test("the order of dates is told by a date that has only one, or asked", async () => {
  const open = [
    'dateOrder: "03/04/2026 1:00" may be read day first or month first. Write dmy, mdy or ymd.',
  ];
  const [third, april] = ["2026-04-03T01:00:00Z", "2026-03-04T01:00:00Z"];
  assert.deepEqual(await faultsOf(dated("03/04/2026 1:00", "05/05/2026 1:00"), english), open);
  assert.deepEqual(await instants(dated("03/04/2026 1:00"), { ...english, dateOrder: "dmy" }), [
    third,
  ]);
  assert.deepEqual(await instants(dated("03/04/2026 1:00"), { ...english, dateOrder: "mdy" }), [
    april,
  ]);
  const told = "2026-12-25T13:00:00Z";
  assert.deepEqual(await instants(dated("03/04/2026 1:00", "25/12/2026 13:00"), english), [
    third,
    told,
  ]);
  assert.deepEqual(await instants(dated("03/04/2026 1:00", "12/25/2026 1:00 PM"), english), [
    april,
    told,
  ]);
  // A year first has one order. Points are most often day first, which proves nothing.
  assert.deepEqual(await instants(dated("2026/04/03 01:00", "25.12.2026 13:00"), english), [
    third,
    told,
  ]);
  assert.deepEqual(await faultsOf(dated("03.04.2026 1:00"), english), [
    'dateOrder: "03.04.2026 1:00" may be read day first or month first. Write dmy, mdy or ymd.',
  ]);
  assert.deepEqual(await instants(dated("26-04-03 01:00"), { ...english, dateOrder: "ymd" }), [
    third,
  ]);
  assert.deepEqual(await instants(dated("3. April 2026 01:00", "Apr 3, 2026, 1:00 am"), english), [
    third,
    third,
  ]);
});

test("a date that the order does not have is rejected, and never read in another", async () => {
  const mapping = { ...english, dateOrder: "mdy" } as const;
  assert.deepEqual(await instants(dated("25/12/2026 13:00"), mapping), [
    '2: Column C (date): "25/12/2026 13:00" is not a date in the order month, day, year.',
  ]);
});

test("a zone, a time of day and unknown providers are asked", async () => {
  const bytes = saved("prompt;provider;date;text\na;Googel;2026-11-10;b\n", "utf-8");
  const { timeZone: _, ...open } = english;
  assert.deepEqual(await faultsOf(bytes, open), [
    'timeZone: "2026-11-10" has no time zone. ' +
      "Write the one it is in, for example Europe/Berlin or UTC.",
    'timeOfDay: "2026-11-10" has no time of day. Write the one that counts, for example "12:00".',
    'providers: "Googel" is not a known provider. ' +
      'Write which one it means, for example "Googel": OPENAI.',
  ]);
  const closed = { ...english, timeOfDay: "12:00", providers: { Googel: "GEMINI" } } as const;
  assert.deepEqual(await instants(bytes, closed), ["2026-11-10T12:00:00Z"]);
});

test("an offset in the cell needs no zone, and what clocks show twice is rejected", async () => {
  const { timeZone: _, ...open } = english;
  const bytes = dated("2026-11-10T09:30:00+01:00", "2026-11-10 08:30 UTC", "2026-11-10T08:30:00Z");
  assert.deepEqual(await instants(bytes, open), Array(3).fill("2026-11-10T08:30:00Z"));
  const berlin = { ...english, timeZone: "Europe/Berlin" };
  assert.deepEqual(await instants(dated("25.10.2026 02:30", "29.03.2026 02:30"), berlin), [
    '2: Column C (date): "25.10.2026 02:30" exists twice in Europe/Berlin: clocks were put back. ' +
      "Write the offset: +02:00 or +01:00.",
    '3: Column C (date): "29.03.2026 02:30" does not exist in Europe/Berlin: ' +
      "clocks were put forward.",
  ]);
  assert.deepEqual(await instants(dated("25.10.2026 01:59", "25.10.2026 03:00"), berlin), [
    "2026-10-24T23:59:00Z",
    "2026-10-25T02:00:00Z",
  ]);
});

test("a time of day may have a column of its own", async () => {
  const bytes = saved("p;date;time;text\na;10.11.2026;9:30;b\na;10.11.2026;25:00;b\n", "utf-8");
  const mapping: SheetMapping = {
    columns: { prompt: "p", answeredAt: "date", time: "time", text: "text" },
    values: { provider: "ChatGPT" },
    dateOrder: "dmy",
    timeZone: "UTC",
    timeOfDay: "12:00",
  };
  assert.deepEqual(await instants(bytes, mapping), [
    "2026-11-10T09:30:00Z",
    '3: Column B (date): "10.11.2026" has a time of day that is none: "25:00". Write it as 09:30.',
  ]);
});

test("rows of citations are joined to one answer", async () => {
  const bytes = saved(
    "p;provider;date;text;url;title\n" +
      "a;Grok;2026-11-10 09:30;b;https://a.example;A\n" +
      "a;Grok;2026-11-10 09:30;b;https://b.example;B\n" +
      ";;;;https://c.example;\n" +
      "a;Claude;2026-11-10 09:30;b;;\n" +
      "a;Grok;2026-11-10 09:30;b;https://d.example;D\n",
    "utf-8",
  );
  const mapping: SheetMapping = {
    columns: {
      prompt: "p",
      provider: "provider",
      answeredAt: "date",
      text: "text",
      citations: "url",
      citationTitle: "title",
    },
    timeZone: "UTC",
    rowIs: "citation",
  };
  const { rowIs: _, ...open } = mapping;
  assert.deepEqual(await faultsOf(bytes, open), [
    "rowIs: rows 2 and 3 differ in nothing but their source. " +
      "Write citation if a row is one source of an answer, or answer.",
  ]);
  assert.equal((await read(bytes, { ...open, rowIs: "answer" })).lines.length, 4);
  const { lines, faults, rows } = await read(bytes, mapping);
  const common = { prompt: "a", answeredAt: "2026-11-10T09:30:00Z", text: "b" };
  assert.deepEqual(lines, [
    {
      ...common,
      provider: "GROK",
      citations: [
        { url: "https://a.example", title: "A" },
        { url: "https://b.example", title: "B" },
        { url: "https://c.example" },
      ],
    },
    { ...common, provider: "ANTHROPIC" },
  ]);
  assert.deepEqual(rows, [[2, 3, 4], [5], [6]]);
  assert.deepEqual(faults, [
    "6: The row belongs to the answer of row 2, and other rows stand between them. " +
      "Sort the table so that the rows of an answer are together.",
  ]);
});

test("rows of citations that differ in their time of day alone are two answers", async () => {
  const bytes = saved(
    "p;date;time;text;url\na;10.11.2026;9:30;b;https://a.example\n" +
      "a;10.11.2026;10:30;b;https://b.example\n",
    "utf-8",
  );
  const mapping: SheetMapping = {
    columns: { prompt: "p", answeredAt: "date", time: "time", text: "text", citations: "url" },
    values: { provider: "Claude" },
    dateOrder: "dmy",
    timeZone: "UTC",
    rowIs: "citation",
  };
  assert.deepEqual((await read(bytes, mapping)).rows, [[2], [3]]);
  assert.deepEqual(await faultsOf(bytes, { ...mapping, values: { prompt: "x" } }), [
    "values: prompt has a column, too. Keep one of them.",
  ]);
  const [fault = ""] = await faultsOf(bytes, { ...mapping, values: { provider: "Googel" } });
  assert.match(fault, /^values: provider "Googel" is not known\. Write one of GEMINI, OPENAI, /);
});

test("a malformed row is rejected alone", async () => {
  const bytes = saved(
    'prompt;provider;date;text\na;Grok;2026-11-10 09:30;b;c\na;Grok;2026-11-10 09:30;"b"c\n' +
      "a;Googel;soon;b\na\na;Grok;2026-11-10 09:30;b\n",
    "utf-8",
  );
  const mapping = { ...english, providers: { googel: "GEMINI" } } as const;
  const { lines, faults } = await read(bytes, mapping);
  assert.equal(lines.length, 1);
  assert.deepEqual(faults, [
    "2: The row has 5 cells, and the header names 4 columns. " +
      "Quote cells that have a separator or a line break.",
    "3: Text follows a closing quote. Quotes inside a cell must be doubled.",
    '4: Column C (date): "soon" is not a date. Write it as 2026-11-10 09:30.',
    ...["provider", "date", "text"].map(
      (name, place) => `5: Column ${"BCD"[place]} (${name}): must not be empty.`,
    ),
  ]);
});

test("what the bytes do not tell is asked", async () => {
  const bytes = saved("Größe;b\n1;2\n", "windows-1252");
  assert.deepEqual(await faultsOf(bytes, english), [
    "encoding: the bytes of the file do not tell it. Write utf-8, utf-16le, utf-16be or " +
      "windows-1252; files of Excel that are not Unicode are most often windows-1252.",
  ]);
  assert.deepEqual(await faultsOf(saved("a,b;c\n1,2;3\n", "utf-8"), english), [
    'separator: the rows do not tell it. Write ",", ";", "\\t" or "|".',
  ]);
  assert.deepEqual(await faultsOf(saved("Prompt;provider;date;text\n", "utf-8"), english), [
    'Column of prompt: row 1 has no column "prompt". Did you mean "Prompt"?',
  ]);
  const letters = { prompt: "A", provider: "B", answeredAt: "C", text: "D" };
  const lettered = { ...english, columns: letters };
  const one = dated("2026-11-10 09:30");
  assert.deepEqual(await faultsOf(one, lettered), [
    "headerRow: letters do not tell which row names the columns. " +
      "Write its number, or 0 if every row is an answer.",
  ]);
  assert.deepEqual(await instants(one, { ...lettered, headerRow: 1 }), ["2026-11-10T09:30:00Z"]);
  const encoding: Encoding = "utf-8";
  await assert.rejects(read(bytes, { ...english, encoding }), EncodingError);
});
