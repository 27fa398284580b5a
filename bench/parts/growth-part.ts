import { catalogueOf } from "../generator/catalogue.ts";
import type { Workload } from "../generator/workload.ts";
import { thisMachine } from "../measure/machine.ts";
import { Served } from "../measure/served.ts";
import { timingOf } from "../measure/timing.ts";
import { requestOf } from "../question-request.ts";
import { type Question, questionsOf } from "../questions.ts";
import type { GrowthResult } from "../report/results.ts";
import { pause } from "./asker.ts";
import { type FilledFolder, filledSightline } from "./filled-workload.ts";
import type { BenchOptions } from "./options.ts";

/** Short turns of both: what the machine does besides is done to both. */
const rounds = 7;
const warmUps = 3;
/** What is held of the larger one is read within this time after it is first asked for. */
const heldSecondsMax = 60;

/** The same series of two workloads that differ in their size alone, asked in turns. */
export async function growthPart(
  sizes: readonly [smaller: Workload, larger: Workload],
  options: BenchOptions,
): Promise<GrowthResult> {
  const [smaller, larger] = sizes;
  const [few, many] = [
    await filledSightline(options, smaller),
    await filledSightline(options, larger),
  ];
  const questions = await asking(few, smaller, (askFew) =>
    asking(many, larger, async (askMany) => {
      const series = questionsOf(smaller).filter(({ kind }) => kind === "series");
      await Promise.all([askFew, askMany].map((ask) => untilHeld(ask, series)));
      const results: GrowthResult["questions"][number][] = [];
      const times = Math.ceil(options.times / rounds);
      for (const { name } of series) {
        const [ofFew, ofMany]: [number[], number[]] = [[], []];
        for (let round = 0; round < rounds; round++) {
          ofFew.push(...(await askFew.times(name, times)));
          ofMany.push(...(await askMany.times(name, times)));
        }
        results.push({
          name,
          smallerMs: timingOf(ofFew).medianMs,
          largerMs: timingOf(ofMany).medianMs,
        });
      }
      return results;
    }),
  );
  const [smallerName, largerName] = [smaller.name, larger.name];
  return { part: "growth", smallerName, largerName, machine: thisMachine(), questions };
}

interface Ask {
  /** Milliseconds of so many questions of a name, when warm. */
  readonly times: (name: string, count: number) => Promise<readonly number[]>;
  /** Whether any was answered from the index by prompt. */
  readonly isHeld: () => Promise<boolean>;
}

/** Serves a workload while its questions are asked. */
function asking<Result>(
  { dataDir, account }: FilledFolder,
  workload: Workload,
  work: (ask: Ask) => Promise<Result>,
): Promise<Result> {
  const catalogue = catalogueOf(workload);
  const all = new Map(questionsOf(workload).map((question) => [question.name, question]));
  return Served.during(dataDir, { cache: false }, (served) =>
    work({
      isHeld: async () => (await served.metrics()).includes('plan="prompt_index"'),
      times: async (name, count) => {
        const question = all.get(name);
        if (question === undefined) throw new Error(`${workload.name} has no question ${name}`);
        const request = requestOf(question, catalogue);
        const ms: number[] = [];
        for (let time = 0; time < warmUps + count; time++) {
          const reply = await served.ask(account, request);
          if (time >= warmUps) ms.push(reply.ms);
        }
        return ms;
      },
    }),
  );
}

/** @throws when nothing is held after all. */
async function untilHeld(ask: Ask, series: readonly Question[]): Promise<void> {
  const selective = series.find(({ name }) => name.includes("prompts"));
  if (selective === undefined) throw new Error("no question with prompts");
  for (let second = 0; second < heldSecondsMax; second++) {
    await ask.times(selective.name, 1);
    if (await ask.isHeld()) return;
    await pause(1_000);
  }
  throw new Error(`not held in memory after ${heldSecondsMax} s`);
}
