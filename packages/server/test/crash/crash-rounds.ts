import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type CommandOptions,
  type Finished,
  printedDocument,
  type RunningCommand,
  runCommand,
  startCommand,
} from "@sightline/test-kit/command.ts";
import { corpusAnswer, corpusWorkspace } from "@sightline/test-kit/sample-corpus.ts";
import { seededRandom } from "@sightline/test-kit/seeded-random.ts";
import { allAccounts } from "../../src/accounts/account-store.ts";
import { sqliteAnswerStore } from "../../src/answers/sqlite/sqlite-answer-store.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { openDataFolder } from "../../src/platform/data-folder.ts";
import { openStorage } from "../../src/storage.ts";
import { checkRecord } from "./check-record.ts";
import { repliesOfFolder } from "./replies-of-folder.ts";

/** What a run of crashes is made of. */
export interface CrashOptions {
  /** An empty folder. */
  readonly folder: string;
  readonly rounds: number;
  /** The same seed gives the same answers and the same delays. */
  readonly seed: number;
  readonly answersEachRound: number;
  readonly onRound: (line: string) => void;
}

/** What happened in a run that found nothing wrong. */
export interface CrashReport {
  /** Processes that were ended by `kill -9`, by command. */
  readonly kills: Readonly<Record<string, number>>;
  readonly answers: number;
  /** Answers that were recorded before the last, undisturbed import. */
  readonly recordedAmidCrashes: number;
  /** Whether any facts were judged damaged after a kill. */
  readonly factsSetAside: boolean;
}

/**
 * When each command is killed, from the least to the most, in times that a command takes to start
 * and end alone: on a slow machine too, most kills then meet it at its work.
 */
const killedAt = {
  import: [0.9, 2.4],
  apply: [0.7, 1.7],
  serve: [1, 4],
} as const;

const workspaces: Readonly<Record<string, object>> = {
  plain: corpusWorkspace,
  changed: {
    ...corpusWorkspace,
    brand: { ...corpusWorkspace.brand, aliases: ["Keeper"] },
    competitors: [...corpusWorkspace.competitors, { name: "Initech" }],
    prompts: corpusWorkspace.prompts.slice(1).map((prompt) => ({ ...prompt, topic: "Storage" })),
  },
};

/**
 * Imports, serves and applies at the same time, and kills each at random, again and again. After
 * each round the record must have kept all that it had, whole and once. At the end the same files
 * are imported undisturbed, and the replies must be those of a folder that never saw a crash.
 * @throws AssertionError at the first thing that is wrong.
 */
export async function crashRounds(options: CrashOptions): Promise<CrashReport> {
  const run = new CrashRun(options);
  await run.begin();
  for (let round = 0; round < options.rounds; round++) await run.round(round);
  return run.end();
}

class CrashRun {
  readonly #options: CrashOptions;
  readonly #dataDir: string;
  readonly #random: () => number;
  readonly #kills: Record<KilledCommand, number> = { serve: 0, import: 0, apply: 0 };
  #startMs = 0;
  #accountId = "";
  #recorded = 0;
  #server: RunningCommand | null = null;

  constructor(options: CrashOptions) {
    this.#options = options;
    this.#dataDir = join(options.folder, "data");
    this.#random = seededRandom(options.seed);
  }

