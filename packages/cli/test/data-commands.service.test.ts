import assert from "node:assert/strict";
import { cpSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, type TestContext, test } from "node:test";
import { gzipSync, zstdCompressSync } from "node:zlib";
import {
  type CommandOptions,
  type Finished,
  printedDocument,
} from "@sightline/test-kit/command.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { runHosted } from "./command-host.ts";

const accountId = "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a001";
const otherAccount = "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a002";
const promptId = "11111111-1111-4111-8111-111111111111";
const workspace = {
  account: { id: accountId, name: "Acme" },
  brand: { name: "Acme" },
  prompts: [{ id: promptId, text: "What is the best anvil?" }],
};

/** A line for each sample. */
function lines(...samples: readonly number[]): string {
  return samples
    .map((sample) => {
      const answeredAt = "2026-10-01T08:00:00Z";
      const line = { promptId, provider: "GROK", answeredAt, sample, text: "Acme." };
      return `${JSON.stringify(line)}\n`;
    })
    .join("");
}

/** A folder with files, and the commands run in it on its data folder. */
class Folder {
  readonly path: string;

  constructor(t: TestContext) {
    this.path = temporaryFolder();
    t.after(() => rmSync(this.path, { recursive: true }));
  }

  write(name: string, content: string | Buffer | object): string {
    const isText = typeof content === "string" || Buffer.isBuffer(content);
    writeFileSync(this.file(name), isText ? content : JSON.stringify(content));
    return name;
  }

  file(name: string): string {
    return join(this.path, name);
  }

  run(command: string, options: CommandOptions = {}): Promise<Finished> {
    return runHosted(command.split(" "), { folder: this.path, ...options });
  }

  /** Runs it with --json. @returns its exit status and its document. */
  async json(command: string, options: CommandOptions = {}): Promise<[number | null, unknown]> {
    const finished = await this.run(`${command} --json`, options);
    return [finished.status, printedDocument(finished)];
  }

  static withAccount(t: TestContext): Folder {
    const folder = new Folder(t);
    cpSync(applied, folder.path, { recursive: true });
    return folder;
  }
}

/** A folder in which the workspace was applied: what a command costs is mostly its start. */
const applied = temporaryFolder();
after(() => rmSync(applied, { recursive: true }));
writeFileSync(join(applied, "workspace.json"), JSON.stringify(workspace));
assert.equal((await runHosted(["apply", "workspace.json"], { folder: applied })).status, 0);

const counts = { accepted: 0, duplicates: 0, rejected: 0, warnings: 0, rejectedFile: null };

/** The numbers of a report; what it names is looked at where it matters. */
function countsOf(document: unknown) {
  const { created, updated, retired, unchanged } = document as Record<string, unknown>;
  return { created, updated, retired, unchanged };
}

const none = { created: 0, updated: 0, retired: 0, unchanged: 0 };

test("apply: what it did, twice the same, YAML from standard input", async (t) => {
  const folder = new Folder(t);
  folder.write("workspace.json", workspace);
  const [status, first] = await folder.json("apply workspace.json");
  assert.equal(status, 0);
  const brandId = (first as { changes: { created: { id: string }[] } }).changes.created[1]?.id;
  assert.deepEqual(first, {
    accountId,
    accountName: "Acme",
    ...none,
    created: 3,
    changes: {
      created: [
        { kind: "account", id: accountId, name: "Acme" },
        { kind: "brand", id: brandId, name: "Acme" },
        { kind: "prompt", id: promptId, name: "What is the best anvil?" },
      ],
      updated: [],
      retired: [],
      returned: [],
    },
    dryRun: false,
    answersNoLongerCounted: 0,
    answersCountedAgain: 0,
    warnings: [],
  });
  const [, again] = await folder.json("apply workspace.json");
  assert.deepEqual(countsOf(again), { ...none, unchanged: 3 });
  const brand = "brand: { name: Acme, aliases: [Keeper] }";
  const input = `account: { id: ${accountId}, name: Acme }\n${brand}\n`;
  const [, other] = await folder.json("apply -", { input });
  assert.deepEqual(countsOf(other), { ...none, updated: 1, retired: 1, unchanged: 1 });
  const { status: back, stdout, stderr } = await folder.run("apply workspace.json");
  assert.deepEqual(
    [back, stdout, stderr],
    [0, `Account ${accountId}: 0 created, 2 updated, 0 retired, 1 unchanged.\n`, ""],
  );
  assert.ok(existsSync(folder.file("data/control.sqlite")), "the data folder is ./data");
});

