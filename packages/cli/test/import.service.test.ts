import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { gzipSync } from "node:zlib";
import {
  type CommandOptions,
  type Finished,
  printedDocument,
} from "@sightline/test-kit/command.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { serialOf, workbook } from "@sightline/test-kit/workbook-file.ts";
import { runHosted } from "./command-host.ts";

const workspace = {
  account: { name: "Acme" },
  brand: { name: "Acme" },
  prompts: [{ text: "What is the best anvil?" }],
};
const counts = { accepted: 0, duplicates: 0, rejected: 0, warnings: 0, rejectedFile: null };

/** A good line for each sample. */
function good(...samples: readonly number[]): string {
  const line = { prompt: "What is the best anvil?", provider: "GROK", text: "Acme." };
  const answeredAt = "2026-10-01T08:00:00Z";
  return samples.map((sample) => `${JSON.stringify({ ...line, answeredAt, sample })}\n`).join("");
}

/** A folder with a data folder that has an account. */
class Folder {
  readonly path = temporaryFolder();

  static async begin(t: TestContext): Promise<Folder> {
    const folder = new Folder();
    t.after(() => rmSync(folder.path, { recursive: true }));
    folder.write("workspace.json", JSON.stringify(workspace));
    assert.equal((await folder.run(["apply", "workspace.json"])).status, 0);
    return folder;
  }

  write(name: string, content: string | Uint8Array): void {
    writeFileSync(join(this.path, name), content);
  }

  /** The rejected lines that a file holds, as [file, line, input]. */
  rejected(name: string) {
    const records = readFileSync(join(this.path, name), "utf8").trimEnd().split("\n");
    return records.map((record) => {
      const { file, line, input } = JSON.parse(record) as Record<string, unknown>;
      return [file, line, input];
    });
  }

  run(parameters: readonly string[], options: CommandOptions = {}): Promise<Finished> {
    return runHosted([...parameters, "--data-dir", join(this.path, "data")], {
      folder: this.path,
      ...options,
    });
  }

  /** Runs an import with --json. @returns its exit status and its document. */
  async import(...parameters: readonly string[]): Promise<[number | null, unknown]> {
    const finished = await this.run(["import", ...parameters, "--json"]);
    return [finished.status, printedDocument(finished)];
  }
}

test("a CSV file is known by its name, and standard input by --format", async (t) => {
  const folder = await Folder.begin(t);
  const header = "prompt,provider,answeredAt,sample,text\n";
  const row = (sample: string) =>
    `What is the best anvil?,GROK,2026-10-01T08:00:00Z,${sample},Acme.`;
  folder.write("a.csv", `${header}${row("1")}\n${row("x")}\n"\n`);
  const rejectedFile = "a.csv.rejected";
  const first = { ...counts, accepted: 1, rejected: 2, rejectedFile };
  assert.deepEqual(await folder.import("a.csv"), [2, first]);
  const line = { prompt: "What is the best anvil?", provider: "GROK" };
  const answer = { ...line, answeredAt: "2026-10-01T08:00:00Z", sample: "x", text: "Acme." };
  assert.deepEqual(folder.rejected(rejectedFile), [
    ["a.csv", 3, JSON.stringify(answer)],
    ["a.csv", 4, '"\n'],
  ]);
  folder.write("same.ndjson", good(1));
  assert.deepEqual(await folder.import("same.ndjson"), [0, { ...counts, duplicates: 1 }]);
  const piped = ["import", "-", "--format", "CSV", "--json"];
  const finished = await folder.run(piped, { input: `${header}${row("2")}` });
  assert.deepEqual(printedDocument(finished), { ...counts, accepted: 1 });
  folder.write("b.csv", row("3"));
  const { status, stderr } = await folder.run(["import", "b.csv"]);
  assert.equal(status, 2);
  assert.match(stderr, /^sightline: b\.csv: Not known as columns: "What is the best anvil\?", /);
});

