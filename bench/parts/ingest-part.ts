import { createWriteStream, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { startCommand } from "@sightline/test-kit/command.ts";
import type { LoadQuestion } from "../../packages/server/test/load/load-plan.ts";
import { differenceOf } from "../engine-rows.ts";
import { addAccount, type FilledAccount, sightline } from "../fill/fill-sightline.ts";
import { keptOrFilled } from "../fill/kept.ts";
import { answerLines } from "../generator/answer-texts.ts";
import { catalogueOf } from "../generator/catalogue.ts";
import { generatorVersion, scaled, type Workload, workloads } from "../generator/workload.ts";
import { thisMachine } from "../measure/machine.ts";
import { metricSum, Served } from "../measure/served.ts";
import { pause, rounded, timingOf } from "../measure/timing.ts";
import { countPlainly } from "../plain-counting.ts";
import { requestOf } from "../question-request.ts";
import { type Question, questionsOf } from "../questions.ts";
import type { IngestResult } from "../report/results.ts";
import { type BenchOptions, keptFolder, say } from "./options.ts";

/** Answers that are there before, and those whose import is measured. */
const answersBefore = 20_000;
const answersImported = 100_000;

/** Answers as users have them: a dozen names, five citations. */
export const ingestWorkload: Workload = {
  ...workloads.M,
  name: "ingest",
  answers: answersBefore + answersImported,
  entities: 12,
  citationsMin: 5,
  citationsMax: 5,
};

/** Each so many questions one is asked while answers come in, and compared at the end. */
const askedEvery = 9;
const idleMs = 10_000;
/** Between two looks at the metrics. */
const betweenLooksMs = 20;
/** Something is wrong when answers do not count by then. */
const importSecondsMax = 600;

/** Imports real answers with the real command into a service that is asked meanwhile. */
export async function ingestPart(options: BenchOptions): Promise<IngestResult> {
  const workload = scaled(ingestWorkload, options.scale);
  const { before, after, megabytes } = await ingestFiles(workload, options);
  const dataDir = keptFolder(options, workload.name, "sightline");
  rmSync(dataDir, { recursive: true, force: true });
  const account = await addAccount(dataDir, workload, { name: "Bench ingest" });
  const importing = (file: string) => ["import", file, "--account", account.accountId];
  await sightline(dataDir, importing(before));
  return Served.during(dataDir, { builds: true }, async (served) => {
    const questions = questionsOf(workload).filter((_, place) => place % askedEvery === 0);
    const requests = questions.map((question) => requestOf(question, catalogueOf(workload)));
    const asker = new Asker(served, account, requests);
    await asker.askFor(idleMs / 2); // warm
    const idleBefore = await asker.askFor(idleMs);
    say("ingest: importing ...");
    const answers = Math.round(answersImported * options.scale);
    const seen = imported(served, { dataDir, parameters: importing(after), answers });
    const during = await asker.askUntil(seen);
    const { visibleSeconds, recordedSeconds } = await seen;
    const peakMemoryMb = served.peakMemoryMb();
    await asker.askFor(idleMs / 2);
    const idleAfter = await asker.askFor(idleMs);
    await compare({ served, account, workload, questions });
    const answersPerSecond = Math.round(answers / visibleSeconds);
    say(`ingest: ${answersPerSecond} answers/s, p99 ${timingOf(during).p99Ms} ms meanwhile`);
    return {
      part: "ingest",
      machine: thisMachine(),
      answers,
      megabytes,
      visibleSeconds: rounded(visibleSeconds),
      recordedSeconds: rounded(recordedSeconds),
      answersPerSecond,
      peakMemoryMb,
      idleBefore: timingOf(idleBefore),
      during: timingOf(during),
      idleAfter: timingOf(idleAfter),
    };
  });
}

/** The answers as two files of NDJSON. */
export async function ingestFiles(workload: Workload, options: BenchOptions) {
  const folder = keptFolder(options, workload.name, "");
  mkdirSync(folder, { recursive: true });
  const [before, after] = [join(folder, "before.ndjson"), join(folder, "after.ndjson")];
  const { bytes } = await keptOrFilled({
    noteFile: join(folder, "files.json"),
    versions: { generatorVersion, workload },
    fill: async () => {
      const lines = answerLines(workload);
      const first = Math.round(answersBefore * options.scale);
      await writeLines(before, next(lines, first));
      return { bytes: await writeLines(after, next(lines, workload.answers)) };
    },
  });
  return { before, after, megabytes: Math.round(bytes / 1e6) };
}

/** The next lines; unlike `take`, it leaves those behind them to be taken. */
function* next(lines: Iterator<string>, count: number): Generator<string> {
  for (let taken = 0; taken < count; taken++) {
    const line = lines.next();
    if (line.done === true) return;
    yield line.value;
  }
}

async function writeLines(path: string, lines: Iterable<string>): Promise<number> {
  const file = createWriteStream(path);
  await pipeline(Readable.from(lines), file);
  return file.bytesWritten;
}

interface Importing {
  readonly dataDir: string;
  readonly parameters: readonly string[];
  readonly answers: number;
}

/**
 * Seconds from the start of the command until all are recorded, and until all count, which is not
 * asked before: to tell takes the server some milliseconds. @throws when that takes too long, or
 * the command fails.
 */
async function imported(served: Served, { dataDir, parameters, answers }: Importing) {
  const projected = async () =>
    metricSum(await served.metrics(), /^sightline_answers_projected_total/);
  const before = await projected();
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1_000;
  const command = startCommand([...parameters, "--data-dir", dataDir, "--json"]);
  const { status, stderr } = await command.finished;
  if (status !== 0) throw new Error(`import: ${stderr}`);
  const recordedSeconds = seconds();
  while ((await projected()) - before < answers) {
    if (seconds() > importSecondsMax) throw new Error("the imported answers do not count");
    await pause(betweenLooksMs);
  }
  return { visibleSeconds: seconds(), recordedSeconds };
}

interface ToCompare {
  readonly served: Served;
  readonly account: FilledAccount;
  readonly workload: Workload;
  readonly questions: readonly Question[];
}

/** @throws when what was imported does not give what was generated. */
async function compare({ served, account, workload, questions }: ToCompare): Promise<void> {
  const catalogue = catalogueOf(workload);
  for (const question of questions) {
    const { body } = await served.ask(account, requestOf(question, catalogue));
    const difference = differenceOf(question, body, countPlainly(workload, question));
    if (difference !== null) throw new Error(`${question.name}: ${difference}`);
  }
}

const betweenQuestionsMs = 25;

/** Asks questions in turns, one at a time, with a pause after each. */
class Asker {
  readonly #served: Served;
  readonly #account: FilledAccount;
  readonly #requests: readonly LoadQuestion[];

  constructor(served: Served, account: FilledAccount, requests: readonly LoadQuestion[]) {
    this.#served = served;
    this.#account = account;
    this.#requests = requests;
  }

  askFor(ms: number): Promise<readonly number[]> {
    return this.askUntil(pause(ms));
  }

  /** The time of each reply until something is over. */
  async askUntil(end: Promise<unknown>): Promise<readonly number[]> {
    const times: number[] = [];
    let over = false;
    const stop = () => {
      over = true;
    };
    end.then(stop, stop);
    while (!over) {
      const request = this.#requests[times.length % this.#requests.length];
      if (request === undefined) throw new Error("nothing to ask");
      times.push((await this.#served.ask(this.#account, request)).ms);
      await pause(betweenQuestionsMs);
    }
    return times;
  }
}
