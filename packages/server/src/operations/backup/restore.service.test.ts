import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { zstdCompressSync } from "node:zlib";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { until } from "@sightline/test-kit/until.ts";
import { create } from "tar";
import { systemClock } from "../../platform/clock.ts";
import { openDataFolder } from "../../platform/data-folder.ts";
import { openStorage } from "../../storage.ts";
import { backup } from "./backup.ts";
import { hashOfFile } from "./manifest.ts";
import { restore } from "./restore.ts";

const accountId = "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a001";
const manifestName = "sightline-backup.json";

/** A folder with a good backup in it, and a place to restore to. */
async function withBackup(t: TestContext) {
  const place = temporaryFolder();
  t.after(() => rmSync(place, { recursive: true }));
  const { folder, answers, close } = await openStorage(join(place, "data"));
  await answers.record(accountId, []);
  const file = join(place, "backup.tar.zst");
  await backup(folder, file, systemClock);
  await close();
  return { place, file, target: join(place, "restored") };
}

/** A restore that reads from a pipe: it goes on when the test writes to that. */
async function pausedRestore(place: string, target: string) {
  const pipe = join(place, "pipe");
  assert.equal(spawnSync("mkfifo", [pipe]).status, 0);
  const done = restore(pipe, target).then(
    () => "restored",
    (error: Error) => error.message,
  );
  const writer = await open(pipe, "w");
  await until("the restore has the target", () => existsSync(join(target, "accounts")) || null);
  const goOn = async (bytes: Buffer) => {
    await writer.write(bytes);
    await writer.close();
    return done;
  };
  return goOn;
}

test("while a backup is restored no command opens the folder, and nothing is lost", async (t) => {
  const { place, file, target } = await withBackup(t);
  const goOn = await pausedRestore(place, target);
  const restoring = { message: new RegExp(`^A backup is being restored into ${target}\\. Wait`) };
  await assert.rejects(openStorage(target), restoring);
  assert.throws(() => openDataFolder(target), restoring);
  assert.equal(await goOn(readFileSync(file)), "restored");
  assert.deepEqual(readdirSync(target).toSorted(), ["accounts", "control.sqlite", "pepper"]);
  await (await openStorage(target)).close();
});

test("a restore removes only what it made", async (t) => {
  const { place, target } = await withBackup(t);
  const goOn = await pausedRestore(place, target);
  writeFileSync(join(target, "notes.txt"), "of somebody else");
  assert.match(await goOn(Buffer.from("this is not a backup")), /is not a Sightline backup/);
  assert.deepEqual(readdirSync(target), ["notes.txt"]);
});

test("a command that came first keeps the folder", async (t) => {
  const { file, target } = await withBackup(t);
  openDataFolder(target);
  await assert.rejects(restore(file, target), /is not empty\. Give --data-dir a new folder\.$/);
  assert.deepEqual(readdirSync(target), ["accounts"]);
});

test("of two restores into one folder one fails and takes nothing from the other", async (t) => {
  const { place, file, target } = await withBackup(t);
  const goOn = await pausedRestore(place, target);
  await assert.rejects(restore(file, target), {
    message: `Another restore into ${target} is running. Wait until it has ended.`,
  });
  assert.equal(await goOn(readFileSync(file)), "restored");
  assert.ok(existsSync(join(target, "control.sqlite")));
  for (let round = 0; round < 12; round++) {
    const both = join(place, `both-${round}`);
    const settled = await Promise.allSettled([restore(file, both), restore(file, both)]);
    const done = settled.filter(({ status }) => status === "fulfilled");
    assert.equal(done.length, 1, `round ${round}`);
    await (await openStorage(both)).close();
  }
});

test("an interrupted restore is named, by the next restore and by other commands", async (t) => {
  const { file, target } = await withBackup(t);
  mkdirSync(join(target, ".restoring-abcdef"), { recursive: true });
  mkdirSync(join(target, "accounts"));
  writeFileSync(join(target, ".restoring-abcdef", "lock"), "");
  const interrupted = {
    message: new RegExp(`^A restore into ${target} was interrupted\\. Delete`),
  };
  await assert.rejects(restore(file, target), interrupted);
  await assert.rejects(openStorage(target), interrupted);
});