/** As a German Excel saves it: semicolons, windows-1252, a clock's time. */
const german =
  "Frage;Anbieter;Datum;Antwort\r\n" +
  'What is the best anvil?;ChatGPT;10.11.2026 09:30;"Größe: Acme,\nsonst keine."\r\n' +
  "What is the best anvil?;Google AI Mode;10.11.2026 09:30;Acme.\r\n" +
  "What is the best anvil?;Claude;bald;Acme.\r\n" +
  "Which hammer?;Claude;10.11.2026 09:30;Acme.\r\n";
const germanMap =
  "encoding: windows-1252\n" +
  "columns: { prompt: Frage, provider: Anbieter, answeredAt: Datum, text: Antwort }\n" +
  "dateOrder: dmy\n" +
  "timeZone: Europe/Berlin\n";

test("--map reads a table as its file says, and rejects cells by row and column", async (t) => {
  const folder = await Folder.begin(t);
  folder.write("map.yaml", germanMap);
  folder.write("Woche 46.csv", Buffer.from(german, "latin1"));
  const finished = await folder.run(["import", "Woche 46.csv", "--map", "map.yaml"]);
  assert.equal(finished.status, 2);
  assert.equal(
    finished.stdout,
    "Woche 46.csv: 2 accepted, 0 duplicates, 2 rejected (see Woche 46.csv.rejected)\n",
  );
  const [first, second] = finished.stderr.split("\n");
  assert.equal(
    first,
    'Woche 46.csv:4: Column C (Datum): "bald" is not a date. ' + "Write it as 2026-11-10 09:30.",
  );
  assert.match(second ?? "", /^Woche 46\.csv:5: .*prompt/);
  const row = ["What is the best anvil?", "Claude", "bald", "Acme."];
  const line = {
    prompt: "Which hammer?",
    provider: "ANTHROPIC",
    answeredAt: "2026-11-10T08:30:00Z",
    text: "Acme.",
  };
  assert.deepEqual(folder.rejected("Woche 46.csv.rejected"), [
    ["Woche 46.csv", 4, JSON.stringify(row)],
    ["Woche 46.csv", 5, JSON.stringify(line)],
  ]);
  // The same table in another form, with the mapping as JSON, has the same answers.
  const map = JSON.stringify({
    columns: { prompt: "Frage", provider: "Anbieter", answeredAt: "Datum", text: "Antwort" },
    dateOrder: "dmy",
    timeZone: "Europe/Berlin",
  });
  folder.write("map.json", map);
  folder.write("a.tsv", gzipSync(Buffer.from(`\ufeff${german.replaceAll(";", "\t")}`, "utf16le")));
  const again = { ...counts, duplicates: 2, rejected: 2 };
  assert.deepEqual(await folder.import("a.tsv", "--map", "map.json"), [
    2,
    { ...again, rejectedFile: "a.tsv.rejected" },
  ]);
  const at = { serial: serialOf("2026-11-10T09:30:00") };
  const rows = [
    ["Frage", "Anbieter", "Datum", "Antwort"],
    ["What is the best anvil?", "ChatGPT", at, "Größe: Acme,\nsonst keine."],
  ];
  folder.write("b.xlsx", workbook([{ name: "Tabelle1", rows }]));
  const known = [0, { ...counts, duplicates: 1 }];
  assert.deepEqual(await folder.import("b.xlsx", "--map", "map.json"), known);
});

test("--map names each fault and each open question, and imports nothing", async (t) => {
  const folder = await Folder.begin(t);
  folder.write("a.csv", german);
  const told = async (map: string, ...more: readonly string[]) => {
    folder.write("map.yaml", map);
    const { status, stderr } = await folder.run(["import", "a.csv", "--map", "map.yaml", ...more]);
    assert.equal(status, 2);
    return stderr;
  };
  assert.equal(
    await told("colums: {}\ndateOrder: dym\ncolumns:\n  prompt: 1\ntimeZone: Berlin\n"),
    `sightline: --map map.yaml: the mapping is not valid; nothing was imported.
  line 1: /colums: "colums" is not a known field. Did you mean columns?
  line 2: /dateOrder: must be dmy, mdy or ymd, got "dym". Did you mean dmy?
  line 4: /columns/prompt: must be a string, or a list of columns, got 1.
  line 5: /timeZone: must be a time zone, such as Europe/Berlin, UTC or +01:00.
`,
  );
  assert.equal(
    await told("columns: { prompt: Frage, provider: Anbieter, answeredAt: Datum }\n"),
    `sightline: a.csv: the mapping does not fit; nothing was imported.
  columns: name the column of text.
  dateOrder: "10.11.2026 09:30" may be read day first or month first. Write dmy, mdy or ymd.
  timeZone: "10.11.2026 09:30" has no time zone. Write the one it is in, for example Europe/Berlin \
or UTC.
`.replace("\\\n", ""),
  );
  assert.match(await told("columns: { prompt: Fragen }\n"), /Did you mean "Frage"\?/);
  assert.match(await told("- a\n"), /line 1: \/: must be an object/);
  assert.match(await told("a: [\n"), /line 2: \/: /);
  assert.match(await told(germanMap, "--format", "csv"), /--map and --format do not go together/);
});

