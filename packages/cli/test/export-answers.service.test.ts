import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { printedDocument } from "@sightline/test-kit/command.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { runHosted } from "./command-host.ts";

const promptIds = [1, 2].map((number) => `11111111-1111-4111-8111-11111111111${number}`);
const [anvil = "", storage = ""] = promptIds;
const workspaceOf = (name: string) => ({
  account: { name },
  brand: { name: "Acme", domains: ["acme.example"] },
  prompts: promptIds.map((id, index) => ({ id, text: `Prompt ${index}` })),
});

/** Everything that a line may have, and as little as it may. */
const lines = [
  {
    promptId: anvil,
    provider: "OPENAI",
    region: "us",
    sample: 7,
    model: "",
    surface: "web",
    answeredAt: "2026-01-05T08:00:00.001+01:00",
    text: "Acme\u0000 or 日本 👍\n\u2028\ud800",
    citations: [
      {
        url: "https://acme.example/a",
        title: "",
        cited: false,
        spans: [
          [0, 4],
          [5, 6],
        ],
      },
      { url: "mailto:a@b", title: "B" },
      { url: "" },
    ],
    metadata: { "2": 1, "1": [null, { b: 0.1 }], a: "\u007f" },
  },
  { promptId: storage, provider: "GROK", answeredAt: "0001-01-01T00:00:00Z", text: "None." },
  {
    id: "AAAAAAAA-0000-4000-8000-000000000001",
    promptId: storage,
    provider: "GEMINI",
    answeredAt: "2026-02-01T00:00:00Z",
    outcome: "absent",
    metadata: {},
  },
];

async function folderWithAnswers(t: TestContext) {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const run = (command: string) => runHosted(command.split(" "), { folder });
  const done = async (command: string) => {
    const finished = await run(command);
    assert.equal(finished.status, 0, finished.stderr);
    return finished;
  };
  writeFileSync(join(folder, "one.json"), JSON.stringify(workspaceOf("One")));
  writeFileSync(join(folder, "two.json"), JSON.stringify(workspaceOf("Two")));
  writeFileSync(join(folder, "lines.ndjson"), lines.map((line) => JSON.stringify(line)).join("\n"));
  await done("apply one.json");
  await done("import lines.ndjson");
  return { folder, run, done };
}

test("exported, imported into an empty account, exported again: the bytes are equal", async (t) => {
  const { folder, done } = await folderWithAnswers(t);
  const first = await done("export answers");
  assert.equal(first.stdout.split("\n").length, lines.length + 1);
  writeFileSync(join(folder, "first.ndjson"), first.stdout);

  await done("apply two.json --data-dir other");
  const imported = await done("import first.ndjson --data-dir other --json");
  const { accepted } = printedDocument<{ accepted: number }>(imported);
  assert.equal(accepted, lines.length);
  const written = await done("export answers second.ndjson --data-dir other --json");
  assert.deepEqual(printedDocument(written), { file: "second.ndjson", answers: lines.length });
  const second = join(folder, "second.ndjson");
  assert.equal(readFileSync(second, "utf8"), first.stdout);
  assert.equal(statSync(second).mode & 0o777, 0o600);

  // The same lines again are duplicates: nothing of an answer was lost.
  const again = await done("import second.ndjson --json");
  assert.equal(printedDocument<{ duplicates: number }>(again).duplicates, lines.length);
});

test("a range is half-open; what it takes for granted is not written", async (t) => {
  const { done } = await folderWithAnswers(t);
  const ranged = await done("export answers --from 0001-01-01 --to 2026-01");
  assert.deepEqual(
    ranged.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
    [
      {
        id: JSON.parse(ranged.stdout).id,
        promptId: storage,
        provider: "GROK",
        answeredAt: "0001-01-01T00:00:00.000Z",
        text: "None.",
        citations: [],
      },
    ],
  );
  assert.equal(
    (await done("export answers --from 2026-01-05T07:00:00.002Z")).stdout.length > 0,
    true,
  );
  assert.equal((await done("export answers --from 2026-02-02 --to 2026-03")).stdout, "");
});

test("what is refused, and what is left alone", async (t) => {
  const { folder, run } = await folderWithAnswers(t);
  for (const [command, message] of [
    ["export answers lines.ndjson", /lines\.ndjson exists already/],
    ["export answers --json", /both use standard output/],
    ["export answers --from 2026-02 --to 2026-01", /--from must be before --to/],
    ["export answers --from yesteryear", /--from: invalid time/],
    ["export answers --account 00000000-0000-4000-8000-000000000000", /No account has the id/],
    ["export answers --data-dir nowhere", /nowhere/],
  ] as const) {
    const refused = await run(command);
    assert.equal(refused.status, 2, command);
    assert.match(refused.stdout + refused.stderr, message);
  }
  assert.equal(readFileSync(join(folder, "lines.ndjson"), "utf8").split("\n").length, 3);
});

test("answers are written as Parquet, and nothing is left beside it", async (t) => {
  const { folder, run, done } = await folderWithAnswers(t);
  const finished = await done("export answers all.parquet --format parquet --json");
  assert.deepEqual(printedDocument(finished), { file: "all.parquet", answers: lines.length });
  // The format's mark, at both ends; answers-parquet.service.test.ts reads what is between.
  const file = readFileSync(join(folder, "all.parquet"));
  const mark = (bytes: Buffer) => bytes.toString("latin1");
  assert.deepEqual([mark(file.subarray(0, 4)), mark(file.subarray(-4))], ["PAR1", "PAR1"]);
  assert.deepEqual(
    readdirSync(folder).filter((name) => /\.(partial|lines)$/.test(name)),
    [],
  );
  for (const [command, fault] of [
    ["export answers --format parquet", "Parquet is written to a file. Name one."],
    ["export answers all.parquet --format parquet", "all.parquet exists already. Name a new file."],
  ] as const) {
    const { status, stderr } = await run(command);
    assert.deepEqual([status, stderr], [2, `sightline: ${fault}\n`]);
  }
});
