import type { AnswerStore } from "../answers/answer-store.ts";
import type { Clock } from "../platform/clock.ts";
import { isEngineAway } from "../platform/engine-away.ts";
import type { RunTools } from "./run-tools.ts";
import type { Timetable } from "./timetable.ts";

/** What replies are kept with. */
export interface KeepReplies {
  readonly answers: Pick<AnswerStore, "keepRaw" | "raw">;
  readonly clock: Pick<Clock, "elapsed">;
  readonly timetable: Timetable;
}

const againMs = 1_000;
/** An engine that restarts is back within minutes; one that is lost needs somebody. */
const triedForMs = 10 * 60_000;

/**
 * Keeps replies also where their engine is away for a moment: they are paid for, and without them a
 * job is not asked again. The job's lease is renewed meanwhile, and it keeps its place, so that no
 * more is asked than can be kept.
 */
export function keepReplies({ answers, clock, timetable }: KeepReplies): RunTools["answers"] {
  return {
    raw: (accountId, answerId) => answers.raw(accountId, answerId),
    keepRaw: async (accountId, raw) => {
      const endMs = clock.elapsed() + triedForMs;
      for (;;) {
        try {
          return await answers.keepRaw(accountId, raw);
        } catch (error) {
          if (!isEngineAway(error) || clock.elapsed() >= endMs) throw error;
        }
        await timetable.wait(againMs);
      }
    },
  };
}
