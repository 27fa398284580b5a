import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { gzipSync, zstdCompressSync } from "node:zlib";
import {
  type CommandOptions,
  type Finished,
  printedDocument,
  runCommand,
} from "@sightline/server/test/command.ts";
import { temporaryFolder } from "@sightline/server/test/test-service.ts";

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
    return runCommand(command.split(" "), { folder: this.path, ...options });
  }

  /** Runs it with --json. @returns its exit status and its document. */
  async json(command: string, options: CommandOptions = {}): Promise<[number | null, unknown]> {
    const finished = await this.run(`${command} --json`, options);
    return [finished.status, printedDocument(finished)];
  }

  static async withAccount(t: TestContext): Promise<Folder> {
    const folder = new Folder(t);
    folder.write("workspace.json", workspace);
    const [status] = await folder.json("apply workspace.json");
    assert.equal(status, 0);
    return folder;
  }
}

const counts = { accepted: 0, duplicates: 0, rejected: 0, warnings: 0, rejectedFile: null };

test("apply: what it did, twice the same, YAML from standard input", async (t) => {
  const folder = new Folder(t);
  folder.write("workspace.json", workspace);
  const done = { accountId, created: 0, updated: 0, retired: 0, unchanged: 0 };
  assert.deepEqual(await folder.json("apply workspace.json"), [0, { ...done, created: 3 }]);
  assert.deepEqual(await folder.json("apply workspace.json"), [0, { ...done, unchanged: 3 }]);
  const brand = "brand: { name: Acme, aliases: [Keeper] }";
  const input = `account: { id: ${accountId}, name: Acme }\n${brand}\n`;
  assert.deepEqual(await folder.json("apply -", { input }), [
    0,
    { ...done, updated: 1, retired: 1, unchanged: 1 },
  ]);
  const { status, stdout, stderr } = await folder.run("apply workspace.json");
  assert.deepEqual(
    [status, stdout, stderr],
    [0, `Account ${accountId}: 0 created, 2 updated, 0 retired, 1 unchanged.\n`, ""],
  );
  assert.ok(existsSync(folder.file("data/control.sqlite")), "the data folder is ./data");
});

test("apply: a faulty file names line, field and what is allowed; nothing changes", async (t) => {
  const folder = await Folder.withAccount(t);
  folder.write("bad.yaml", "account: { name: Acme }\nbrand:\n  nam: Acme\n");
  const { status, stdout, stderr } = await folder.run("apply bad.yaml");
  assert.deepEqual([status, stdout], [2, ""]);
  assert.equal(
    stderr,
    [
      "sightline: The workspace file is not valid; nothing was changed.",
      "  line 2: /brand/name: is required; allowed is a string.",
      '  line 3: /brand/nam: "nam" is not a known field; did you mean name?',
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
    message: '"nam" is not a known field; did you mean name?',
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
  const folder = await Folder.withAccount(t);
  folder.write("a.ndjson", lines(1, 2, 3));
  assert.deepEqual(await folder.json("import a.ndjson"), [0, { ...counts, accepted: 3 }]);
  assert.deepEqual(await folder.json("import a.ndjson"), [0, { ...counts, duplicates: 3 }]);
  const { stdout, stderr } = await folder.run("import a.ndjson");
  assert.deepEqual([stdout, stderr], ["a.ndjson: 0 accepted, 3 duplicates, 0 rejected\n", ""]);
});

test("import: rejected lines go beside the file, and the status is 2", async (t) => {
  const folder = await Folder.withAccount(t);
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
  const folder = await Folder.withAccount(t);
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
  const folder = await Folder.withAccount(t);
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
  const folder = await Folder.withAccount(t);
  const whole = gzipSync(lines(...Array.from({ length: 5_000 }, (_, sample) => sample)));
  folder.write("a.gz", whole.subarray(0, -1));
  const [status, document] = await folder.json("import a.gz");
  const { error } = document as { error: { message: string; details: object } };
  assert.equal(status, 1);
  assert.match(error.message, /^a\.gz: broken off after \d+ accepted and 0 duplicates: unexpected/);
  assert.match(error.message, /What was accepted is recorded; import the file again to go on\.$/);
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
  assert.match(none.stderr, /^sightline: There is no account yet\. Make one: sightline apply/);

  const folder = await Folder.withAccount(t);
  folder.write("a.ndjson", lines(1));
  const unknown = await folder.run(`import a.ndjson --account ${otherAccount}`);
  assert.equal(unknown.status, 2);
  assert.equal(
    unknown.stderr,
    `sightline: There is no account ${otherAccount}. There are:\n  ${accountId}  Acme\n`,
  );
  folder.write("other.json", { ...workspace, account: { id: otherAccount, name: "Other" } });
  await folder.json("apply other.json");
  const unnamed = await folder.run("import a.ndjson");
  assert.equal(unnamed.status, 2);
  assert.match(unnamed.stderr, /^sightline: Say which account, with --account ID:\n/);
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
  const folder = await Folder.withAccount(t);
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

  const files = ["control.sqlite", "control.sqlite-wal"].map((name) => folder.file(`data/${name}`));
  for (const file of files.filter((path) => existsSync(path))) {
    assert.ok(!readFileSync(file).includes(key), `the key is in ${file}`);
  }
});

test("keys: for ever, of another account, an unknown id, a wrong duration", async (t) => {
  const folder = await Folder.withAccount(t);
  const [, document] = await folder.json(`keys create --account ${accountId}`);
  assert.equal((document as Key).expiresAt, null);
  const [foreign] = await folder.json(`keys create --account ${otherAccount}`);
  assert.equal(foreign, 2);
  const [status, unknown] = await folder.json("keys revoke nothing");
  assert.deepEqual(
    [status, unknown],
    [1, { error: { message: "There is no key nothing. See: sightline keys list" } }],
  );
  const [wrong, duration] = await folder.json("keys create --expires-in soon");
  assert.equal(wrong, 2);
  assert.match(
    (duration as { error: { message: string } }).error.message,
    /^"soon" is no duration/,
  );
});
