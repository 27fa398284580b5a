import assert from "node:assert/strict";
import { test } from "node:test";
import { type Provider, providers } from "@sightline/contract/providers";
import { serialOf, workbook } from "@sightline/test-kit/workbook-file.ts";
import fc from "fast-check";
import { allOf, inPieces, saved } from "../test/files.ts";
import { type DateOrder, RowReader, type SheetMapping } from "./index.ts";
import { mapSheet } from "./read-sheet.ts";

/** An answer as its line has it. */
interface Answer {
  readonly prompt: string;
  readonly provider: Provider;
  readonly answeredAt: string;
  readonly text: string;
  readonly citations: readonly { readonly url: string }[];
}

const text = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 40 })
  // A cell of spaces is empty; XML has no control characters, and CR is a line's end in it.
  .filter((each) => each.trim() !== "" && !/[\p{Cc}\ufffe\uffff]/u.test(each));
const cell = fc.oneof(text, fc.constantFrom('a "b"; c', "a,b\nc", "x|y\tz", ";", '""', "=1+1"));
const minute = fc.integer({ min: 0, max: 20 * 365 * 1_440 }).map((minutes) => {
  return new Date(Date.UTC(2010, 0, 1) + minutes * 60_000).toISOString().slice(0, 16);
});
const answers = fc.uniqueArray(
  fc.record({
    prompt: cell.map((each) => each.trim()),
    provider: fc.constantFrom(...providers),
    answeredAt: minute,
    text: cell.filter((each) => !/\t/.test(each)),
    citations: fc.uniqueArray(
      fc.nat(10_000).map((page) => ({ url: `https://globex.example/${page}` })),
      { maxLength: 3, selector: ({ url }) => url },
    ),
  }),
  {
    minLength: 1,
    maxLength: 12,
    selector: ({ prompt, provider, answeredAt }) => `${prompt} ${provider} ${answeredAt}`,
  },
);

const names: Readonly<Record<Provider, string>> = {
  GEMINI: "Gemini",
  OPENAI: "ChatGPT",
  ANTHROPIC: "Claude",
  PERPLEXITY: "Perplexity",
  GROK: "grok",
  GOOGLE_AI_MODE: "Google AI Mode",
  GOOGLE_AI_OVERVIEW: "AI Overviews",
  COPILOT: "Microsoft Copilot",
};

function dateText(iso: string, order: DateOrder, sign: string): string {
  const [day = "", time = ""] = iso.split("T");
  const [y = "", m = "", d = ""] = day.split("-");
  const parts = { dmy: [d, m, y], mdy: [m, d, y], ymd: [y, m, d] }[order];
  return `${parts.join(sign)} ${time}`;
}

const header = ["Prompt", "Provider", "When", "Answer", "Sources"];
const mapping: SheetMapping = {
  columns: {
    prompt: "Prompt",
    provider: "Provider",
    answeredAt: "When",
    text: "Answer",
    citations: "Sources",
  },
  timeZone: "UTC",
  headerRow: 1,
};

async function linesOf(bytes: Uint8Array, mapped: SheetMapping, size: number) {
  const { answers: read } = await mapSheet(inPieces(bytes, size), mapped);
  const all = await allOf(read);
  assert.deepEqual(
    all.flatMap(({ faults }) => faults),
    [],
  );
  return all.map(({ line }) => JSON.parse(line ?? "") as unknown);
}

const expected = (given: readonly Answer[]) =>
  given.map(({ citations, answeredAt, ...others }) => ({
    ...others,
    answeredAt: `${answeredAt}:00Z`,
    ...(citations.length === 0 ? {} : { citations }),
  }));

