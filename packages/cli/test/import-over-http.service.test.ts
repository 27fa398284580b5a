import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { gzipSync } from "node:zlib";
import { importsOf } from "@sightline/server/import-store";
import { type CommandOptions, printedDocument } from "@sightline/test-kit/command.ts";
import { TestService, temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { runHosted } from "./command-host.ts";

const folder = temporaryFolder();
const service = await TestService.start();
after(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});
const url = await service.listen();
const prompt = "What is the best anvil?";
const accountId = await service.apply({ account: "Acme", brand: "Acme", prompts: [prompt] });
const key = await service.key(accountId, ["import"]);
write("import.key", `${key}\n\nKey x of account y.\n`);

function write(name: string, content: string | Buffer): void {
  writeFileSync(join(folder, name), content);
}

function line(sample: number): string {
  const answer = { prompt, provider: "GROK", text: "Acme.", answeredAt: "2026-10-01T08:00:00Z" };
  return `${JSON.stringify({ ...answer, sample })}\n`;
}

function lines(from: number, count: number): string {
  return Array.from({ length: count }, (_, index) => line(from + index)).join("");
}

/** Runs an import, without anything of this machine's own. */
function imported(parameters: readonly string[], options: CommandOptions = {}) {
  const environment = { XDG_CONFIG_HOME: folder, ...options.environment };
  return runHosted(["import", ...parameters], { folder, ...options, environment });
}

const counts = { accepted: 0, duplicates: 0, rejected: 0, warnings: 0, rejectedFile: null };
const withFile = ["--url", url, "--key-file", "import.key"];

test("a file is sent in parts, and the same file again is duplicates", async () => {
  write("a.ndjson.gz", gzipSync(lines(0, 4_500)));
  const first = await imported(["a.ndjson.gz", ...withFile, "--json"]);
  assert.deepEqual([first.status, first.stderr], [0, ""]);
  assert.deepEqual(printedDocument(first), { ...counts, accepted: 4_500 });
  const environment = { SIGHTLINE_KEY: key };
  const again = await imported(["a.ndjson.gz", "--url", url], { environment });
  assert.deepEqual(
    [again.status, again.stdout, again.stderr],
    [0, "a.ndjson.gz: 0 accepted, 4500 duplicates, 0 rejected\n", ""],
  );
  assert.equal((await service.services.answers.end(accountId)).sequence, 4_500);
  const parts = await importsOf(service.services.control, accountId);
  assert.deepEqual([...new Set(parts.map(({ source }) => source))], ["a.ndjson.gz"]);
});

test("a mapped table is sent as lines, whose faults have the numbers of its rows", async () => {
  write("map.yaml", "columns: { prompt: p, provider: who, answeredAt: when, text: what }\n");
  const row = (who: string, when = "2026-10-03T08:00:00Z", what = "Acme.") =>
    `${prompt},${who},${when},${what}\n`;
  const rows = [
    row("Claude"),
    row("Gemini", "bald"),
    row("Grok"),
    row("Grok"),
    row("Grok", "", ""),
  ];
  write("b.csv", `p,who,when,what\n${rows.join("")}`);
  const { status, stdout, stderr } = await imported(["b.csv", "--map", "map.yaml", ...withFile]);
  assert.deepEqual(
    [status, stdout],
    [2, "b.csv: 2 accepted, 1 duplicates, 2 rejected (see b.csv.rejected)\n"],
  );
  const [first = "", second = ""] = stderr.split("\n");
  assert.match(first, /^b\.csv:3: Column C \(when\): "bald" is not a date/);
  assert.match(second, /^b\.csv:6: Column C \(when\): must not be empty\./);
});

test("a file's name that nobody can read in a list is sent as it is shown", async () => {
  const name = `\u202e\n${"x".repeat(240)}`;
  write(name, line(4_900));
  assert.equal((await imported([name, ...withFile])).status, 0);
  const [latest] = await importsOf(service.services.control, accountId);
  assert.equal(latest?.source, `\\u{202e}\\u{a}${"x".repeat(240)}`);
});

test("rejected lines are shown and saved as those of an import here", async () => {
  const bad = '{"provider":"openai"}';
  write("mixed.ndjson", `${lines(5_000, 2_100)}not json\n\n${bad}\n${line(9_000)}`);
  const { status, stdout, stderr } = await imported(["mixed.ndjson", ...withFile]);
  assert.equal(status, 2);
  assert.equal(
    stdout,
    "mixed.ndjson: 2101 accepted, 0 duplicates, 2 rejected (see mixed.ndjson.rejected)\n",
  );
  const [first = "", second = ""] = stderr.split("\n");
  assert.match(first, /^mixed\.ndjson:2101: The line is not a JSON object: it begins with "n"/);
  assert.match(second, /^mixed\.ndjson:2103: \/provider: must be .* \/answeredAt: is required/);
  const saved = readFileSync(join(folder, "mixed.ndjson.rejected"), "utf8").trimEnd().split("\n");
  const records = saved.map((record) => JSON.parse(record));
  assert.deepEqual(
    records.map(({ file, line: number, input }) => [file, number, input]),
    [
      ["mixed.ndjson", 2_101, "not json"],
      ["mixed.ndjson", 2_103, bad],
    ],
  );
  assert.deepEqual(
    records.map(({ errors }) => errors.map(({ path }: { path: string }) => path)),
    [[], ["/provider", "/answeredAt"]],
  );
});