test("files and folders belong only to the user who restores", async (t) => {
  const { place, target } = await withBackup(t);
  const path = `accounts/${accountId}/answers.sqlite`;
  const file = await archive(place, { "control.sqlite": "", pepper: "pepper", [path]: "x" });
  await restore(file, target);
  for (const name of ["control.sqlite", "pepper", path]) {
    const { uid, mode } = statSync(join(target, name));
    assert.deepEqual([uid, mode & 0o7777], [process.getuid?.(), 0o600], name);
  }
  for (const name of ["", "accounts", `accounts/${accountId}`]) {
    assert.equal(statSync(join(target, name)).mode & 0o7777, 0o700, name);
  }
});

test("an archive that is not a backup, or differs from its list, is rejected", async (t) => {
  const { place, target } = await withBackup(t);
  const files = { "control.sqlite": "control", pepper: "pepper" };
  const listed = [
    { path: "control.sqlite", bytes: 7, sha256: "0".repeat(64) },
    { path: "pepper", bytes: 6, sha256: "0".repeat(64) },
  ];
  const manifest = (files: unknown, version: unknown = 1) =>
    JSON.stringify({ version, createdAt: "2026-01-01T00:00:00.000Z", files });
  const notValid = `is not a Sightline backup: its ${manifestName} is not valid`;
  const list: Readonly<Record<string, readonly [string, string]>> = {
    null: ["null", notValid],
    "not JSON": ["{", notValid],
    "a later format": [
      manifest([], 2),
      "is not a Sightline backup: it has format 2, and this version of Sightline reads format 1",
    ],
    "files of null": [manifest([null]), `${notValid}, at /files/0`],
    "a number as a path": [manifest([{ ...listed[0], path: 5 }]), `${notValid}, at /files/0/path`],
    "a path outside": [
      manifest([{ ...listed[0], path: "../pepper" }]),
      `${notValid}, at /files/0/path`,
    ],
    "a file twice": [manifest([listed[0], listed[0]]), `${notValid}, at /files`],
    "no control": [manifest([listed[1]]), `${notValid}, at /files`],
    "a size": [
      manifest([{ ...listed[0], bytes: 3 }, listed[1]]),
      `is damaged: control.sqlite has 7 bytes, and ${manifestName} says 3`,
    ],
    "a hash": [manifest(listed), "is damaged: control.sqlite is not as it was written"],
  };
  for (const [what, [text, fault]] of Object.entries(list)) {
    const file = await archive(place, files, { manifest: text });
    await assert.rejects(restore(file, target), { message: `${file} ${fault}.` }, what);
    assert.equal(existsSync(target), false, what);
  }
  const first = await archive(place, files, { order: ["pepper", manifestName, "control.sqlite"] });
  await assert.rejects(restore(first, target), {
    message: `${first} is not a Sightline backup: it does not begin with ${manifestName}.`,
  });
  const twice = await archive(place, files, { order: [manifestName, "pepper", "pepper"] });
  await assert.rejects(restore(twice, target), {
    message: `${twice} holds "pepper" twice, or its ${manifestName} does not name it.`,
  });
  const less = await archive(place, files, { order: [manifestName, "pepper"] });
  await assert.rejects(restore(less, target), {
    message: `${less} is damaged: it lacks control.sqlite.`,
  });
  const huge = manifest([{ ...listed[0], bytes: 2 ** 52 }]);
  const large = await archive(place, files, { manifest: huge });
  await assert.rejects(
    restore(large, target),
    /^RestoreError: The backup needs 4503599627370496 b/,
  );
});

interface ArchiveOptions {
  /** The list's text; without it, that of the files. */
  readonly manifest?: string;
  readonly order?: readonly string[];
}

/** An archive of these files, which as far as possible belong to another user and run as them. */
async function archive(
  place: string,
  files: Readonly<Record<string, string>>,
  { manifest, order }: ArchiveOptions = {},
): Promise<string> {
  const cwd = join(place, "archived");
  rmSync(cwd, { recursive: true, force: true });
  const list = [];
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(cwd, path, ".."), { recursive: true });
    writeFileSync(join(cwd, path), text);
    if (process.getuid?.() === 0) chownSync(join(cwd, path), 1000, 1000);
    chmodSync(join(cwd, path), 0o4777);
    list.push({ path, bytes: text.length, sha256: await hashOfFile(join(cwd, path)) });
  }
  const whole = { version: 1, createdAt: "2026-01-01T00:00:00.000Z", files: list };
  writeFileSync(join(cwd, manifestName), manifest ?? JSON.stringify(whole));
  const tar = create({ cwd, sync: true }, [...(order ?? [manifestName, ...Object.keys(files)])]);
  const file = join(place, "archive.tar.zst");
  writeFileSync(file, zstdCompressSync(tar.read() ?? Buffer.alloc(0)));
  return file;
}
