import assert from "node:assert/strict";
import { test } from "node:test";
import { saved } from "../test/files.ts";
import {
  encodings,
  guessColumns,
  guessEncoding,
  guessHeader,
  guessSeparator,
  providerOf,
  RowReader,
  type Separator,
  timeOfDay,
  writtenDate,
} from "./index.ts";
import { isOwnCsv } from "./own-csv.ts";

const rowsOf = (text: string, separator: Separator = ";") => {
  const reader = new RowReader(separator);
  return [...reader.read(text), ...reader.end()];
};

test("an encoding is told by its mark, by zeros, by being UTF-8, or asked", () => {
  for (const encoding of encodings) {
    for (const hasMark of [true, false]) {
      const isCertain = encoding !== "windows-1252";
      const guess = guessEncoding(saved("Größe;Datum\n", encoding, hasMark));
      assert.deepEqual(guess, { value: encoding, isCertain });
    }
  }
  assert.deepEqual(guessEncoding(saved("a;b\n", "utf-8", false)).isCertain, true);
  // One stray zero does not make letters of two bytes.
  const stray = saved("Groesse\0;Datum\n", "utf-8", false);
  assert.equal(guessEncoding(stray).isCertain, false);
  // The head of a file may end inside a character.
  const cut = saved("Größe", "utf-8", false).subarray(0, 4);
  assert.deepEqual(guessEncoding(cut), { value: "utf-8", isCertain: true });
});

test("a separator is told by rows of one width or by columns that are known", () => {
  const certain = (value: Separator) => ({ value, isCertain: true });
  assert.deepEqual(guessSeparator("a;b\n1,5;2\n", true), certain(";"));
  assert.deepEqual(guessSeparator('a,b\n"x;y",2\n', true), certain(","));
  assert.deepEqual(guessSeparator("Frage;Antwort\na,b;c,d\n", true), certain(";"));
  assert.deepEqual(guessSeparator("sep=|\na|b;c\n", true), certain("|"));
  assert.deepEqual(guessSeparator("a\tb\n1\t2", true), certain("\t"));
  // The last row is cut off with the head of the file.
  assert.deepEqual(guessSeparator("a;b\n1;2\n1", false), certain(";"));
  assert.equal(guessSeparator("a,b;c\n1,2;3\n", true).isCertain, false);
  assert.equal(guessSeparator("alone\n", true).isCertain, false);
  assert.equal(guessSeparator("", true).isCertain, false);
});

test("the header is the first row that names known columns", () => {
  const rows = rowsOf("Woche 46\n\nFrage;Anbieter;Datum\na;b;c\n");
  assert.deepEqual(guessHeader(rows), { value: 3, isCertain: true });
  assert.deepEqual(guessHeader(rowsOf("a;ChatGPT\n")), { value: 0, isCertain: false });
  assert.deepEqual(guessHeader(rowsOf("x;y\n1;2\n")), { value: 1, isCertain: false });
  const twice = rowsOf("Prompt;Date\na;b\nPrompt;Date\n");
  assert.deepEqual(guessHeader(twice), { value: 1, isCertain: false });
});

test("columns are guessed by their names, then by what their cells are", () => {
  const rows = rowsOf(
    "Suchanfrage;Wo;Wann;Antwort;Links im Text;Land\n" +
      "a;ChatGPT;10.11.2026 09:30;b;https://globex.example;DE\n",
  );
  assert.deepEqual(guessColumns(rows, 1), {
    prompt: 0,
    text: 3,
    region: 5,
    answeredAt: 2,
    citations: 4,
    provider: 1,
  });
  assert.deepEqual(guessColumns(rows.slice(1), 0), { answeredAt: 2, citations: 4, provider: 1 });
});

test("providers have the names that people write, and open ones have none", () => {
  const names = ["ChatGPT", "chat gpt", "Google AI Mode", "AI Overviews", "perplexity.ai", "XAI"];
  assert.deepEqual(names.map(providerOf), [
    ...["OPENAI", "OPENAI", "GOOGLE_AI_MODE", "GOOGLE_AI_OVERVIEW", "PERPLEXITY", "GROK"],
  ]);
  const codes = ["GOOGLE_AI_MODE", "openai", "Google KI-Übersicht", "Google", "", "Bing"];
  assert.deepEqual(codes.map(providerOf), [
    ...["GOOGLE_AI_MODE", "OPENAI", "GOOGLE_AI_OVERVIEW", null, null, null],
  ]);
});

test("Sightline's own CSV is known by its first line", () => {
  const own = (text: string) => isOwnCsv(saved(text, "utf-8"));
  assert.ok(own('prompt,"provider",answeredAt\nx,y,z\n'));
  const others = [
    "prompt;provider",
    "Prompt,provider",
    "prompt,text",
    `provider,${" ".repeat(9e5)}`,
  ];
  assert.deepEqual(others.map(own), [false, false, false, false]);
});

test("long cells of spaces take no longer than others", () => {
  const cell = `9${" ".repeat(1_000_000)}x`;
  assert.deepEqual([timeOfDay(cell), writtenDate(cell), providerOf(cell)], [null, null, null]);
});
