import { rmSync, writeFileSync } from "node:fs";
import { readWorkspaceFile } from "@sightline/server/workspace-file";
import { applyWorkspace } from "../../packages/server/src/accounts/apply-workspace.ts";
import { openStorage } from "../../packages/server/src/storage.ts";
import { type FilledAccount, sightline } from "../fill/fill-sightline.ts";
import { answerLines } from "../generator/answer-texts.ts";
import { catalogueOf, workspaceFileOf } from "../generator/catalogue.ts";
import { type Workload, workloads } from "../generator/workload.ts";
import { thisMachine } from "../measure/machine.ts";
import { corePercent } from "../measure/process-cost.ts";
import { Served } from "../measure/served.ts";
import { pause, rounded, timingOf } from "../measure/timing.ts";
import { requestOf } from "../question-request.ts";
import { questionsOf } from "../questions.ts";
import type { AccountsResult, AccountsSize } from "../report/results.ts";
import { type BenchOptions, keptFolder, say } from "./options.ts";

const accountCounts = [10, 1_000, 10_000] as const;
/** Accounts that have answers, where there are as many. */
const answeredMax = 100;
/** What an account holds: a brand, a prompt and some answers. */
const account: Workload = {
  ...workloads.S,
  name: "accounts",
  answers: 1_000,
  entities: 1,
  topics: 1,
  prompts: 1,
  mentionedMean: 0.5,
  citationsMin: 3,
  citationsMax: 7,
  domains: 200,
  urls: 1_000,
};

const thorough: Thoroughness = { starts: 3, settleMs: 5_000, idleMs: 20_000 };
/** Accounts that are asked for the first time. */
const firstAsked = 20;
const betweenLooksMs = 10;
const countsWithinMax = 60_000;

/** Start, idle cost and first questions with more and more accounts. */
export async function accountsPart(options: BenchOptions): Promise<AccountsResult> {
  const sizes: AccountsSize[] = [];
  for (const count of accountCounts) {
    const accounts = Math.max(2, Math.round(count * options.scale));
    const dataDir = keptFolder(options, account.name, "sightline");
    sizes.push(await costOfAccounts(dataDir, accounts));
  }
  const { answers } = account;
  return { part: "accounts", machine: thisMachine(), answersEach: answers, sizes };
}

/** How thoroughly a server is measured. */
interface Thoroughness {
  /** Starts after the first. */
  readonly starts: number;
  /** What a start leaves to be done is done by then. */
  readonly settleMs: number;
  /** How long idle cost is measured. */
  readonly idleMs: number;
}

/** Fills a data folder with so many accounts and measures a server on it. */
export async function costOfAccounts(
  dataDir: string,
  accounts: number,
  { starts, settleMs, idleMs }: Thoroughness = thorough,
): Promise<AccountsSize> {
  const answered = Math.min(answeredMax, accounts - 1);
  say(`accounts: filling ${accounts}, ${answered} of them with answers ...`);
  const filled = await fillAccounts(dataDir, account, { accounts, answered });
  say("accounts: the first start, and others ...");
  const first = await readyMs(dataDir);
  const later: number[] = [];
  while (later.length < starts) later.push(await readyMs(dataDir));
  const running = await Served.during(dataDir, { builds: true }, async (served) => {
    await served.ready();
    await pause(settleMs);
    const idleCorePercent = rounded(await corePercent(served.pid, idleMs));
    const idleMemoryMb = served.memoryMb();
    const firstMs: number[] = [];
    for (const each of filled.answered.slice(0, firstAsked)) {
      firstMs.push((await served.ask(each, request)).ms);
    }
    const countsAfterMs = rounded(await newAnswersCount(served, dataDir, filled));
    return { idleCorePercent, idleMemoryMb, firstQuestion: timingOf(firstMs), countsAfterMs };
  });
  const result = {
    accounts,
    answered,
    firstStartMs: rounded(first),
    ready: timingOf(later),
    ...running,
  };
  say(`accounts: ${JSON.stringify(result)}`);
  return result;
}

const [question] = questionsOf(account);
if (question === undefined) throw new Error("no question to ask");
const request = requestOf(question, catalogueOf(account));

/** From the start of the process until it is ready. */
function readyMs(dataDir: string): Promise<number> {
  const started = performance.now();
  return Served.during(dataDir, { builds: true }, async (served) => {
    await served.ready();
    return performance.now() - started;
  });
}

/**
 * From the end of an import into an account that had no answer until its answers count. @throws
 * when they do not.
 */
async function newAnswersCount(
  served: Served,
  dataDir: string,
  { empty, file }: FilledAccounts,
): Promise<number> {
  const before = await bodyOf(served, empty);
  await sightline(dataDir, ["import", file, "--account", empty.accountId]);
  const started = performance.now();
  for (;;) {
    const body = await bodyOf(served, empty);
    const ms = performance.now() - started;
    if (body !== null && body !== before) return ms;
    if (ms > countsWithinMax) throw new Error("the imported answers do not count");
    await pause(betweenLooksMs);
  }
}

/** Null: the account's facts are not ready. */
async function bodyOf(served: Served, { key }: FilledAccount): Promise<string | null> {
  const { status, body } = await served.reply({ key }, request);
  if (status === 503) return null;
  if (status !== 200) throw new Error(`${status} ${body}`);
  return body;
}

/** Accounts of a data folder. */
interface FilledAccounts {
  /** Those with answers. */
  readonly answered: readonly FilledAccount[];
  /** One that has none. */
  readonly empty: FilledAccount;
  /** The answers of one account, as NDJSON. */
  readonly file: string;
}

/** How many accounts to make, and how many of them have the workload's answers. */
interface AccountCounts {
  readonly accounts: number;
  readonly answered: number;
}

/**
 * Makes a data folder with many accounts that track the same; one more has a key and no answer.
 * Accounts are declared in this process, as the commands do it; answers come by the real import.
 */
async function fillAccounts(
  dataDir: string,
  workload: Workload,
  { accounts, answered }: AccountCounts,
): Promise<FilledAccounts> {
  rmSync(dataDir, { recursive: true, force: true });
  const storage = await openStorage(dataDir);
  const catalogue = catalogueOf(workload);
  const keyed: FilledAccount[] = [];
  try {
    for (let number = 0; number < accounts; number++) {
      const file = workspaceFileOf(catalogue, `Bench account ${number}`);
      const workspace = readWorkspaceFile(JSON.stringify(file));
      const { accountId } = workspace;
      await applyWorkspace(storage.control, accountId, workspace, { now: storage.clock.now() });
      if (number > answered) continue;
      const key = { name: "bench", expiresAt: null };
      keyed.push({ accountId, key: (await storage.keyRing.create(accountId, key)).key });
    }
  } finally {
    await storage.close();
  }
  const file = `${dataDir}/answers.ndjson`;
  writeFileSync(file, [...answerLines(workload)].join(""));
  const empty = keyed.pop();
  if (empty === undefined) throw new RangeError("no account");
  for (const { accountId } of keyed) {
    await sightline(dataDir, ["import", file, "--account", accountId]);
  }
  return { answered: keyed, empty, file };
}