test("where rejected lines cannot be saved, the others are recorded, and all count", async (t) => {
  const folder = await Folder.begin(t);
  folder.write("a.ndjson", `not json\n${good(1, 2)}`);
  // So long that the name with its ending cannot be created by any user.
  const name = `${"a".repeat(248)}.json`;
  folder.write(name, readFileSync(join(folder.path, "a.ndjson"), "utf8"));
  const finished = await folder.run(["import", name, "--json"]);
  assert.equal(finished.status, 2);
  const expected = { ...counts, accepted: 2, rejected: 1 };
  assert.deepEqual(printedDocument(finished), expected);
  assert.match(
    finished.stderr,
    /^sightline: warning: a+\.json: rejected lines are counted but not/,
  );
  assert.match(finished.stderr, /ENAMETOOLONG.* Name another file with --rejected FILE\.\n$/);
  const again = await folder.import(name, "--rejected", "bad.ndjson");
  const rejectedFile = "bad.ndjson";
  assert.deepEqual(again, [2, { ...counts, duplicates: 2, rejected: 1, rejectedFile }]);
  assert.deepEqual(folder.rejected("bad.ndjson"), [[name, 1, "not json"]]);
});

test("no import removes or overwrites a file: rejected lines get a new file", async (t) => {
  const folder = await Folder.begin(t);
  folder.write("a.ndjson", "one\n");
  folder.write("a.ndjson.rejected", good(1));
  const second = { ...counts, rejected: 1, rejectedFile: "a.ndjson.rejected.2" };
  assert.deepEqual(await folder.import("a.ndjson", "a.ndjson.rejected"), [
    2,
    {
      ...second,
      accepted: 1,
      files: [
        { ...second, file: "a.ndjson" },
        { ...counts, file: "a.ndjson.rejected", accepted: 1 },
      ],
    },
  ]);
  assert.equal(readFileSync(join(folder.path, "a.ndjson.rejected"), "utf8"), good(1));
  folder.write("a.ndjson", "two\n");
  const [, third] = await folder.import("a.ndjson");
  assert.deepEqual(third, { ...second, rejectedFile: "a.ndjson.rejected.3" });
  assert.deepEqual(folder.rejected("a.ndjson.rejected.2"), [["a.ndjson", 1, "one"]]);
  assert.deepEqual(folder.rejected("a.ndjson.rejected.3"), [["a.ndjson", 1, "two"]]);
});

test("imports of standard input at the same time keep the rejected lines of each", async (t) => {
  const folder = await Folder.begin(t);
  const words = ["one", "two", "three"];
  const finished = await Promise.all(
    words.map((word) => folder.run(["import", "-", "--json"], { input: `${word}\n`.repeat(300) })),
  );
  const files = finished.map(
    (each) => printedDocument<{ rejectedFile: string }>(each).rejectedFile,
  );
  assert.deepEqual(files.toSorted(), ["stdin.rejected", "stdin.rejected.2", "stdin.rejected.3"]);
  for (const [index, word] of words.entries()) {
    const kept = folder.rejected(files[index] ?? "");
    assert.equal(kept.length, 300);
    assert.ok(kept.every(([, , input]) => input === word));
  }
});

