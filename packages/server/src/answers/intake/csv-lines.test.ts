import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { CsvHeaderError, csvLines, csvRecords } from "./csv-lines.ts";
import type { Line } from "./lines.ts";

const header = "provider,answeredAt,text,sample,citations,metadata";

/** The bytes in pieces that end anywhere. */
async function* inPieces(text: string | Buffer, ...sizes: readonly number[]) {
  const bytes = Buffer.from(text as string);
  let start = 0;
  for (let turn = 0; start < bytes.length; turn++) {
    const size = Math.max(1, sizes[turn % (sizes.length || 1)] ?? bytes.length);
    yield bytes.subarray(start, start + size);
    start += size;
  }
}

async function linesOf(text: string | Buffer, ...sizes: readonly number[]): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const line of csvLines(inPieces(text, ...sizes))) lines.push(line);
  return lines;
}

/** Each line as its number and what it says. */
async function shown(text: string | Buffer): Promise<readonly unknown[]> {
  return (await linesOf(text)).map(({ number, bytes, rejection }) => [
    number,
    rejection === undefined ? JSON.parse(String(bytes)) : rejection.reason,
  ]);
}

test("columns are fields, and an empty cell is an absent one", async () => {
  const row = "GROK,2026-01-01T00:00:00Z,Acme.,3,https://a.example  https://b.example,";
  const list =
    'GROK,,,x,"[{""url"":""https://a.example"",""cited"":false,""spans"":[[0,4]]}]","{""run"":7}"';
  assert.deepEqual(await shown(`\ufeff${header}\r\n${row}\r\n${list}`), [
    [
      2,
      {
        provider: "GROK",
        answeredAt: "2026-01-01T00:00:00Z",
        text: "Acme.",
        sample: 3,
        citations: [{ url: "https://a.example" }, { url: "https://b.example" }],
      },
    ],
    [
      3,
      {
        provider: "GROK",
        sample: "x",
        metadata: { run: 7 },
        citations: [{ url: "https://a.example", cited: false, spans: [[0, 4]] }],
      },
    ],
  ]);
});

/** Cells of citations, and the URLs that stand in them. */
const citationCells: readonly (readonly [cell: string, urls: readonly string[]])[] = [
  ["https://a.com, https://b.com/best", ["https://a.com", "https://b.com/best"]],
  ["https://a.com;https://b.com/best", ["https://a.com", "https://b.com/best"]],
  [
    "https://a.com|HTTP://b.com\r\nhttps://c.com",
    ["https://a.com", "HTTP://b.com", "https://c.com"],
  ],
  [" ,https://a.com ; https://b.com,;| ", ["https://a.com", "https://b.com"]],
  ["https://a.com/x,y;z|?q=1,2", ["https://a.com/x,y;z|?q=1,2"]],
  ["a.com,b.com", ["a.com,b.com"]],
  [",;|", []],
];

test("URLs in a cell are separated by spaces, or by the signs of other tools", async () => {
  const rows = citationCells.map(([cell]) => `GROK,"${cell}"`);
  assert.deepEqual(
    (await shown(`provider,citations\n${rows.join("\n")}`)).map((line) => [line].flat()[1]),
    citationCells.map(([, urls]) => ({
      provider: "GROK",
      citations: urls.map((url) => ({ url })),
    })),
  );
});

test("a cell of nothing but such signs is read in linear time", async () => {
  const [line] = await linesOf(`provider,citations\nGROK,"${",;|".repeat(1_000_000)}x"`);
  assert.equal(JSON.parse(String(line?.bytes)).citations.length, 1);
});

test("how an answer was collected: queries as lines or JSON, the cost as JSON", async () => {
  const columns = "provider,searchQueries,cost,vendor,requestedRegion";
  const lines = 'GROK,"best anvils, 2026\r\n\nanvils",,x,DE';
  const json = 'GROK,"[""a""]","{""amount"":0.5,""currency"":""USD""}",,';
  assert.deepEqual(await shown(`${columns}\n${lines}\n${json}`), [
    [
      2,
      {
        provider: "GROK",
        searchQueries: ["best anvils, 2026", "anvils"],
        vendor: "x",
        requestedRegion: "DE",
      },
    ],
    [5, { provider: "GROK", searchQueries: ["a"], cost: { amount: 0.5, currency: "USD" } }],
  ]);
});

