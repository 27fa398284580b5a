import { catalogueOf } from "../generator/catalogue.ts";
import type { Workload } from "../generator/workload.ts";
import { startBare } from "../measure/bare-service.ts";
import { floorBytes } from "../measure/floor-bytes.ts";
import { memoryBytesPerSecond } from "../measure/memory-speed.ts";
import { repeated, rounded, timingOf } from "../measure/timing.ts";
import { requestOf } from "../question-request.ts";
import type { Question } from "../questions.ts";
import type { Floor } from "../report/results.ts";
import type { AskedQuestion } from "./service-answers.ts";

/** What nobody who reads rows and replies over HTTP can be faster than. */
export interface Floors {
  readonly bytesPerSecond: number;
  readonly of: (question: Question) => Floor;
}

const warmUps = 5;
const repetition = { least: 30, most: 30, budgetMs: 0 };

/** Measures memory and a bare HTTP reply, and counts what each question would have to read. */
export async function floors(
  workload: Workload,
  questions: readonly Question[],
  asked: ReadonlyMap<string, AskedQuestion>,
): Promise<Floors> {
  const bytesPerSecond = memoryBytesPerSecond();
  const bytes = floorBytes(workload, questions);
  const catalogue = catalogueOf(workload);
  const bare = await startBare();
  const bareMs = new Map<string, number>();
  for (const question of questions) {
    const request = requestOf(question, catalogue);
    const run = () => bare.ask(asked.get(question.name)?.bytes ?? 0, request);
    for (let time = 0; time < warmUps; time++) await run();
    bareMs.set(question.name, timingOf(await repeated(run, repetition)).medianMs);
  }
  bare.stop();
  return {
    bytesPerSecond,
    of: ({ name }) => ({
      bytes: bytes.get(name) ?? 0,
      memoryMs: rounded(((bytes.get(name) ?? 0) / bytesPerSecond) * 1_000),
      httpMs: bareMs.get(name) ?? 0,
    }),
  };
}