test("apply: names and ids of what it created and retired, and lost answers", async (t) => {
  const folder = Folder.withAccount(t);
  folder.write("a.ndjson", lines(1, 2, 3));
  await folder.json("import a.ndjson");
  folder.write("other.json", {
    ...workspace,
    prompts: [{ id: "11111111-1111-4111-8111-111111111112", text: "Is \u001b[31mred good?" }],
  });
  const dry = await folder.run("apply other.json --dry-run");
  const { status, stdout, stderr } = await folder.run("apply other.json");
  assert.equal(status, 0);
  assert.equal(
    stdout,
    [
      `Account ${accountId}: 1 created, 0 updated, 1 retired, 2 unchanged.`,
      "created:",
      "  prompt      11111111-1111-4111-8111-111111111112  Is \\u{1b}[31mred good?",
      "retired:",
      `  prompt      ${promptId}  What is the best anvil?`,
      "",
    ].join("\n"),
  );
  assert.equal(
    stderr,
    "sightline: warning: 3 answers of retired prompts no longer count. They stay recorded; they " +
      "count again when a file names the prompts with the same ids.\n",
  );
  assert.deepEqual(dry, { ...dry, stdout: `Dry run, nothing was written. ${stdout}`, stderr });
  const back = await folder.run("apply workspace.json --dry-run");
  const opening = "Dry run, nothing was written. ";
  const [first, second] = back.stdout.replace(opening, "").split("\n");
  assert.match(first ?? "", /0 created, 1 updated, 1 retired, 2 unchanged\.$/);
  assert.equal(second, "Recorded answers that count again: 3.");
  const [, document] = await folder.json("apply workspace.json");
  assert.deepEqual(countsOf(document), { ...none, updated: 1, retired: 1, unchanged: 2 });
  const { answersNoLongerCounted, answersCountedAgain } = document as Record<string, number>;
  assert.deepEqual([answersNoLongerCounted, answersCountedAgain], [0, 3]);
});

test("apply --dry-run: a folder without data stays without", async (t) => {
  const folder = new Folder(t);
  folder.write("workspace.json", workspace);
  const [status, dry] = await folder.json("apply workspace.json --dry-run");
  assert.equal(status, 0);
  assert.ok(!existsSync(folder.file("data")), "nothing is written");
  const [, applied] = await folder.json("apply workspace.json");
  assert.deepEqual(dry, { ...(applied as object), dryRun: true });
});

test("apply: a new account beside another is pointed out", async (t) => {
  const folder = Folder.withAccount(t);
  folder.write("typo.yaml", "account: { name: Acmee }\nbrand: { name: Acme }\n");
  const { status, stderr } = await folder.run("apply typo.yaml");
  assert.equal(status, 0);
  assert.equal(
    stderr,
    `sightline: warning: the account "Acmee" is new. Existing accounts: "Acme" (${accountId}). ` +
      "To change an existing account, write its id under account.\n",
  );
});

test("apply: a file that may mean an account of its name says which one it means", async (t) => {
  const folder = new Folder(t);
  const made = "7d1c6a52-51a5-4b0e-9a43-1f0f3f0a2c11"; // as the console makes ids: of no name
  folder.write("made.json", { account: { id: made, name: "Acme" }, brand: { name: "Acme" } });
  assert.equal((await folder.run("apply made.json")).status, 0);
  folder.write("acme.yaml", "account: { name: acme }\nbrand: { name: Acme }\n");
  folder.write("other.yaml", "account: { name: Globex }\nbrand: { name: Globex }\n");
  const refusal =
    `sightline: acme.yaml: an account named "Acme" exists already, with the id ${made}; nothing ` +
    `was changed. To change it, run apply with --account ${made}, or write account: ` +
    `{ id: ${made}, name: "acme" } in the file. To create another account of this name, write ` +
    "an id of its own under account.\n";
  for (const command of ["other.yaml acme.yaml", "acme.yaml --dry-run"]) {
    const { status, stderr } = await folder.run(`apply ${command}`);
    assert.deepEqual([status, stderr], [2, refusal]);
  }
  const [, told] = await folder.json(`apply acme.yaml --account ${made.toUpperCase()}`);
  const { updated, unchanged } = told as Record<string, number>;
  assert.deepEqual([updated, unchanged], [1, 1]); // the name, and the brand by its derived id
  const [, { accounts }] = (await folder.json("accounts list")) as [number, { accounts: object[] }];
  assert.equal(accounts.length, 1);
  const faults = [
    [`other.yaml acme.yaml --account ${made}`, /--account goes with one file/],
    [`made.json --account ${otherAccount}`, /line 1: \/account\/id: must be left out, or /],
    [`acme.yaml --account ${otherAccount}`, /No account has the id /],
  ] as const;
  for (const [command, message] of faults) {
    const { status, stderr } = await folder.run(`apply ${command}`);
    assert.equal(status, 2);
    assert.match(stderr, message);
  }
});

