import type { LoadQuestion } from "../../packages/server/test/load/load-plan.ts";
import type { FilledAccount } from "../fill/fill-sightline.ts";
import { metricSum, type Served } from "../measure/served.ts";
import { timingOf } from "../measure/timing.ts";
import { pause } from "./asker.ts";

/** An account of a server that runs. */
export interface Asked {
  readonly served: Served;
  readonly account: FilledAccount;
}

/** Short turns of all: what the machine does besides is done to all. */
const rounds = 25;
const warmUps = 2;
/** What is held of a large account is read within this time after it is first asked for. */
const heldSecondsMax = 60;

/** The median milliseconds of one question, asked of several in turns, so many times of each. */
export async function mediansInTurns(
  all: readonly { readonly asked: Asked; readonly request: LoadQuestion }[],
  times: number,
): Promise<readonly number[]> {
  const taken = all.map(({ asked, request }) => ({ asked, request, ms: [] as number[] }));
  for (let round = 0; round < rounds; round++) {
    for (const { asked, request, ms } of taken) {
      for (let time = -warmUps; time < Math.ceil(times / rounds); time++) {
        const reply = await asked.served.ask(asked.account, request);
        if (time >= 0) ms.push(reply.ms);
      }
    }
  }
  return taken.map(({ ms }) => timingOf(ms).medianMs);
}

/**
 * Asks a question that the index by prompt answers, until it does. @throws when nothing is held
 * after all.
 */
export async function untilHeld({ served, account }: Asked, request: LoadQuestion): Promise<void> {
  const answered = async () => metricSum(await served.metrics(), /_count\{.*plan="prompt_index"/);
  for (let second = 0; second < heldSecondsMax; second++) {
    const before = await answered();
    await served.ask(account, request);
    if ((await answered()) > before) return;
    await pause(1_000);
  }
  throw new Error(`not held in memory after ${heldSecondsMax} s`);
}
