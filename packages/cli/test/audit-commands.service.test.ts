import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { openStorage, type Storage } from "@sightline/server/storage";
import { printedDocument } from "@sightline/test-kit/command.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { runHosted } from "./command-host.ts";

interface Listed {
  readonly sequence: number;
  readonly action: string;
  readonly actor: { readonly kind: string; readonly name: string };
}

test("the log says what commands changed; a changed entry is found", async (t) => {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const run = (command: string) => runHosted(command.split(" "), { folder });
  const entries = async (command: string) => {
    const finished = await run(`${command} --json`);
    assert.equal(finished.status, 0, finished.stderr);
    return (printedDocument(finished) as { entries: readonly Listed[] }).entries;
  };
  writeFileSync(join(folder, "workspace.json"), JSON.stringify({ account: "A", brand: "A" }));
  assert.equal((await run("apply workspace.json")).status, 0);
  assert.equal((await run("keys create --name board")).status, 0);
  const all = await entries("audit list");
  const user = userInfo().username;
  assert.deepEqual(
    all.map(({ action, actor }) => [action, actor.kind, actor.name]),
    [
      ["key.created", "command", user],
      ["workspace.applied", "command", user],
    ],
  );
  assert.deepEqual(await entries("audit list --action workspace.applied --limit 1"), [all[1]]);
  assert.deepEqual(await entries("audit list --from 2100-01-01"), []);
  const [created] = await entries("audit list --service");
  assert.equal(created?.action, "account.created");
  const { stdout } = await run("audit list");
  assert.match(stdout, /^NUMBER +TIME +ACTOR +ACTION +SUBJECT\n +2 +\S+ +command \S+ +key.created/);

  assert.match((await run("audit export log.ndjson")).stdout, /^log\.ndjson: 2 entries\./);
  const lines = readFileSync(join(folder, "log.ndjson"), "utf8").trimEnd().split("\n");
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)),
    all.toReversed(),
  );
  assert.match((await run("audit export log.ndjson")).stderr, /log\.ndjson exists already/);
  assert.match(
    (await run("audit verify")).stdout,
    /^2 entries, each follows .*\nLast hash: \w{64}$/m,
  );
  assert.equal((await run("doctor")).status, 0);

  const storage = await openStorage(join(folder, "data"));
  const edit = storage.control.database.updateTable("audit").set({ actor: "{}" });
  await edit.where("sequence", "=", 2).execute();
  await addChangedReport(storage);
  await storage.close();
  const verified = await run("audit verify");
  assert.equal(verified.status, 1);
  assert.match(verified.stdout, /^Entry 2 does not follow from the one before it/);
  const checked = await run("doctor");
  assert.equal(checked.status, 1);
  assert.match(
    checked.stdout,
    /control\.sqlite: entry 2 of the audit log of account \S+ was changed/,
  );
  assert.match(
    checked.stdout,
    /control\.sqlite: report r1 of account \S+ differs from what was made/,
  );
  assert.match((await run("audit list --account x --service")).stderr, /not both/);
});

async function addChangedReport({ control: { database } }: Storage): Promise<void> {
  const account = await database.selectFrom("accounts").select("id").executeTakeFirstOrThrow();
  const none = { compare_start_date: null, compare_end_date: null, superseded_by: null };
  await database
    .insertInto("reports")
    .values({
      ...none,
      account_id: account.id,
      id: "r1",
      name: "Weekly",
      start_date: "2026-05-25",
      end_date: "2026-05-31",
      language: "en",
      made_at: 0,
      due_at: null,
      actor: "{}",
      numbers: "{}",
      html: gzipSync("<p>other</p>"),
      html_bytes: 12,
      html_sha256: "0".repeat(64),
    })
    .execute();
}
