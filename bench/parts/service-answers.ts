import { catalogueOf } from "../generator/catalogue.ts";
import type { Workload } from "../generator/workload.ts";
import { Served } from "../measure/served.ts";
import { type Timing, timingOf } from "../measure/timing.ts";
import { requestOf } from "../question-request.ts";
import type { Question } from "../questions.ts";
import type { FilledFolder } from "./filled-workload.ts";

/** What was seen of a question that the service was asked. */
export interface AskedQuestion {
  readonly timing: Timing;
  /** Of the reply. */
  readonly bytes: number;
}

/** How the service is asked. */
export interface Asking {
  readonly questions: readonly Question[];
  readonly times: number;
  /** What has its turn after each turn of a question. */
  readonly inTurns: (question: Question) => Promise<void>;
}

/** Each question is asked in so many turns, so that a slow moment of the machine spoils none. */
const rounds = 3;
const warmUps = 20;

/** Asks the service each question some times, one after the other, over one connection. */
export function askService(
  { dataDir, account }: FilledFolder,
  workload: Workload,
  { questions, times, inTurns }: Asking,
): Promise<ReadonlyMap<string, AskedQuestion>> {
  return Served.during(dataDir, {}, async (served) => {
    const catalogue = catalogueOf(workload);
    const taken = new Map<Question, number[]>(questions.map((question) => [question, []]));
    const sizes = new Map<Question, number>();
    for (let round = 0; round < rounds; round++) {
      for (const [question, ms] of taken) {
        const request = requestOf(question, catalogue);
        for (let time = 0; time < warmUps; time++) await served.ask(account, request);
        for (let time = 0; time < Math.ceil(times / rounds); time++) {
          const reply = await served.ask(account, request);
          ms.push(reply.ms);
          sizes.set(question, Buffer.byteLength(reply.body));
        }
        await inTurns(question);
      }
    }
    const asked = new Map<string, AskedQuestion>();
    for (const [question, ms] of taken) {
      asked.set(question.name, { timing: timingOf(ms), bytes: sizes.get(question) ?? 0 });
    }
    return asked;
  });
}