test("--rejected: one file for all, appended to; - is standard output", async (t) => {
  const folder = await Folder.begin(t);
  folder.write("a.ndjson", "one\n");
  folder.write("b.ndjson", `${good(1)}two\n`);
  const two = ["a.ndjson", "b.ndjson"];
  const [status] = await folder.import(...two, "--rejected", "bad");
  assert.equal(status, 2);
  const lines = [
    ["a.ndjson", 1, "one"],
    ["b.ndjson", 2, "two"],
  ];
  assert.deepEqual(folder.rejected("bad"), lines);
  await folder.import(...two, "--rejected", "bad");
  assert.deepEqual(folder.rejected("bad"), [...lines, ...lines]);

  const { stdout, stderr } = await folder.run(["import", ...two, "--rejected", "-"]);
  folder.write("out", stdout);
  assert.deepEqual(folder.rejected("out"), lines);
  assert.equal(
    stderr,
    "a.ndjson: 0 accepted, 0 duplicates, 1 rejected\n" +
      "b.ndjson: 0 accepted, 1 duplicates, 1 rejected\n",
  );
  assert.ok(!existsSync(join(folder.path, "a.ndjson.rejected")));
});

test("nothing is imported when one of the files is mistyped", async (t) => {
  const folder = await Folder.begin(t);
  folder.write("a.ndjson", good(1));
  const cases = [
    ["absent.ndjson", /^absent\.ndjson: no such file\.$/],
    ["a.ndjson/b", /^a\.ndjson\/b: it cannot be read: ENOTDIR/],
    ["data", /^data is a folder\./],
  ] as const;
  for (const [other, message] of cases) {
    const [status, document] = await folder.import("a.ndjson", other);
    assert.equal(status, 2);
    assert.match((document as { error: { message: string } }).error.message, message);
  }
  assert.deepEqual(await folder.import("a.ndjson"), [0, { ...counts, accepted: 1 }]);
});

test("--rejected that cannot hold is refused before anything is imported", async (t) => {
  const folder = await Folder.begin(t);
  folder.write("a.ndjson", good(1));
  const cases: readonly (readonly [place: string, message: RegExp])[] = [
    ["none/bad", /^--rejected none\/bad: the file cannot be written: ENOENT/],
    ["./a.ndjson", /^--rejected \.\/a\.ndjson: this file is being imported\. Name another file\.$/],
    ["-", /^--rejected - and --json both use standard output\. Give --rejected a file\.$/],
  ];
  for (const [place, message] of cases) {
    const [status, document] = await folder.import("a.ndjson", "--rejected", place);
    assert.equal(status, 2);
    assert.match((document as { error: { message: string } }).error.message, message);
  }
  assert.deepEqual(await folder.import("a.ndjson"), [0, { ...counts, accepted: 1 }]);
});

test("the first three reasons and what is not counted are told on the terminal", async (t) => {
  const folder = await Folder.begin(t);
  const unusual = good(1).replace("}", ',"citations":[{"url":"acme.com"}]}');
  folder.write("a.ndjson", `${unusual}id,text\n{\n\u001b[2J\nfour\n`);
  const { status, stdout, stderr } = await folder.run(["import", "a.ndjson"]);
  assert.equal(status, 2);
  assert.equal(
    stdout,
    "a.ndjson: 1 accepted, 0 duplicates, 4 rejected (see a.ndjson.rejected); " +
      "1 citation is kept but not counted: not an http or https URL\n",
  );
  const told = stderr.split("\n");
  assert.deepEqual(told.length, 4, stderr);
  assert.match(told[0] ?? "", /^a\.ndjson:2: .* The line looks like CSV, which has the format csv/);
  assert.match(told[1] ?? "", /^a\.ndjson:3: The line is not JSON: .*`jq -c \.` converts/);
  assert.match(told[2] ?? "", /^a\.ndjson:4: /);
  assert.ok(!stderr.includes("\u001b"));
});

test("a file that is not there, and a folder", async (t) => {
  const folder = await Folder.begin(t);
  assert.deepEqual(await folder.import("absent.ndjson"), [
    2,
    { error: { message: "absent.ndjson: no such file." } },
  ]);
  assert.deepEqual(await folder.import("."), [
    2,
    { error: { message: ". is a folder. Name the files in it, for example *.ndjson." } },
  ]);
});
