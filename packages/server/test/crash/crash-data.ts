import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  printedDocument,
  type RunningCommand,
  runCommand,
  startCommand,
  startServing,
} from "@sightline/test-kit/command.ts";
import { corpusAnswer, corpusWorkspace } from "@sightline/test-kit/sample-corpus.ts";
import { seededRandom } from "@sightline/test-kit/seeded-random.ts";
import { allAccounts, declaredPromptsOf } from "../../src/accounts/account-store.ts";
import { applyWorkspace } from "../../src/accounts/apply-workspace.ts";
import { readWorkspaceFile } from "../../src/accounts/workspace-file/read-workspace-file.ts";
import type { Answer } from "../../src/answers/answer.ts";
import type { RawReply } from "../../src/answers/answer-store.ts";
import { importAnswers } from "../../src/answers/intake/import-answers.ts";
import { openStorage, type Storage } from "../../src/storage.ts";
import { ask, sessionOf } from "../cluster/cluster-client.ts";
import { checkAnswers } from "./check-record.ts";
import type { CrashCommandsOptions, Kills } from "./crash-commands.ts";
import { killedAfter, longest, succeeds, timeSince } from "./killed-commands.ts";

const answers = 6_000;
/** Of half of the texts. */
const secret = "a sentence that must be gone";
/** Each second answer is of 2022. */
const isOld = (number: number) => number % 2 === 0;

/**
 * Kills the removal of old texts and raw replies. Each answer is there afterwards, with its text or
 * with what it mentioned, and each reply that is there is whole; doing it again ends it, and no
 * file has anything of the old ones.
 */
export async function crashRetention(options: CrashCommandsOptions): Promise<Kills> {
  const prepared = join(options.folder, "prepared");
  const accountId = await prepare(prepared, lines());
  await keepReplies(prepared, accountId);
  const dataDir = join(options.folder, "retained");
  const start = () => startScript("remove-old-texts.ts", dataDir, "1000");
  const began = () => existsSync(logOf(dataDir, accountId));
  return killing(
    options,
    { start, began },
    {
      before: () => cpSync(prepared, dataDir, { recursive: true }),
      afterKill: async () => {
        const there = await readAll(dataDir, accountId);
        for (const answer of there) assertWhole(answer);
        assert.equal(there.length, answers);
        assert.ok((await wholeReplies(dataDir, accountId)) >= replies / 2);
      },
      atEnd: async () => {
        assert.equal(await wholeReplies(dataDir, accountId), replies / 2);
        const there = await readAll(dataDir, accountId);
        for (const answer of there) {
          assertWhole(answer);
          assert.equal(answer.removedText !== undefined, isOld(answer.sample));
        }
        assert.deepEqual([there.length, hasIn(dataDir, secret)], [answers, false]);
        rmSync(dataDir, { recursive: true });
      },
    },
  );
}

/** Kills the deletion of an account. Deleting it again ends it, and no file has any of it. */
export async function crashAccountDelete(options: CrashCommandsOptions): Promise<Kills> {
  const prepared = join(options.folder, "prepared");
  const accountId = await prepare(prepared, lines());
  const dataDir = join(options.folder, "deleted");
  const start = () =>
    startCommand(["accounts", "delete", accountId, "--yes", "--data-dir", dataDir]);
  const began = () => existsSync(join(dataDir, "control.sqlite-wal"));
  return killing(
    options,
    { start, began },
    {
      before: () => cpSync(prepared, dataDir, { recursive: true }),
      afterKill: async () => {
        const storage = await openStorage(dataDir);
        const isThere = (await allAccounts(storage.control)).length === 1;
        // Before it is gone, all of it is there.
        if (isThere) assert.equal((await storage.countAnswers(accountId)).answers, answers);
        await storage.close();
      },
      atEnd: async () => {
        const storage = await openStorage(dataDir);
        assert.deepEqual(await allAccounts(storage.control), []);
        await storage.close();
        assert.deepEqual([hasIn(dataDir, secret), hasIn(dataDir, "Globex")], [false, false]);
        rmSync(dataDir, { recursive: true });
      },
    },
  );
}