test("a record is named by the line that it begins on; blank ones are not there", async () => {
  const text = 'provider,text\n\nGROK,"a\nb\n"\n  \n,\nGROK,"c""d, e"\n"GROK",f\rg';
  assert.deepEqual(await shown(text), [
    [3, { provider: "GROK", text: "a\nb\n" }],
    [8, { provider: "GROK", text: 'c"d, e' }],
    [9, { provider: "GROK", text: "f\rg" }],
  ]);
});

const quoteForm =
  'A cell with a quote must be quoted, with each quote in it doubled: "say ""yes""".';
const countForm =
  "and the first line names 2 columns. Quote cells that have a comma or a line break.";

/** Records that are rejected, with the reason; those around them are read. */
const rejected: readonly (readonly [record: string | Buffer, reason: string])[] = [
  ['GROK,5" of it', quoteForm],
  ['GROK,"a" b', quoteForm],
  ["GROK", `The record has 1 cell, ${countForm}`],
  ["GROK,a,b", `The record has 3 cells, ${countForm}`],
  ["GROK,".padEnd(1_200, ","), "The record has more than 1000 cells."],
  [Buffer.from("GROK,M\xfcller", "latin1"), "The record is not UTF-8."],
];

for (const [record, reason] of rejected) {
  test(`rejected: ${reason.slice(0, 60)}`, async () => {
    const bytes = Buffer.concat([
      Buffer.from("provider,text\nGROK,a\n"),
      Buffer.from(record as string),
      Buffer.from("\nGROK,b\n"),
    ]);
    assert.deepEqual(await shown(bytes), [
      [2, { provider: "GROK", text: "a" }],
      [3, reason],
      [4, { provider: "GROK", text: "b" }],
    ]);
  });
}

test("a quote that is not closed takes what follows, which is then rejected", async () => {
  const open = 'provider,text\nGROK,a\nGROK,"b\nGROK,c\n';
  assert.deepEqual(await shown(open), [
    [2, { provider: "GROK", text: "a" }],
    [3, "A quoted cell is not closed."],
  ]);
});

test("JSON in a cell is JSON and says nothing else", async () => {
  for (const cell of ["{", "{}}", '{}, "provider": "X"', "[1", "[1], 2", "[".repeat(200)]) {
    for (const column of ["metadata", "cost", "citations", "searchQueries"]) {
      if (!["metadata", "cost"].includes(column) && !cell.startsWith("[")) continue;
      const text = `provider,${column}\nGROK,"${cell.replaceAll('"', '""')}"\n`;
      const [line] = await linesOf(text);
      assert.deepEqual(
        line?.rejection?.errors.map(({ path }) => path),
        [`/${column}`],
        cell.slice(0, 20),
      );
    }
  }
});

test("a first line that names no columns ends it all", async () => {
  for (const [text, fault] of [
    [
      "GROK,a\n",
      /^Not known as columns: "GROK", "a"\. Known columns: id, promptId, .*first line of CSV/,
    ],
    ["provider,provider\n", /^The column "provider" is there twice\./],
    ["provider,answered_at\n", /Did you mean answeredAt\?/],
    [
      "provider,date,answered_at,score\n",
      /^Not known as columns: "date", "answered_at" \(did you mean answeredAt\?\), "score"\. Known/,
    ],
    [`provider,${Array.from({ length: 30 }, (_, at) => `x${at}`)}\n`, /"x19", 10 more\. Known/],
    ["prompt;provider;text\n", /^Semicolons separate the columns, and commas must: save the file/],
    ['"prompt";"provider"\n', /^Semicolons separate the columns/],
    ["prompt\tprovider\n", /^Tabs separate the columns/],
    ["prompt|provider\n", /^Bars separate the columns/],
    ["sep=;\nprompt;provider\n", /^"sep=;" is a note for Excel\. Remove the line\./],
    ["text\n", /^The column "provider" is missing\./],
    ["provider,\n", /^"" is not a known column/],
    ['"provider\n', /^A quoted cell is not closed\./],
    [`provider${",".repeat(1_000)}\n`, /^The record has more than 1000 cells\./],
  ] as const) {
    await assert.rejects(linesOf(text), (error) => {
      assert.ok(error instanceof CsvHeaderError);
      assert.match(error.message, fault);
      return true;
    });
  }
  assert.deepEqual(await linesOf(""), []);
  assert.deepEqual(await linesOf(`${header}\n`), []);
});