test("apply: several files, an account each, all judged before any is applied", async (t) => {
  const folder = new Folder(t);
  folder.write("a.json", workspace);
  folder.write("b.json", { ...workspace, account: { id: otherAccount, name: "Other" } });
  folder.write("bad.yaml", "account: [Acme]\nbrand: { name: Acme }\n");
  folder.write("worse.yaml", "brand: { name: Acme }\n");
  const [status, document] = await folder.json("apply a.json bad.yaml worse.yaml");
  const { error } = document as { error: { message: string; faults: { file: string }[] } };
  assert.equal(status, 2);
  assert.equal(
    error.message,
    [
      "Workspace files are not valid; nothing was changed.",
      "bad.yaml:",
      "  line 1: /account: must be an object, got an array.",
      "worse.yaml:",
      "  line 1: /account: is required and must be an object.",
    ].join("\n"),
  );
  assert.deepEqual(
    error.faults.map(({ file }) => file),
    ["bad.yaml", "worse.yaml"],
  );
  assert.ok(!existsSync(folder.file("data")), "nothing was applied");

  const [done, both] = await folder.json("apply a.json b.json");
  const { accounts } = both as { accounts: { accountId: string; warnings: string[] }[] };
  assert.equal(done, 0);
  assert.deepEqual(
    accounts.map((account) => [account.accountId, countsOf(account), account.warnings]),
    [
      [accountId, { ...none, created: 3 }, []],
      [otherAccount, { ...none, created: 3 }, []],
    ],
  );
  const twice = await folder.run("apply a.json a.json");
  assert.equal(twice.status, 2);
  assert.match(twice.stderr, /^sightline: a\.json and a\.json both declare the account Acme /);
});

test("apply: a file of more than 32 MiB is refused without reading it all", async (t) => {
  const folder = new Folder(t);
  folder.write("large.yaml", Buffer.alloc(32 * 1024 * 1024 + 1, "#"));
  const { status, stderr } = await folder.run("apply large.yaml");
  assert.deepEqual(
    [status, stderr],
    [2, "sightline: large.yaml is larger than a workspace file may be: at most 33554432 bytes.\n"],
  );
});

test("accounts list: what each tracks, and what is recorded of it", async (t) => {
  const folder = Folder.withAccount(t);
  const refusal = { ...JSON.parse(lines(3)), outcome: "refused", text: "No." };
  folder.write("a.ndjson", `${lines(1, 2)}${JSON.stringify(refusal)}\n`);
  await folder.json("import a.ndjson");
  folder.write("b.json", { ...workspace, account: { id: otherAccount, name: "Other" } });
  await folder.json("apply b.json");
  const [status, document] = await folder.json("accounts list");
  const [first, second] = (document as { accounts: { lastImport: string | null }[] }).accounts;
  const tracked = { entities: 1, prompts: 1 };
  const answeredAt = "2026-10-01T08:00:00.000Z";
  assert.equal(status, 0);
  assert.deepEqual(first, {
    accountId,
    name: "Acme",
    ...tracked,
    answers: 3,
    outcomes: { answered: 2, absent: 0, failed: 0, refused: 1 },
    firstAnswer: answeredAt,
    lastAnswer: answeredAt,
    lastImport: first?.lastImport,
  });
  assert.ok(Math.abs(Date.parse(first?.lastImport ?? "") - Date.now()) < 600_000);
  assert.deepEqual(second, {
    accountId: otherAccount,
    name: "Other",
    ...tracked,
    answers: 0,
    outcomes: { answered: 0, absent: 0, failed: 0, refused: 0 },
    firstAnswer: null,
    lastAnswer: null,
    lastImport: null,
  });
  const { stdout } = await folder.run("accounts list");
  const [heading, line] = stdout.split("\n");
  assert.match(
    heading ?? "",
    /^account +name +entities +prompts +answers +not counted +first answer +last a/,
  );
  assert.match(
    line ?? "",
    /^0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a001 +Acme +1 +1 +3 +1 refused +2026-10-01T/,
  );
  const absent = await folder.run("accounts list --data-dir nowhere");
  assert.equal(absent.status, 2);
  assert.ok(!existsSync(folder.file("nowhere")), "a mistyped folder is not made");
});