/**
 * Kills a server while it takes a body. What is there then is whole and once; the same body again
 * records the rest.
 */
export async function crashPost({ folder, rounds, seed }: CrashCommandsOptions): Promise<Kills> {
  const random = seededRandom(seed);
  const prepared = join(folder, "prepared");
  const accountId = await prepare(prepared, "");
  const create = ["keys", "create", "--scope", "import", "--data-dir", prepared, "--json"];
  const { key } = printedDocument<{ key: string }>(await runCommand(create));
  const body = Array.from({ length: answers }, (_, number) => {
    return `${JSON.stringify(corpusAnswer(number))}\n`;
  }).join("");
  const dataDir = join(folder, "posted");
  const post = async (url: string) => {
    const token = await sessionOf(url, key);
    return ask(url, "/v1/answers", { token, body, type: "application/x-ndjson" });
  };
  let kills = 0;
  let aloneMs = 0;
  for (let round = -1; round < rounds; round++) {
    cpSync(prepared, dataDir, { recursive: true });
    const serving = await startServing(dataDir);
    const token = await sessionOf(serving.url, key);
    const startedMs = performance.now();
    const sent = ask(serving.url, "/v1/answers", { token, body, type: "application/x-ndjson" });
    const isKilled = round >= 0;
    const delayMs = random() * longest(round, aloneMs);
    const timer = isKilled && setTimeout(() => serving.process.kill("SIGKILL"), delayMs);
    const { status } = await sent;
    if (!isKilled) aloneMs = performance.now() - startedMs;
    if (timer) clearTimeout(timer);
    if (status !== 200) kills++;
    serving.process.kill("SIGKILL");
    await serving.finished;
    const recorded = await wholeAnswers(dataDir, accountId);
    if (status === 200) assert.equal(recorded, answers, "what was accepted is there");
    if (isKilled) {
      const again = await startServing(dataDir);
      const reply = await post(again.url);
      const { accepted, duplicates } = JSON.parse(reply.body) as Record<string, number>;
      assert.deepEqual([accepted, duplicates], [answers - recorded, recorded]);
      again.process.kill("SIGKILL");
      await again.finished;
    }
    assert.equal(await wholeAnswers(dataDir, accountId), answers);
    rmSync(dataDir, { recursive: true });
  }
  return { kills, rounds };
}

interface Killed {
  readonly start: () => RunningCommand;
  readonly began: () => boolean;
}

interface Checks {
  readonly before: () => void;
  readonly afterKill: () => Promise<void>;
  readonly atEnd: () => Promise<void>;
}

/** Kills a command once in each round, and then lets it end. */
async function killing(
  { rounds, seed }: CrashCommandsOptions,
  { start, began }: Killed,
  { before, afterKill, atEnd }: Checks,
): Promise<Kills> {
  const random = seededRandom(seed);
  before();
  const aloneMs = await timeSince(began, start());
  await atEnd();
  let kills = 0;
  for (let round = 0; round < rounds; round++) {
    before();
    const moment = { began, delayMs: random() * longest(round, aloneMs) };
    if (await killedAfter(start(), moment)) {
      kills++;
      await afterKill();
    }
    await succeeds(start());
    await atEnd();
  }
  return { kills, rounds };
}

/** Makes a data folder with one account. @returns the account's id. */
export async function prepare(dataDir: string, ndjson: string): Promise<string> {
  const storage = await openStorage(dataDir);
  try {
    const workspace = readWorkspaceFile(JSON.stringify(corpusWorkspace));
    await applyWorkspace(storage.control, workspace.accountId, workspace, {
      now: storage.clock.now(),
    });
    await importInto(storage, workspace.accountId, ndjson);
    return workspace.accountId;
  } finally {
    await storage.close();
  }
}

