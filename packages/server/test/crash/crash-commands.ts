import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand, startCommand } from "@sightline/test-kit/command.ts";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import { sampleRange } from "@sightline/test-kit/sample-account.ts";
import { corpusFile, corpusWorkspace } from "@sightline/test-kit/sample-corpus.ts";
import { seededRandom } from "@sightline/test-kit/seeded-random.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import Database from "better-sqlite3";
import { Kysely, SqliteDialect } from "kysely";
import { Migrator } from "kysely/migration";
import { allAccounts } from "../../src/accounts/account-store.ts";
import { migrations } from "../../src/control/migrations.ts";
import { restore } from "../../src/operations/backup/restore.ts";
import { diagnose } from "../../src/operations/doctor/doctor.ts";
import { openDataFolder } from "../../src/platform/data-folder.ts";
import { openStorage } from "../../src/storage.ts";
import { checkRecord } from "./check-record.ts";
import { killedAfter, longest, succeeds, timeSince } from "./killed-commands.ts";

/** What a run of killed commands is made of. */
export interface CrashCommandsOptions {
  /** An empty folder. */
  readonly folder: string;
  /** How often each of the commands is killed. */
  readonly rounds: number;
  readonly seed: number;
}

/** How often a command was met by `kill -9` before it ended, and how many rounds there were. */
export interface Kills {
  readonly kills: number;
  readonly rounds: number;
}

const backupAnswers = 10_000;

/**
 * Kills `backup` while it writes. There is then no file under its name, or a whole one; the folder
 * in which it was made is removed by the next backup.
 */
export async function crashBackup({ folder, rounds, seed }: CrashCommandsOptions): Promise<Kills> {
  const random = seededRandom(seed);
  const dataDir = join(folder, "data");
  await makeFolder(folder, dataDir, backupAnswers);
  const place = join(folder, "backups");
  mkdirSync(place, { mode: 0o700 });
  const target = join(place, "sightline.tar.zst");
  const start = () => startCommand(["backup", target, "--data-dir", dataDir]);
  // Without its lock, a folder may be of a backup that is about to begin: it is left to that one.
  const hasLock = (name: string) => existsSync(join(place, name, "lock"));
  const began = () => readdirSync(place).some((name) => name.startsWith(".") && hasLock(name));
  const aloneMs = await timeSince(began, start());
  let kills = 0;
  for (let round = 0; round < rounds; round++) {
    rmSync(target, { force: true });
    if (await killedAfter(start(), { began, delayMs: random() * longest(round, aloneMs) })) kills++;
    if (existsSync(target)) await assertWhole(target, join(folder, "restored"));
  }
  rmSync(target, { force: true });
  await succeeds(start());
  await assertWhole(target, join(folder, "restored"));
  assert.deepEqual(readdirSync(place), ["sightline.tar.zst"]);
  return { kills, rounds };
}

async function assertWhole(backup: string, dataDir: string): Promise<void> {
  await restore(backup, dataDir);
  assert.equal(await checkRecord(dataDir, [corpusWorkspace]), backupAnswers);
  assert.deepEqual((await diagnose(openDataFolder(dataDir))).faults, []);
  rmSync(dataDir, { recursive: true });
}

/** Kills the first `apply` of a new folder while it makes it. Applying again is then enough. */
export async function crashFirstStart(options: CrashCommandsOptions): Promise<Kills> {
  const { folder, rounds, seed } = options;
  const random = seededRandom(seed);
  const workspace = join(folder, "workspace.json");
  writeFileSync(workspace, JSON.stringify(corpusWorkspace));
  let aloneMs = 0;
  let kills = 0;
  for (let round = -1; round < rounds; round++) {
    const dataDir = join(folder, `first-${round}`);
    const start = () => startCommand(["apply", workspace, "--data-dir", dataDir]);
    const began = () => existsSync(join(dataDir, "accounts"));
    if (round < 0) aloneMs = await timeSince(began, start());
    else if (await killedAfter(start(), { began, delayMs: random() * longest(round, aloneMs) }))
      kills++;
    await succeeds(start());
    assert.equal(await checkRecord(dataDir, [corpusWorkspace]), 0);
  }
  return { kills, rounds };
}

const processes = 3;
const account = { id: "cccccccc-0000-4000-8000-000000000001", name: "Old", created_at: 1 };