test("a text made of answers gives those answers back", async () => {
  const shape = fc.record({
    answers,
    separator: fc.constantFrom(",", ";", "\t", "|"),
    encoding: fc.constantFrom("utf-8", "utf-16le", "utf-16be"),
    ending: fc.constantFrom("\r\n", "\n", "\r"),
    order: fc.constantFrom("dmy", "mdy", "ymd"),
    sign: fc.constantFrom("/", "-", "."),
    perCitation: fc.boolean(),
    size: fc.integer({ min: 1, max: 500 }),
  } as const);
  await fc.assert(
    fc.asyncProperty(shape, async ({ separator, encoding, ending, order, sign, ...given }) => {
      const quoted = (each: string) =>
        /["\r\n]/.test(each) || each.includes(separator) ? `"${each.replaceAll('"', '""')}"` : each;
      const rows = given.answers.flatMap(({ prompt, provider, answeredAt, text, citations }) => {
        const cells = [prompt, names[provider], dateText(answeredAt, order, sign), text];
        const urls = citations.map(({ url }) => url);
        if (!given.perCitation) return [[...cells, urls.join(" ")]];
        return urls.length === 0 ? [[...cells, ""]] : urls.map((url) => [...cells, url]);
      });
      const lines = [header, ...rows].map((cells) => cells.map(quoted).join(separator) + ending);
      const rowIs = given.perCitation ? "citation" : "answer";
      const said = { ...mapping, separator, encoding, dateOrder: order, rowIs } as const;
      const read = await linesOf(saved(lines.join(""), encoding), said, given.size);
      assert.deepEqual(read, expected(given.answers));
    }),
  );
});

test("a workbook made of answers gives those answers back", async () => {
  await fc.assert(
    fc.asyncProperty(answers, async (given) => {
      const rows = given.map(({ prompt, provider, answeredAt, text, citations }) => [
        prompt,
        names[provider],
        { serial: serialOf(`${answeredAt}:00`) },
        text,
        citations.map(({ url }) => url).join("\n"),
      ]);
      const bytes = workbook([{ name: "Answers", rows: [header, ...rows] }]);
      // A workbook does not tell midnight from a day without a time.
      const said = { ...mapping, timeOfDay: "00:00" };
      assert.deepEqual(await linesOf(bytes, said, 4_096), expected(given));
    }),
    { numRuns: 30 },
  );
});

test("rows of any text do not depend on the pieces in which it comes", () => {
  const sign = fc.constantFrom("a", '"', ",", "\n", "\r", "\r\n", " ");
  fc.assert(
    fc.property(fc.array(fc.string({ unit: sign, maxLength: 6 }), { maxLength: 12 }), (pieces) => {
      const rowsOf = (texts: readonly string[]) => {
        const reader = new RowReader(",");
        return [...texts.flatMap((text) => reader.read(text)), ...reader.end()];
      };
      const whole = rowsOf([pieces.join("")]);
      assert.deepEqual(rowsOf(pieces), whole);
      assert.deepEqual(
        whole.map(({ number }) => number),
        whole.map((_, place) => place + 1),
      );
    }),
  );
});

/** The lines and faults of a table with commas. */
async function mapped(table: string, mapping: SheetMapping) {
  const { answers: found } = await mapSheet(inPieces(saved(table, "utf-8")), mapping);
  const all = await allOf(found);
  return {
    lines: all.flatMap(({ line }) => (line === null ? [] : [JSON.parse(line)])),
    faults: all.flatMap(({ faults }) => faults.map(({ row, message }) => [row, message])),
  };
}

test("columns are found by their begin, and of several the first with a cell counts", async () => {
  const table =
    "question,asked,engine,day,reply,page_1,page_2,page_3,seen,place\n" +
    "Which anvil?,,ChatGPT,2026-11-10,Acme.," +
    "https://a.example/,,https://b.example/,https://c.example/,United States\n" +
    ",Which hammer?,Claude,10 Nov 2026 08:00,Acme.,,,,,uk\n";
  const columns = {
    prompt: ["question", "asked"],
    provider: "engine",
    answeredAt: "day",
    text: "reply",
    citations: "page_*",
    retrieved: "seen",
    region: "place",
  };
  const { lines, faults } = await mapped(table, { columns, timeZone: "UTC", timeOfDay: "12:00Z" });
  assert.deepEqual(faults, []);
  assert.deepEqual(lines, [
    {
      prompt: "Which anvil?",
      provider: "OPENAI",
      answeredAt: "2026-11-10T12:00:00Z",
      text: "Acme.",
      region: "US",
      citations: [
        { url: "https://a.example/" },
        { url: "https://b.example/" },
        { url: "https://c.example/", cited: false },
      ],
    },
    {
      prompt: "Which hammer?",
      provider: "ANTHROPIC",
      answeredAt: "2026-11-10T08:00:00Z",
      text: "Acme.",
      region: "GB",
    },
  ]);
});

test("rows of a group are one answer, whose rows must not differ in what it says", async () => {
  const row = (run: string, text: string, url: string) => `${run},Which anvil?,${text},${url}\n`;
  const table =
    "run,prompt,text,url\n" +
    row("1", "Acme.", "https://a.example/") +
    row("1", "Acme.", "https://b.example/") +
    row("2", "Acme.", "https://a.example/") +
    row("3", "Acme.", "https://a.example/") +
    row("3", "Globex.", "https://b.example/");
  const { lines, faults } = await mapped(table, {
    columns: { prompt: "prompt", text: "text", citations: "url" },
    values: { provider: "GROK", answeredAt: "2026-11-10T08:00:00Z" },
    groupBy: ["run"],
    idFrom: ["run"],
  });
  assert.deepEqual(faults, [
    [6, "The row belongs to the answer of row 5, and differs from it in more than its source."],
  ]);
  const [one, two] = ["https://a.example/", "https://b.example/"].map((url) => ({ url }));
  assert.deepEqual(
    lines.map(({ citations }) => citations),
    [[one, two], [one]],
  );
  assert.equal(new Set(lines.map(({ id }) => id)).size, 2);
});

test("lists and replies that other tools write as JSON are read as the mapping says", async () => {
  const pages = JSON.stringify([{ link: "https://a.example/", name: "A", rank: 1 }, "b.example"]);
  const reply = JSON.stringify({
    output: [
      { type: "search", content: [{ type: "output_text", text: "no" }] },
      { type: "message", content: [{ type: "output_text", text: "Acme." }, { type: "x" }] },
      { type: "message", content: [{ type: "output_text", text: "Globex." }] },
    ],
  });
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const head = "prompt,text,pages,queries\n";
  const rows = [
    ["Which anvil?", reply, pages, '{anvils,"best, anvil",NULL}'],
    ["Which anvil?", '{"answer":"Acme."}', "", "anvils; best anvil"],
    ["Which anvil?", '{"__proto__":{"answer":"no"}}', "", ""],
  ];
  const { lines, faults } = await mapped(
    head + rows.map((cells) => `${cells.map(quote).join(",")}\n`).join(""),
    {
      columns: { prompt: "prompt", text: "text", citations: "pages", searchQueries: "queries" },
      values: { provider: "GROK", answeredAt: "2026-11-10T08:00:00Z" },
      textAt: ["output[type=message].content[].text", "answer"],
      citationKeys: { url: "link", title: "name" },
      queriesBy: "signs",
    },
  );
  assert.deepEqual(faults, [[4, "is a reply in which no text is at a known place."]]);
  assert.deepEqual(
    lines.map(({ text: of, citations, searchQueries }) => [of, citations, searchQueries]),
    [
      [
        "Acme.\nGlobex.",
        [{ url: "https://a.example/", title: "A" }, { url: "b.example" }],
        ["anvils", "best, anvil"],
      ],
      ["Acme.", undefined, ["anvils", "best anvil"]],
    ],
  );
});
