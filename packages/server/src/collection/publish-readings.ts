import { workspaceOf } from "../accounts/account-store.ts";
import type { AnswerStore, RawReply } from "../answers/answer-store.ts";
import {
  type Reading,
  removeReadingsOfGone,
  storeReadings,
} from "../answers/readings/reading-store.ts";
import type { ControlEngine } from "../control/control-engine.ts";
import { nextTurn } from "../platform/turns.ts";
import { unpacked } from "./kept-replies.ts";
import { type AnswerReader, answerReader, lineageOfKept, readerIdOf } from "./read-answer.ts";
import type { EndedJob } from "./store/collection-store.ts";
import { readerStep } from "./vendors/reader.ts";

/** Dependencies of storing readings. */
interface ReadingTools {
  readonly control: ControlEngine;
  readonly answers: AnswerStore;
}

/**
 * Stores what a reader found in the answers of a part, and removes its replies, which quote them.
 * Repeating it changes nothing.
 * @param pages the ended jobs of the part.
 */
export async function publishReadings(
  { control, answers }: ReadingTools,
  accountId: string,
  pages: AsyncIterable<readonly EndedJob[]>,
): Promise<{ readonly jobs: number; readonly done: number }> {
  const workspace = await workspaceOf(control, accountId);
  const reader = answerReader({ entities: workspace?.entities ?? [] });
  const ids: string[] = [];
  let done = 0;
  for await (const jobs of pages) {
    ids.push(...jobs.map(({ id }) => id));
    const readings: Reading[] = [];
    let wanted = jobs.filter(({ state }) => state === "done").map(({ id }) => id);
    while (wanted.length > 0) {
      const { replies, unread } = await answers.rawsOf(accountId, wanted);
      for (const raw of replies) {
        const job = jobs.find(({ id }) => id === raw.answerId);
        const answer = job === undefined ? null : await answers.byId(accountId, job.promptId);
        const reading = job && answer && (await readingOf({ reader, job, raw }, answer));
        if (reading) readings.push(reading);
        await nextTurn();
      }
      wanted = [...unread];
    }
    await storeReadings(control, accountId, readings);
    // What was removed since its text was read: a removal from now on finds the readings itself.
    await removeReadingsOfGone({ control, answers }, accountId, readings);
    done += readings.length;
  }
  // After they are stored: a worker that dies in between reads them again.
  await answers.removeRawOf(accountId, ids);
  return { jobs: ids.length, done };
}

interface KeptReading {
  readonly reader: AnswerReader;
  readonly job: EndedJob;
  readonly raw: RawReply;
}

type ReadAnswer = Parameters<AnswerReader["read"]>[0];

/** The reading of a job; null: its reply is damaged, or the answer cannot be read any more. */
async function readingOf(
  { reader, job, raw }: KeptReading,
  answer: ReadAnswer,
): Promise<Reading | null> {
  const last = (await unpacked(raw.body))?.at(-1);
  const step = last === undefined ? null : readerStep(last);
  if (last === undefined || step?.kind !== "answered") return null;
  const lineage = lineageOfKept(last.request.host, last.request.body);
  const read = reader.read(answer, step.answer.text);
  if (lineage === null || read === null) return null;
  const { id: answerId, promptId, provider, region, answeredAt } = answer;
  return {
    answerId,
    reader: readerIdOf(lineage),
    sample: job.sample,
    promptId,
    provider,
    region,
    answeredAt,
    readAt: last.at,
    model: step.answer.model?.toWellFormed().slice(0, modelCharactersMax) ?? null,
    costMicros: job.spentMicros,
    lineage,
    mentioned: read.mentioned,
    findings: read.findings,
    dropped: read.dropped,
  };
}

const modelCharactersMax = 200;
