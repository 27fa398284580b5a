import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { printedDocument } from "@sightline/test-kit/command.ts";
import {
  ansvisorTables,
  type Cells,
  csvOf,
  elmoTables,
  endlessView,
  peecColumns,
  peecRows,
  profoundColumns,
  profoundRow,
  writeCanonry,
} from "@sightline/test-kit/foreign-exports.ts";
import { TestService, temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { runHosted } from "./command-host.ts";

const counts = { accepted: 0, duplicates: 0, rejected: 0, warnings: 0, rejectedFile: null };

/** A folder without data, in which exports are imported. */
function beginFolder(t: TestContext) {
  const path = temporaryFolder();
  t.after(() => rmSync(path, { recursive: true }));
  const run = (...parameters: readonly string[]) =>
    runHosted([...parameters, "--data-dir", join(path, "data")], { folder: path });
  return {
    path,
    run,
    write: (name: string, content: string) => writeFileSync(join(path, name), content),
    read: (name: string) => readFileSync(join(path, name), "utf8"),
    /** Its exit status and its document. */
    json: async (...parameters: readonly string[]) => {
      const finished = await run("import", ...parameters, "--json");
      return [finished.status, printedDocument(finished)] as const;
    },
  };
}

const profound = (...rows: readonly Cells[]) =>
  csvOf(
    profoundColumns,
    rows.map((row) => Object.fromEntries([...Object.entries(profoundRow), ...Object.entries(row)])),
  );

test("an export in an empty folder: dry run, workspace, import, and the number", async (t) => {
  const folder = beginFolder(t);
  folder.write(
    "raw.csv",
    `\ufeff${profound({}, { run_id: "r2" }, { run_id: "r3", date: "soon" })}`,
  );
  const dry = await folder.run("import", "raw.csv", "--dry-run", "--brand", "Tarnfell");
  assert.equal(dry.status, 2);
  assert.equal(dry.stderr, "sightline: raw.csv: an export of Profound.\n");
  assert.equal(
    dry.stdout,
    `raw.csv: 2 answers, 1 rejected; nothing was imported.
  prompt = prompt
  provider = platform
  answeredAt = date
  text = response
  citations = citation_*
  region = region
  searchQueries = search_queries
  topic = topic
  tags = tags
2 dates without a time of day: noon UTC is taken.
  row 4: Column B (date): "soon" is not a date. Write it as 2026-11-10 09:30.

Columns that are left out:
  platformId: the same stands in another column
  mentions, position, mentioned?: Sightline measures this itself, from the texts of answers
  normalized_mentions: Sightline measures this itself, from the texts of answers; the names are \
proposed

Not tracked yet: 1 prompt, 1 topic, 0 competitors. The workspace file with them:

account: "Tarnfell"
brand: "Tarnfell"
# The export names these, and nobody tracks them. Move those that matter to competitors:
#  - "Globex" # 3
topics:
  - "Anvils"
prompts:
  - {"text":"What is the best anvil?","topic":"Anvils","tags":["tools","steel"]}
`,
  );
  assert.equal(existsSync(join(folder.path, "data")), false);
  const made = ["--dry-run", "--brand", "Tarnfell", "--workspace", "workspace.yaml"];
  await folder.json("raw.csv", ...made);
  const again = await folder.run("import", "raw.csv", ...made);
  assert.match(again.stderr, /--workspace workspace\.yaml: the file exists already\./);
  assert.equal((await folder.run("apply", "workspace.yaml")).status, 0);
  const rejectedFile = "raw.csv.rejected";
  assert.deepEqual(await folder.json("raw.csv"), [
    2,
    { ...counts, accepted: 2, rejected: 1, rejectedFile },
  ]);
  assert.deepEqual(await folder.json("raw.csv", "--from", "profound", "--rejected", "bad"), [
    2,
    { ...counts, duplicates: 2, rejected: 1, rejectedFile: "bad" },
  ]);
  const after = await folder.run("import", "raw.csv", "--dry-run");
  assert.match(after.stdout, /\n\nThe workspace has every prompt of it\.\n$/);
});

test("an export counts at a service, and the number is what its texts say", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const folder = beginFolder(t);
  const account = await service.apply({
    account: "Tarnfell",
    brand: "Tarnfell",
    competitors: ["Globex"],
    prompts: ["What is the best anvil?"],
  });
  const url = await service.listen();
  folder.write("import.key", await service.key(account, ["import"]));
  folder.write("raw.csv", profound({}, { run_id: "r2", response: "Take Globex." }));
  const sent = ["import", "raw.csv", "--url", url, "--key-file", "import.key", "--json"];
  const finished = await runHosted(sent, { folder: folder.path });
  assert.deepEqual([finished.status, printedDocument(finished)], [0, { ...counts, accepted: 2 }]);
  await service.settle(account);
  const reply = await service.post("/v1/analytics/brands/overall-visibility", {
    token: await service.session(account),
    body: {
      interval: "monthly",
      filters: { timeRange: { from: "2026-11-01T00:00:00Z", to: "2026-12-01T00:00:00Z" } },
    },
  });
  assert.match(reply.body, /"value":0\.5[,}].*"value":1[,}]/);
});