test("apply: a faulty file names line, field and what is allowed; nothing changes", async (t) => {
  const folder = Folder.withAccount(t);
  folder.write("bad.yaml", "account: { name: Acme }\nbrand:\n  nam: Acme\n");
  const { status, stdout, stderr } = await folder.run("apply bad.yaml");
  assert.deepEqual([status, stdout], [2, ""]);
  assert.equal(
    stderr,
    [
      "sightline: The workspace file is not valid; nothing was changed.",
      "  line 2: /brand/name: is required and must be a string.",
      '  line 3: /brand/nam: "nam" is not a known field. Did you mean name?',
      "",
    ].join("\n"),
  );
  const [, document] = await folder.json("apply bad.yaml");
  const { error } = document as { error: { message: string; faults: object[] } };
  assert.equal(`sightline: ${error.message}\n`, stderr);
  assert.deepEqual(error.faults[1], {
    line: 3,
    path: "/brand/nam",
    code: "unknown_field",
    message: '"nam" is not a known field. Did you mean name?',
  });
  const [, again] = await folder.json("apply workspace.json");
  assert.equal((again as { unchanged: number }).unchanged, 3);
});

test("apply: a file that is not there, and one that is not UTF-8", async (t) => {
  const folder = new Folder(t);
  const absent = await folder.run("apply absent.yaml");
  assert.equal(absent.status, 2);
  assert.match(absent.stderr, /^sightline: The workspace file cannot be read: ENOENT.*absent.yaml/);
  folder.write("latin.yaml", Buffer.from("account: { name: \xc9terne }\n", "latin1"));
  const latin = await folder.run("apply latin.yaml");
  assert.equal(latin.status, 2);
  assert.match(
    latin.stderr,
    /^sightline: The workspace file cannot be read: .*encoded data.*utf-8/,
  );
});

test("import: accepted, then duplicates; no progress where there is no terminal", async (t) => {
  const folder = Folder.withAccount(t);
  folder.write("a.ndjson", lines(1, 2, 3));
  assert.deepEqual(await folder.json("import a.ndjson"), [0, { ...counts, accepted: 3 }]);
  assert.deepEqual(await folder.json("import a.ndjson"), [0, { ...counts, duplicates: 3 }]);
  const { stdout, stderr } = await folder.run("import a.ndjson");
  assert.deepEqual([stdout, stderr], ["a.ndjson: 0 accepted, 3 duplicates, 0 rejected\n", ""]);
});

test("import: rejected lines go beside the file, and the status is 2", async (t) => {
  const folder = Folder.withAccount(t);
  const latin = Buffer.from('{"text":"\xe9"}\n', "latin1");
  folder.write("a.ndjson", Buffer.concat([Buffer.from(`${lines(1)}not json\n`), latin]));
  const rejectedFile = "a.ndjson.rejected";
  assert.deepEqual(await folder.json("import a.ndjson"), [
    2,
    { ...counts, accepted: 1, rejected: 2, rejectedFile },
  ]);
  const rejected = readFileSync(folder.file(rejectedFile), "utf8");
  assert.deepEqual(
    rejected
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
    [
      {
        file: "a.ndjson",
        line: 2,
        reason:
          'The line is not a JSON object: it begins with "n". ' +
          "Import reads NDJSON: one JSON object on each line.",
        errors: [],
        input: "not json",
      },
      {
        file: "a.ndjson",
        line: 3,
        reason: "The line is not UTF-8.",
        errors: [],
        inputBase64: latin.subarray(0, -1).toString("base64"),
      },
    ],
  );
  assert.equal(statSync(folder.file(rejectedFile)).mode & 0o777, 0o600);

  folder.write("a.ndjson", lines(1, 2));
  assert.deepEqual(await folder.json("import a.ndjson"), [
    0,
    { ...counts, accepted: 1, duplicates: 1 },
  ]);
  assert.equal(readFileSync(folder.file(rejectedFile), "utf8"), rejected, "it stays");
});