  /** Makes the files, and the account, so that there is something to import into. */
  async begin(): Promise<void> {
    const { rounds, answersEachRound } = this.#options;
    for (const [name, workspace] of Object.entries(workspaces)) {
      writeFileSync(this.#path(`${name}.json`), JSON.stringify(workspace));
    }
    for (let round = 0; round < rounds; round++) {
      const lines = Array.from({ length: answersEachRound }, (_, index) => {
        return `${JSON.stringify(corpusAnswer(round * answersEachRound + index))}\n`;
      });
      writeFileSync(this.#slice(round), lines.join(""));
    }
    const started = performance.now();
    const applied = succeeded(await this.#run(["apply", this.#path("plain.json"), "--json"]));
    this.#startMs = performance.now() - started;
    this.#accountId = printedDocument<{ accountId: string }>(applied).accountId;
  }

  async round(round: number): Promise<void> {
    this.#server ??= this.#start(["serve", "--port", "0", "--log-level", "error"]);
    const importing = this.#start(["import", this.#slice(round), "--json"]);
    const applying = this.#start(["apply", this.#path(`${this.#pick()}.json`)]);
    const killsServer = this.#random() < 0.8;
    const ends = [this.#killed(importing, "import"), this.#killed(applying, "apply")];
    if (killsServer) ends.push(this.#killed(this.#server, "serve"));
    const [imported] = await Promise.all(ends);
    if (killsServer) this.#server = null;
    if (imported?.status === 0) {
      const { accepted, duplicates } = printedDocument<Tally>(imported);
      assert.equal(accepted + duplicates, this.#options.answersEachRound);
    }
    await this.#check(round, imported?.status === 0);
  }

  /** Imports everything undisturbed, twice, and compares with a folder that saw no crash. */
  async end(): Promise<CrashReport> {
    const { rounds, answersEachRound, folder } = this.#options;
    this.#server?.process.kill("SIGKILL");
    await this.#server?.finished;
    const recordedAmidCrashes = this.#recorded;
    const answers = rounds * answersEachRound;
    const slices = Array.from({ length: rounds }, (_, round) => this.#slice(round));
    succeeded(await this.#run(["apply", this.#path("plain.json")]));
    assert.deepEqual(await this.#import(slices), {
      accepted: answers - recordedAmidCrashes,
      duplicates: recordedAmidCrashes,
      rejected: 0,
    });
    assert.deepEqual(await this.#import(slices), {
      accepted: 0,
      duplicates: answers,
      rejected: 0,
    });
    await this.#check(rounds, true);
    assert.equal(this.#recorded, answers);

    const clean = join(folder, "clean");
    succeeded(await runCommand(["apply", this.#path("plain.json"), "--data-dir", clean]));
    succeeded(await runCommand(["import", ...slices, "--data-dir", clean]));
    assert.deepEqual(await repliesOfFolder(this.#dataDir), await repliesOfFolder(clean));
    return {
      kills: this.#kills,
      answers,
      recordedAmidCrashes,
      factsSetAside: await this.#anySetAside(),
    };
  }

  /** Ends a process by `kill -9` at a random moment, unless it has ended by then. */
  async #killed(running: RunningCommand, command: KilledCommand): Promise<Finished> {
    const kill = () => running.process.kill("SIGKILL");
    // Every second import is killed by how far it came, which no slow machine can shift.
    const byProgress = this.#random() < 0.5 && command === "import";
    const cancel = byProgress ? this.#whenRecorded(kill) : this.#afterDelay(command, kill);
    const finished = await running.finished;
    cancel();
    if (finished.signal === "SIGKILL") this.#kills[command]++;
    else assert.equal(finished.status, 0, `${command} failed by itself:\n${finished.stderr}`);
    return finished;
  }

  #afterDelay(command: KilledCommand, kill: () => void): () => void {
    const [least, most] = killedAt[command];
    const delayMs = this.#startMs * (least + this.#random() * (most - least));
    const timer = setTimeout(kill, delayMs);
    return () => clearTimeout(timer);
  }

  /** Kills when a random part of the round's answers is in the record. */
  #whenRecorded(kill: () => void): () => void {
    const answers = sqliteAnswerStore(openDataFolder(this.#dataDir), systemClock);
    const enough = this.#recorded + Math.ceil(this.#random() * this.#options.answersEachRound);
    const timer = setInterval(() => {
      answers.end(this.#accountId).then(({ sequence }) => {
        if (sequence >= enough) kill();
      }, kill);
    }, 2);
    return () => {
      clearInterval(timer);
      void answers.close();
    };
  }

  /** The record holds all that it held, and this round's answers when their import ended. */
  async #check(round: number, imported: boolean): Promise<void> {
    const { answersEachRound, onRound } = this.#options;
    const before = this.#recorded;
    this.#recorded = await checkRecord(this.#dataDir, Object.values(workspaces));
    assert.ok(this.#recorded >= before, `${before} answers became ${this.#recorded}`);
    const fresh = this.#recorded - before;
    if (imported && round < this.#options.rounds) assert.equal(fresh, answersEachRound);
    onRound(`round ${round + 1}: ${fresh} new, ${this.#recorded} recorded`);
  }

  async #import(slices: readonly string[]): Promise<Tally> {
    const result = await this.#run(["import", ...slices, "--json"]);
    const { accepted, duplicates, rejected } = printedDocument<Tally>(succeeded(result));
    return { accepted, duplicates, rejected };
  }

  async #anySetAside(): Promise<boolean> {
    const storage = await openStorage(this.#dataDir);
    const accounts = await allAccounts(storage.control);
    const files = accounts.map(({ id }) => storage.folder.account(id).facts);
    await storage.close();
    return files.some((facts) => existsSync(`${facts}.damaged`));
  }

  #pick(): string {
    return this.#random() < 0.5 ? "plain" : "changed";
  }

  #path(name: string): string {
    return join(this.#options.folder, name);
  }

  #slice(round: number): string {
    return this.#path(`answers-${round}.ndjson`);
  }

  #start(parameters: readonly string[], options?: CommandOptions): RunningCommand {
    return startCommand([...parameters, "--data-dir", this.#dataDir], options);
  }

  #run(parameters: readonly string[]): Promise<Finished> {
    return this.#start(parameters).finished;
  }
}

type KilledCommand = "serve" | "import" | "apply";

interface Tally {
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
}

function succeeded(finished: Finished): Finished {
  assert.equal(finished.status, 0, finished.stderr);
  return finished;
}