test("Elmo's files are one export, in any order and as JSON too", async (t) => {
  const folder = beginFolder(t);
  const names = Object.keys(elmoTables) as (keyof typeof elmoTables)[];
  for (const name of names) {
    folder.write(`${name}.csv`, csvOf(Object.keys(elmoTables[name][0]), elmoTables[name]));
  }
  const files = names.map((name) => `${name}.csv`).toReversed();
  const [status, dry] = await folder.json(...files, "--dry-run", "--workspace", "w.yaml");
  assert.deepEqual([status, (dry as { source: string }).source], [0, "elmo"]);
  assert.equal(
    folder.read("w.yaml"),
    `account: "Tarnfell"
brand: {"name":"Tarnfell","domains":["https://tarnfell.example"]}
competitors:
  - {"name":"Globex","domains":["globex.example"],"aliases":["Globex Inc"]}
prompts:
  - {"text":"What is the best anvil?","tags":["a"]}
  - {"text":"Which hammer?","paused":true}
`,
  );
  assert.equal((await folder.run("apply", "w.yaml")).status, 0);
  assert.deepEqual(await folder.json(...files), [0, { ...counts, accepted: 1 }]);
  folder.write("all.json", JSON.stringify(elmoTables));
  assert.deepEqual(await folder.json("all.json"), [0, { ...counts, duplicates: 1 }]);
  folder.write("cut.json", JSON.stringify(elmoTables).slice(0, -5));
  const cut = await folder.run("import", "cut.json", "--from", "elmo");
  assert.match(cut.stderr, /The file is not JSON\. Is it cut off\?/);
});

test("Ansvisor's tables as JSON", async (t) => {
  const folder = beginFolder(t);
  folder.write("ansvisor.json", JSON.stringify(ansvisorTables));
  const [status, dry] = await folder.json("ansvisor.json", "--dry-run", "--workspace", "w.yaml");
  const { source, files } = dry as { source: string; files: readonly Record<string, unknown>[] };
  assert.deepEqual([status, source], [2, "ansvisor"]);
  const [{ example, rejections } = {}] = files;
  assert.deepEqual(example, {
    id: "3f0c8f0e-5a0f-4a52-9d0a-0d5b6f1c2a11",
    prompt: "What is the best anvil?",
    provider: "OPENAI",
    model: "gpt-5",
    answeredAt: "2026-11-02T08:00:00Z",
    text: "Take Tarnfell.",
    region: "US",
    searchQueries: ["best anvils"],
    citations: [{ url: "https://tarnfell.example/", title: "Tarnfell" }],
  });
  assert.match(JSON.stringify(rejections), /chatgpt-shopping/);
  assert.equal((await folder.run("apply", "w.yaml")).status, 0);
  const done = await folder.json("ansvisor.json", "--from", "ansvisor");
  const rejectedFile = "ansvisor.json.rejected";
  assert.deepEqual(done, [2, { ...counts, accepted: 1, rejected: 1, rejectedFile }]);
});