test("import: standard input, with its rejected lines in the current folder", async (t) => {
  const folder = Folder.withAccount(t);
  assert.deepEqual(await folder.json("import -", { input: lines(1, 2) }), [
    0,
    { ...counts, accepted: 2 },
  ]);
  assert.deepEqual(await folder.json("import -", { input: gzipSync(`${lines(2, 3)}{}\n`) }), [
    2,
    { ...counts, accepted: 1, duplicates: 1, rejected: 1, rejectedFile: "stdin.rejected" },
  ]);
  assert.equal(readFileSync(folder.file("stdin.rejected"), "utf8").split("\n").length, 2);
  assert.deepEqual(await folder.json("import -"), [0, counts], "an empty one");
});

test("import: several files of every kind: the sums, and each file's own counts", async (t) => {
  const folder = Folder.withAccount(t);
  folder.write("a.ndjson", lines(1, 2));
  folder.write("b.gz", gzipSync(lines(2, 3)));
  folder.write("c.zst", Buffer.concat([zstdCompressSync(lines(4)), zstdCompressSync("{}\n")]));
  const rejectedFile = "c.zst.rejected";
  assert.deepEqual(await folder.json("import a.ndjson b.gz c.zst"), [
    2,
    {
      ...counts,
      accepted: 4,
      duplicates: 1,
      rejected: 1,
      rejectedFile,
      files: [
        { ...counts, file: "a.ndjson", accepted: 2 },
        { ...counts, file: "b.gz", accepted: 1, duplicates: 1 },
        { ...counts, file: "c.zst", accepted: 1, rejected: 1, rejectedFile },
      ],
    },
  ]);
});

test("import: a cut-off file fails with status 1 and says what was accepted", async (t) => {
  const folder = Folder.withAccount(t);
  const whole = gzipSync(lines(...Array.from({ length: 5_000 }, (_, sample) => sample)));
  folder.write("a.gz", whole.subarray(0, -1));
  const [status, document] = await folder.json("import a.gz");
  const { error } = document as { error: { message: string; details: object } };
  assert.equal(status, 1);
  assert.match(
    error.message,
    /^a\.gz: interrupted after \d+ accepted and 0 duplicates: unexpected/,
  );
  assert.match(
    error.message,
    /What was accepted is recorded; import the file again to continue\.$/,
  );
  const { accepted } = error.details as { accepted: number };
  assert.deepEqual(error.details, {
    file: "a.gz",
    accepted,
    duplicates: 0,
    rejected: 0,
    warnings: 0,
  });
  folder.write("a.gz", whole);
  assert.deepEqual(await folder.json("import a.gz"), [
    0,
    { ...counts, accepted: 5_000 - accepted, duplicates: accepted },
  ]);
});

test("import: no account, an unknown one, several, none named", async (t) => {
  const empty = new Folder(t);
  empty.write("a.ndjson", lines(1));
  const none = await empty.run("import a.ndjson");
  assert.equal(none.status, 2);
  assert.match(none.stderr, /^sightline: There are no accounts yet\. Create one: sightline apply/);

  const folder = Folder.withAccount(t);
  folder.write("a.ndjson", lines(1));
  const unknown = await folder.run(`import a.ndjson --account ${otherAccount}`);
  assert.equal(unknown.status, 2);
  assert.equal(
    unknown.stderr,
    `sightline: No account has the id ${otherAccount}. Accounts:\n  ${accountId}  Acme\n`,
  );
  folder.write("other.json", { ...workspace, account: { id: otherAccount, name: "Other" } });
  await folder.json("apply other.json");
  const unnamed = await folder.run("import a.ndjson");
  assert.equal(unnamed.status, 2);
  assert.match(unnamed.stderr, /^sightline: Choose an account with --account ID:\n/);
  assert.deepEqual(await folder.json(`import a.ndjson --account ${otherAccount.toUpperCase()}`), [
    0,
    { ...counts, accepted: 1 },
  ]);
});

interface Key {
  readonly keyId: string;
  readonly key: string;
  readonly expiresAt: string | null;
}