/** Imports lines, none of which may be refused. */
export async function importInto(storage: Storage, accountId: string, ndjson: string) {
  async function* chunks() {
    yield Buffer.from(ndjson);
  }
  await importAnswers(chunks(), {
    accountId,
    source: "test",
    now: Date.now,
    prompts: await declaredPromptsOf(storage.control, accountId),
    store: storage.answers,
    control: storage.control,
    clock: storage.clock,
    onProgress: () => undefined,
    onRejected: async ([first]) => assert.fail(first?.reason),
  });
}

function lines(): string {
  return Array.from({ length: answers }, (_, number) => {
    const answer = corpusAnswer(number);
    const answeredAt = isOld(number)
      ? answer.answeredAt.replace("2026", "2022")
      : answer.answeredAt;
    const text = isOld(number) ? `${answer.text} ${secret}` : answer.text;
    return `${JSON.stringify({ ...answer, answeredAt, text })}\n`;
  }).join("");
}

/** Of the first answers, of which each second is old. */
const replies = 200;

function replyTo({ id, sample, answeredAt }: Answer): RawReply {
  const words = isOld(sample) ? secret : "what stays";
  const body = Buffer.from(`${words} ${"x".repeat((sample * 997) % 50_000)} ${words}`);
  return { answerId: id, vendor: "openai", at: answeredAt, body };
}

async function keepReplies(dataDir: string, accountId: string): Promise<void> {
  const storage = await openStorage(dataDir);
  const read = await storage.answers.read(accountId, { after: 0, limit: replies });
  for (const answer of read) await storage.answers.keepRaw(accountId, replyTo(answer));
  await storage.close();
}

/** How many there are, each of which is as it was kept. */
async function wholeReplies(dataDir: string, accountId: string): Promise<number> {
  const storage = await openStorage(dataDir);
  const kept = await storage.answers.rawReplies(accountId, null, replies);
  for (const reply of kept) {
    const answer = await storage.answers.byId(accountId, reply.answerId);
    assert.deepEqual(reply, answer && replyTo(answer));
  }
  await storage.close();
  return kept.length;
}

async function readAll(dataDir: string, accountId: string): Promise<readonly Answer[]> {
  const storage = await openStorage(dataDir);
  const read = await storage.answers.read(accountId, { after: 0, limit: answers + 1 });
  await storage.close();
  return read;
}

/** An answer has its text, or what its text mentioned. */
function assertWhole({ sample, text, removedText }: Answer): void {
  const given = corpusAnswer(sample).text;
  if (removedText === undefined) {
    assert.equal(text, isOld(sample) ? `${given} ${secret}` : given);
    return;
  }
  const named = ["Acme", "Globex"].filter((name) => given.includes(name));
  assert.deepEqual([text, removedText.mentioned.length], ["", named.length]);
}

async function wholeAnswers(dataDir: string, accountId: string): Promise<number> {
  const storage = await openStorage(dataDir);
  const { numbers, doubled, torn } = await checkAnswers(storage.answers, accountId);
  await storage.close();
  assert.deepEqual({ doubled, torn }, { doubled: [], torn: [] });
  return numbers.size;
}

function logOf(dataDir: string, accountId: string): string {
  return join(dataDir, "accounts", accountId, "answers.sqlite-wal");
}

function hasIn(root: string, text: string): boolean {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .map((name) => join(root, name))
    .some((path) => statSync(path).isFile() && readFileSync(path).includes(text));
}

function startScript(name: string, ...parameters: readonly string[]): RunningCommand {
  const child = spawn(process.execPath, [join(import.meta.dirname, name), ...parameters], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (data: Buffer) => {
    stderr += data.toString();
  });
  const finished = new Promise<Awaited<RunningCommand["finished"]>>((resolve) => {
    child.once("exit", (status, signal) => resolve({ status, signal, stdout: "", stderr }));
  });
  return { process: child, finished };
}