test("a record beyond the bound is skipped, and nothing of it is kept", async () => {
  const text = `a,"${"x".repeat(50)}\n${"y".repeat(50)}"\nb,c\n`;
  for (const size of [1, 7, 1_000]) {
    const records = [];
    for await (const record of csvRecords(inPieces(text, size), 64)) records.push(record);
    assert.deepEqual(
      records.map(({ number, bytes, endByte }) => [number, bytes?.toString(), endByte]),
      [
        [1, undefined, 106],
        [3, "b,c", 110],
      ],
    );
  }
});

const cells = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom('"', ",", "\n", "\r", "a", " ") }),
);

test("any texts, written as RFC 4180 says, are read as they were, in any pieces", async () => {
  const written = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
  const property = fc.asyncProperty(
    fc.array(fc.tuple(cells, cells), { minLength: 1 }),
    fc.array(fc.nat({ max: 9 }), { minLength: 1, maxLength: 5 }),
    fc.constantFrom("\n", "\r\n"),
    async (rows, sizes, end) => {
      const texts = rows.map((row) => row.map((cell) => cell.toWellFormed()));
      const text = ["provider,text", ...texts.map((row) => row.map(written).join(","))].join(end);
      const expected: unknown[] = [];
      let number = 2;
      for (const [provider = "", answer = ""] of texts) {
        const fields = { ...(provider && { provider }), ...(answer && { text: answer }) };
        if (provider !== "" || answer !== "") expected.push([number, fields]);
        number += 1 + `${provider}${answer}`.split("\n").length - 1;
      }
      const lines = await linesOf(text, ...sizes);
      assert.deepEqual(
        lines.map((line) => [line.number, JSON.parse(String(line.bytes))]),
        expected,
      );
    },
  );
  await fc.assert(property, { numRuns: 300 });
});

const texts = ["id", "promptId", "prompt", "provider", "region", "answeredAt", "text"] as const;
const answers = fc.record(
  {
    ...Object.fromEntries(texts.map((name) => [name, fc.string({ minLength: 1 })])),
    provider: fc.string({ minLength: 1 }),
    citations: fc.array(fc.record({ url: fc.webUrl(), cited: fc.boolean() })),
    sample: fc.integer(),
    metadata: fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue()),
  },
  { requiredKeys: ["provider"] },
);

test("a record means the line with the same fields, good or bad, in any order", async () => {
  const cellOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  const written = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
  const columns = [...texts, "citations", "sample", "metadata"];
  const property = fc.asyncProperty(
    fc.array(answers, { minLength: 1 }),
    fc.shuffledSubarray(columns, { minLength: columns.length }),
    async (given, order) => {
      const rows = given.map((answer) => {
        const fields: Readonly<Record<string, unknown>> = answer;
        const cells = order.map((name) => (name in fields ? cellOf(fields[name]) : ""));
        return cells.map(written).join(",");
      });
      const lines = await linesOf([order.join(","), ...rows].join("\n"));
      assert.deepEqual(
        lines.map(({ bytes }) => JSON.parse(String(bytes))),
        given.map((answer) => JSON.parse(JSON.stringify(answer))),
      );
    },
  );
  await fc.assert(property, { numRuns: 300 });
});