test("Canonry's database is only read, and nothing in it runs", async (t) => {
  const folder = beginFolder(t);
  const file = join(folder.path, "canonry.db");
  writeCanonry(file);
  const bytes = readFileSync(file);
  const [status, dry] = await folder.json("canonry.db", "--dry-run", "--workspace", "w.yaml");
  const { source, files } = dry as { source: string; files: readonly Record<string, unknown>[] };
  assert.deepEqual([status, source, files[0]?.["answers"]], [2, "canonry", 2]);
  assert.equal((await folder.run("apply", "w.yaml")).status, 0);
  assert.match(folder.read("w.yaml"), /^brand: .*"aliases":\["TF"\]/m);
  const first = await folder.json("canonry.db");
  const rejectedFile = "canonry.db.rejected";
  assert.deepEqual(first, [2, { ...counts, accepted: 2, rejected: 1, rejectedFile }]);
  const second = await folder.json("canonry.db", "--rejected", "bad");
  assert.deepEqual(second, [2, { ...counts, duplicates: 2, rejected: 1, rejectedFile: "bad" }]);
  assert.deepEqual(readFileSync(file), bytes);
  assert.equal(existsSync(`${file}-shm`), false);
  writeFileSync(`${file}-wal`, "something");
  assert.match((await folder.run("import", "canonry.db")).stderr, /VACUUM INTO/);
  rmSync(`${file}-wal`);
  writeFileSync(file, bytes.subarray(0, 5_000));
  const cut = await folder.run("import", "canonry.db", "--from", "canonry");
  assert.match(cut.stderr, /canonry\.db: the database cannot be read: /);
  writeCanonry(join(folder.path, "hostile.db"), endlessView);
  const refused = await folder.run("import", "hostile.db", "--from", "canonry");
  assert.match(refused.stderr, /hostile\.db: not an export of Canonry/);
});

test("Peec's prompts have no answers, and make a workspace file", async (t) => {
  const folder = beginFolder(t);
  folder.write("prompts.csv", csvOf(peecColumns, peecRows));
  const finished = await folder.run("import", "prompts.csv");
  assert.equal(finished.status, 2);
  assert.match(finished.stderr, /the export has no answers, only prompts/);
  const made = ["--dry-run", "--brand", "Tarnfell", "--workspace", "w.yaml"];
  assert.equal((await folder.json("prompts.csv", ...made))[0], 0);
  assert.equal((await folder.run("apply", "w.yaml")).status, 0);
});

test("columns on the command line read any table, joined by a run", async (t) => {
  const folder = beginFolder(t);
  folder.write("w.yaml", "account: Tarnfell\nbrand: Tarnfell\nprompts: [Which anvil?]\n");
  assert.equal((await folder.run("apply", "w.yaml")).status, 0);
  folder.write(
    "week.csv",
    "Run;Datum;Frage;KI;Antwort;Quelle\n" +
      "1;02.11.2026;Which anvil?;Chat GPT;Tarnfell.;https://a.example/\n" +
      "1;02.11.2026;Which anvil?;Chat GPT;Tarnfell.;https://b.example/\n" +
      "2;25.11.2026;Which anvil?;claude;Globex.;https://a.example/\n",
  );
  const map = "prompt=Frage,provider=KI,answeredAt=Datum,text=Antwort,citations=Quelle";
  const given = ["week.csv", "--map", map, "--set", "region=DE", "--group-by", "Run"];
  const [status, dry] = await folder.json(...given, "--dry-run");
  const [file] = (dry as { files: readonly Record<string, unknown>[] }).files;
  assert.deepEqual([status, file?.["answers"], file?.["withoutTime"]], [0, 2, 3]);
  assert.deepEqual(file?.["example"], {
    region: "DE",
    prompt: "Which anvil?",
    provider: "OPENAI",
    answeredAt: "2026-11-02T12:00:00Z",
    text: "Tarnfell.",
    citations: [{ url: "https://a.example/" }, { url: "https://b.example/" }],
  });
  assert.deepEqual(await folder.json(...given), [0, { ...counts, accepted: 2 }]);
  const stray = await folder.run("import", "w.yaml", "--set", "region=DE");
  assert.match(stray.stderr, /--set is for tables and exports of other tools/);
  const wrong = await folder.run("import", "week.csv", "--map", map, "--set", "timezone=UTC");
  assert.match(wrong.stderr, /\/timezone: .* Did you mean timeZone\?/);
});