test("a line that is not UTF-8 is rejected, as by an import here", async () => {
  const latin = Buffer.from(line(30_001).replace("Acme.", "Acm\xe9."), "latin1");
  write("latin.ndjson", Buffer.concat([Buffer.from(line(30_000)), latin]));
  const finished = await imported(["latin.ndjson", ...withFile, "--json"]);
  const rejectedFile = "latin.ndjson.rejected";
  const expected = { ...counts, accepted: 1, rejected: 1, rejectedFile };
  assert.deepEqual(printedDocument(finished), expected);
  const saved = JSON.parse(readFileSync(join(folder, rejectedFile), "utf8"));
  assert.equal(saved.reason, "The line is not UTF-8.");
  assert.equal(saved.inputBase64, latin.subarray(0, -1).toString("base64"));
});

test("of very many rejected lines of a part, some are not named", async () => {
  write("bad.ndjson", "x\n".repeat(300));
  const finished = await imported(["bad.ndjson", ...withFile, "--json"]);
  assert.equal(finished.status, 2);
  assert.match(
    finished.stderr,
    /warning: bad\.ndjson: the service named 100 of 300 rejected lines/,
  );
  const rejectedFile = "bad.ndjson.rejected";
  assert.deepEqual(printedDocument(finished), { ...counts, rejected: 300, rejectedFile });
});

test("standard input, and several files with the sums", async () => {
  write("b.ndjson", lines(20_000, 2));
  const finished = await imported(["b.ndjson", "-", ...withFile, "--json"], {
    input: lines(20_001, 2),
  });
  assert.equal(finished.status, 0);
  assert.deepEqual(printedDocument(finished), {
    ...counts,
    accepted: 3,
    duplicates: 1,
    files: [
      { ...counts, accepted: 2, file: "b.ndjson" },
      { ...counts, accepted: 1, duplicates: 1, file: "-" },
    ],
  });
});

test("CSV is sent as the lines that it means, its records named by their lines", async () => {
  const row = (sample: number, text: string) =>
    `${prompt},GROK,2026-10-02T08:00:00Z,${sample},${text}`;
  const rows = ["prompt,provider,answeredAt,sample,text", row(0, '"a\nb"'), row(-1, "c"), "x,y"];
  write("table.csv", [...rows, row(2, "d"), ""].join("\r\n"));
  const { status, stdout, stderr } = await imported(["table.csv", ...withFile]);
  const counted = "table.csv: 2 accepted, 0 duplicates, 2 rejected (see table.csv.rejected)\n";
  assert.deepEqual([status, stdout], [2, counted]);
  assert.match(stderr, /^table\.csv:5: The record has 2 cells/m);
  assert.match(stderr, /^table\.csv:4: \/sample: must be at least 0, got -1\./m);
  const bad = await imported(["-", "--format", "csv", ...withFile], { input: "prompt\n" });
  assert.deepEqual([bad.status, bad.stdout], [2, ""]);
  assert.match(bad.stderr, /^sightline: -: The column "provider" is missing\./);
});

/** Command lines that send nothing, and what they complain of. */
const refused: readonly (readonly [parameters: readonly string[], complaint: RegExp])[] = [
  [["b.ndjson", "--key-file", "import.key"], /--key-file is the key of a service/],
  [["b.ndjson", "--url", url], /No API key is set/],
  [["b.ndjson", "--url", "ftp://x", "--key-file", "import.key"], /--url: invalid address/],
  [["b.ndjson", "--url", url, "--key-file", "none"], /--key-file none: the file cannot be read/],
  [["b.ndjson", "--url", url, "--key-file", "b.ndjson"], /--key-file b\.ndjson: not an API key/],
  [["b.ndjson", ...withFile, "--account", "x"], /--account and --data-dir do not go with --url/],
  [["b.ndjson", ...withFile, "--data-dir", "x"], /--account and --data-dir do not go with --url/],
];

for (const [parameters, complaint] of refused) {
  test(`wrong usage: ${parameters.slice(1).join(" ").replace(url, "URL")}`, async () => {
    const { status, stderr } = await imported(parameters);
    assert.equal(status, 2);
    assert.match(stderr, complaint);
  });
}

test("a service that refuses ends the command, and says why", async () => {
  const reading = await service.key(accountId);
  const environment = { SIGHTLINE_KEY: reading };
  const { status, stderr } = await imported(["b.ndjson", "--url", url], { environment });
  assert.equal(status, 1);
  assert.match(stderr, /^sightline: b\.ndjson: interrupted after 0 accepted and 0 duplicates: /);
  assert.match(stderr, /answered 403 scope_missing: This operation needs a key with the scope imp/);
});

test("an address in the environment alone sends nothing anywhere", async () => {
  const environment = { SIGHTLINE_URL: url, SIGHTLINE_KEY: key };
  const { status, stderr } = await imported(["b.ndjson"], { environment });
  assert.equal(status, 2);
  assert.match(stderr, /There are no accounts yet/);
});