/**
 * Several concurrent processes bring a control of the first migration to today's, and are killed
 * meanwhile. Two more then end it, and the key that they make is of the account that was there.
 */
export async function crashMigration(options: CrashCommandsOptions): Promise<Kills> {
  const { folder, rounds, seed } = options;
  const random = seededRandom(seed);
  let kills = 0;
  let aloneMs = 0;
  for (let round = -1; round < rounds; round++) {
    const dataDir = join(folder, `old-${round}`);
    await makeFirstMigration(dataDir);
    const start = () => startCommand(["keys", "create", "--data-dir", dataDir]);
    const began = () => existsSync(join(dataDir, "control.sqlite-wal"));
    if (round < 0) aloneMs = await timeSince(began, start());
    else {
      const commands = Array.from({ length: processes }, start);
      const met = commands.map((command) =>
        killedAfter(command, { began, delayMs: random() * longest(round, aloneMs * 2) }),
      );
      kills += (await Promise.all(met)).filter(Boolean).length;
    }
    await Promise.all([succeeds(start()), succeeds(start())]);
    const { faults } = await diagnose(openDataFolder(dataDir));
    assert.deepEqual(faults, []);
    await requireEntries(dataDir);
  }
  return { kills, rounds: rounds * processes };
}

/** Each key that is there was written down, and no other. */
async function requireEntries(dataDir: string): Promise<void> {
  const storage = await openStorage(dataDir);
  const { database } = storage.control;
  const keys = await database.selectFrom("keys").select("id").orderBy("id").execute();
  const entries = await database
    .selectFrom("audit")
    .select("subject as id")
    .where("action", "=", "key.created")
    .orderBy("subject")
    .execute();
  await storage.close();
  assert.deepEqual(entries, keys);
}

/** A data folder whose control is of the first version, with an account. */
async function makeFirstMigration(dataDir: string): Promise<void> {
  const { control } = openDataFolder(dataDir);
  const dialect = new SqliteDialect({ database: new Database(control) });
  const database = new Kysely<{ accounts: typeof account }>({ dialect });
  const [first] = Object.entries(migrations);
  assert.ok(first !== undefined);
  const provider = { getMigrations: () => Promise.resolve(Object.fromEntries([first])) };
  const { error } = await new Migrator({ db: database, provider }).migrateToLatest();
  assert.equal(error, undefined);
  await database.insertInto("accounts").values(account).execute();
  await database.destroy();
}

/** Kills the rotation of the signing key. The service then starts, and its sessions are good. */
export async function crashRotation({
  folder,
  rounds,
  seed,
}: CrashCommandsOptions): Promise<Kills> {
  const random = seededRandom(seed);
  const dataDir = join(folder, "rotated");
  await makeFolder(folder, dataDir, 0);
  const start = () => startCommand(["keys", "rotate-signing", "--data-dir", dataDir]);
  const began = () => existsSync(join(dataDir, "control.sqlite-wal"));
  const aloneMs = await timeSince(began, start());
  let kills = 0;
  for (let round = 0; round < rounds; round++) {
    if (await killedAfter(start(), { began, delayMs: random() * longest(round, aloneMs) })) kills++;
    await assertSessionsWork(dataDir);
  }
  return { kills, rounds };
}

async function assertSessionsWork(dataDir: string): Promise<void> {
  // Two minutes on, a key that was made just now signs.
  const clock = new HeldClock(Date.now() + 120_000);
  const service = await TestService.start({ dataDir, clock });
  try {
    const [owner] = await allAccounts(service.services.control);
    await service.settle(owner?.id ?? "");
    const token = await service.session(owner?.id ?? "");
    const body = { interval: "daily", filters: { timeRange: sampleRange } };
    const reply = await service.post("/v1/analytics/brands/mentions", { token, body });
    assert.equal(reply.status, 200, reply.body);
  } finally {
    await service.close();
  }
}

async function makeFolder(folder: string, dataDir: string, answers: number): Promise<void> {
  const workspace = join(folder, "workspace.json");
  writeFileSync(workspace, JSON.stringify(corpusWorkspace));
  await succeeds(startCommand(["apply", workspace, "--data-dir", dataDir]));
  if (answers === 0) return;
  const file = join(folder, "answers.ndjson");
  writeFileSync(file, corpusFile(answers));
  const imported = await runCommand(["import", file, "--data-dir", dataDir]);
  assert.equal(imported.status, 0, imported.stderr);
}