test("keys: create, list, revoke; the key itself is shown once", async (t) => {
  const folder = Folder.withAccount(t);
  const [status, document] = await folder.json("keys create --name robot --expires-in 90d");
  const { keyId, key, expiresAt } = document as Key;
  assert.equal(status, 0);
  assert.deepEqual(document, { ...(document as Key), keyId, key, accountId, expiresAt });
  assert.match(key, /^sl_[0-9A-Za-z]{54}$/);
  assert.ok(key.includes(keyId));
  const days = (Date.parse(expiresAt ?? "") - Date.now()) / 86_400_000;
  assert.ok(days > 89.9 && days <= 90, `${days} days`);

  const [, list] = await folder.json("keys list");
  const [listed, ...others] = (list as { keys: Record<string, unknown>[] }).keys;
  assert.equal(others.length, 0);
  const { createdAt } = listed ?? {};
  const row = { keyId, accountId, name: "robot", createdAt, expiresAt, revokedAt: null };
  assert.deepEqual(listed, { ...listed, ...row, lastUsedAt: null });
  assert.ok(!JSON.stringify(list).includes(key));

  const [revoked, gone] = await folder.json(`keys revoke ${keyId}`);
  assert.equal(revoked, 0);
  const { revokedAt } = gone as { revokedAt: string };
  assert.ok(Math.abs(Date.parse(revokedAt) - Date.now()) < 60_000);
  assert.deepEqual(gone, { ...listed, revokedAt });
  assert.deepEqual(await folder.json(`keys revoke ${keyId}`), [0, gone], "twice is harmless");

  const { stdout } = await folder.run("keys list");
  const [heading, line] = stdout.split("\n");
  assert.match(heading ?? "", /^key id +account +name +created +expires +revoked +last used +rate/);
  assert.match(line ?? "", new RegExp(`^${keyId} +${accountId} +robot +2\\d{3}-`));
  const files = ["control.sqlite", "control.sqlite-wal"].map((name) => folder.file(`data/${name}`));
  for (const file of files.filter((path) => existsSync(path))) {
    assert.ok(!readFileSync(file).includes(key), `the key is in ${file}`);
  }
});

test("keys: for ever, of another account, an unknown id, a wrong duration", async (t) => {
  const folder = Folder.withAccount(t);
  const [, document] = await folder.json(`keys create --account ${accountId}`);
  assert.equal((document as Key).expiresAt, null);
  const [foreign] = await folder.json(`keys create --account ${otherAccount}`);
  assert.equal(foreign, 2);
  const [status, unknown] = await folder.json("keys revoke nothing");
  assert.deepEqual(
    [status, unknown],
    [1, { error: { message: "No key has the id nothing. See: sightline keys list" } }],
  );
  const [wrong, duration] = await folder.json("keys create --expires-in soon");
  assert.equal(wrong, 2);
  assert.match(
    (duration as { error: { message: string } }).error.message,
    /^Invalid duration "soon"/,
  );
});

test("migrate: nothing to do in a data folder, which must exist", async (t) => {
  const folder = new Folder(t);
  assert.equal((await folder.run("migrate --data-dir data")).status, 2);
  folder.write("workspace.json", workspace);
  await folder.run("apply workspace.json --data-dir data");
  assert.deepEqual(await folder.json("migrate --data-dir data"), [
    0,
    { postgres: [], clickhouse: [] },
  ]);
  assert.match((await folder.run("migrate --data-dir data")).stdout, /^Nothing to do: /);
});

test("what works on a data folder refuses engines that have the data instead", async (t) => {
  const folder = new Folder(t);
  const environment = {
    SIGHTLINE_POSTGRES_URL: "postgres://user:secret@127.0.0.1:9/sightline",
    SIGHTLINE_CLICKHOUSE_URL: "http://user:secret@127.0.0.1:9/sightline",
  };
  for (const command of ["backup b.tar.zst", "restore b.tar.zst", "demo"]) {
    const { status, stderr } = await folder.run(command, { environment });
    assert.equal(status, 2, command);
    assert.match(stderr, /works on a data folder, and the data is in ClickHouse/);
  }
  for (const command of ["accounts list", "migrate", "keys list", "rebuild"]) {
    const { status, stderr } = await folder.run(command, { environment });
    assert.equal(status, 1, command);
    assert.match(stderr, /PostgreSQL is unavailable: connect ECONNREFUSED 127.0.0.1:9/);
    assert.ok(!stderr.includes("secret"));
  }
});
