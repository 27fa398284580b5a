import type { AnswerStore } from "../answers/answer-store.ts";
import { noteImport } from "../answers/import-store.ts";
import { ImportNotes } from "../answers/intake/import-notes.ts";
import type { ControlEngine } from "../control/control-engine.ts";
import { tellHooks } from "../hooks/tell-hooks.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/logger.ts";
import { nextTurn } from "../platform/turns.ts";
import { uuidV5 } from "../platform/uuid.ts";
import { driftOf, isComparedAgain, PartReader, sweepsBefore } from "./answer-drift.ts";
import type { CollectionCounts } from "./counts.ts";
import type { ReadJobResult, ReadJobs } from "./kept-replies.ts";
import { publishReadings } from "./publish-readings.ts";
import type { EndedJob, PartReading, PartToPublish, ReadyPart } from "./store/collection-store.ts";
import {
  claimPart,
  earlierReadings,
  failedSweeps,
  holdPart,
  jobsOfPart,
  partsToPublish,
  recordPublished,
  renewPart,
} from "./store/part-store.ts";
import { sweepById } from "./store/sweep-reads.ts";

/** Dependencies of publishing. */
export interface PublishTools {
  readonly control: ControlEngine;
  readonly answers: AnswerStore;
  readonly readJobs: ReadJobs;
  readonly clock: Clock;
  readonly counts: CollectionCounts;
  readonly logger: Logger;
}

/**
 * A claim is renewed with each page of jobs, so that of a crashed worker expires soon. A part that
 * two workers publish is recorded once, at twice the work.
 */
const claimMs = 2 * 60_000;
/**
 * How often a part that is held back is read again: a later version may read it correctly and
 * publish it.
 */
const heldMs = 3_600_000;
const partsMax = 10;
const jobsMax = 100;
/**
 * The size of a transaction, within which answers become visible together: some 6,000 answers of
 * 5,000 characters, as many as facts read in one batch. It takes 64 MB and a second, in which the
 * thread renews no lease. A larger part is published in several steps.
 */
const charactersAtOnce = 32 * 1024 * 1024;
/** The size of an answer without its text. */
const answerCharactersMin = 1_000;

/** Publishes finished parts: records their answers. @returns how many parts. */
export async function publishParts(tools: PublishTools, signal: AbortSignal): Promise<number> {
  const { control, clock, logger } = tools;
  let published = 0;
  for (const part of await partsToPublish(control, clock.now(), partsMax)) {
    if (signal.aborted) break;
    const now = clock.now();
    const claimed = await claimPart(control, part, { now, untilMs: now + claimMs });
    if (claimed === null) continue;
    try {
      if (await publishPart(tools, { part: claimed })) published++;
    } catch (error) {
      // Retried after the claim has expired.
      const { accountId, sweepId, provider } = part;
      logger.error({ accountId, sweepId, provider, error: String(error) }, "publishing failed");
    }
  }
  return published;
}

/** The id of the import that contains a part's answers. */
export function importIdOf({
  sweepId,
  provider,
  surface,
}: Pick<PartToPublish, "sweepId" | "provider" | "surface">): string {
  return uuidV5(sweepId, `${provider} ${surface}`);
}

/** A part under the worker's current claim. */
interface Claim {
  part: ReadyPart;
}

/** Publishes a part. @returns false: its answers look wrong, and it is held back. */
async function publishPart(tools: PublishTools, claim: Claim): Promise<boolean> {
  const { part } = claim;
  if (part.vendor === "reader") return publishReadingsOf(tools, claim);
  const { control, clock, answers: store, logger, counts } = tools;
  const { accountId, sweepId, slot, provider } = part;
  const importId = importIdOf(part);
  const notes = new ImportNotes({ accountId, store, control, clock, importId });
  const source = `collection ${new Date(slot).toISOString()} ${provider}`;
  const tally = { accepted: 0, duplicates: 0, rejected: 0 };
  const reader = new PartReader();
  let done = 0;
  for await (const read of answersOf(tools, claim)) {
    for (const each of read) reader.add(each);
    // Checked by its first answers, some 6,000, before any of them is recorded.
    const isFirst = tally.accepted + tally.rejected === 0;
    if (isFirst && (await isHeldBack(tools, claim, reader.reading))) return false;
    const answers = read.map(({ answer }) => answer);
    await notes.begin();
    const recordings = await store.record(accountId, answers, importId);
    // Duplicates are the part's own: a worker that crashed between recording and this update.
    const rejected = recordings.filter((each) => each === "conflict").length;
    tally.accepted += recordings.length - rejected;
    tally.rejected += rejected;
    done += answers.filter(({ outcome }) => outcome !== "failed").length;
    // An interrupted part is always completed by the next worker.
    const note = { id: importId, source, ...tally, isComplete: true };
    await noteImport(control, accountId, note, clock.now());
    await notes.recorded();
  }
  await notes.end();
  const jobs = tally.accepted + tally.rejected;
  // Before its end is recorded: after a crash it is repeated.
  await notifyFailedParts(tools, part, { jobs, done });
  await recordPublished(control, part, tools.clock.now(), reader.reading);
  counts.published(provider, done === 0);
  logger.info({ accountId, sweepId, provider, jobs, done }, "a part of a sweep was published");
  return true;
}

/** Publishes a part whose jobs read answers: these stay as they are. */
async function publishReadingsOf(tools: PublishTools, claim: Claim): Promise<true> {
  const { control, clock, counts, logger } = tools;
  const { accountId, sweepId, provider } = claim.part;
  const { jobs, done } = await publishReadings(tools, accountId, renewedPages(tools, claim));
  await recordPublished(control, claim.part, clock.now());
  counts.published(provider, done === 0);
  logger.info({ accountId, sweepId, provider, jobs, done }, "readings of answers were published");
  return true;
}

/**
 * Holds a part back and notifies webhooks when its answers look wrong and were not accepted.
 * @returns whether the part is held back.
 */
async function isHeldBack(
  tools: PublishTools,
  { part }: Claim,
  read: PartReading,
): Promise<boolean> {
  const { control, clock, logger } = tools;
  const earlier = await earlierReadings(control, part, sweepsBefore);
  if (earlier.isAccepted) return false;
  const drift = driftOf(read.models, earlier.before);
  const isAgain = drift.length === 0 && !isComparedAgain(read.models, earlier.held);
  if (drift.length === 0 && !isAgain) return false;
  // A part that can no longer be compared stays held back as before.
  const reading = isAgain ? { ...read, models: earlier.held?.models ?? [] } : read;
  const suspicious = isAgain ? (earlier.held?.suspicious ?? []) : drift;
  const { accountId, sweepId, provider } = part;
  const isFirst = earlier.held === null;
  // Before it is held back: after a crash it is repeated, and the event is queued once.
  if (isFirst) await notifyHeldPart(tools, part, suspicious);
  const held = { reading, suspicious, untilMs: clock.now() + heldMs };
  const isHeld = await holdPart(control, part, held);
  if (!isHeld) throw new Error("the part is another worker's by now");
  if (isFirst) {
    logger.warn({ accountId, sweepId, provider, suspicious }, "a part of a sweep is held back");
  }
  return true;
}

/** The answers of a part, in batches for one transaction each. */
async function* answersOf(
  { control, clock, readJobs }: PublishTools,
  claim: Claim,
): AsyncGenerator<readonly ReadJobResult[]> {
  let answers: ReadJobResult[] = [];
  let characters = 0;
  for await (const jobs of renewedPages({ control, clock }, claim)) {
    for await (const read of readJobs(claim.part, jobs)) {
      const { answer } = read;
      answers.push(read);
      characters += answer.text.length + answerCharactersMin;
      for (const { url, title } of answer.citations) {
        characters += url.length + (title?.length ?? 0);
      }
      // Yields to replies of running requests.
      await nextTurn();
      if (characters < charactersAtOnce) continue;
      yield answers;
      answers = [];
      characters = 0;
    }
  }
  if (answers.length > 0) yield answers;
}

/**
 * Renews a claim. @throws when another worker has the part, because this one stalled for longer
 * than its claim.
 */
async function renew(
  { control, clock }: Pick<PublishTools, "control" | "clock">,
  claim: Claim,
): Promise<void> {
  const renewed = await renewPart(control, claim.part, clock.now() + claimMs);
  if (renewed === null) throw new Error("another worker publishes the part");
  claim.part = renewed;
}

/** The jobs of a part, whose claim is renewed with each page. */
async function* renewedPages(
  tools: Pick<PublishTools, "control" | "clock">,
  claim: Claim,
): AsyncGenerator<readonly EndedJob[]> {
  for await (const jobs of pagesOf(tools.control, claim.part)) {
    await renew(tools, claim);
    yield jobs;
  }
}

async function* pagesOf(
  control: PublishTools["control"],
  part: PartToPublish,
): AsyncGenerator<readonly EndedJob[]> {
  let after: string | null = null;
  for (;;) {
    const jobs: readonly EndedJob[] = await jobsOfPart(control, part, after, jobsMax);
    yield jobs;
    after = jobs.at(-1)?.id ?? null;
    if (jobs.length < jobsMax) return;
  }
}

/** Consecutive failed sweeps of a provider until webhooks are notified: one may be an outage. */
const failedSweepsMax = 3;

/** Dependencies of notifying webhooks. */
interface FailedPartsTools {
  readonly control: ControlEngine;
  readonly clock: Clock;
}

/** The number of a part's jobs, and of those with an answer. */
interface PartOutcome {
  readonly jobs: number;
  readonly done: number;
}

/**
 * Queues an event for the account's webhooks when a part, which is about to be published, makes its
 * sweep the third in succession without an answer of its provider. Later failures are not notified.
 * Idempotent.
 */
async function notifyFailedParts(
  { control, clock }: FailedPartsTools,
  part: PartToPublish,
  { jobs, done }: PartOutcome,
): Promise<void> {
  const { accountId, sweepId, provider, surface } = part;
  if (done > 0 || (await failedSweeps(control, part)) !== failedSweepsMax - 1) return;
  const sweep = await sweepById(control, accountId, sweepId, clock.now());
  if (sweep === null || sweep.cancelledAt !== null) return;
  const ofProvider = sweep.parts.filter((each) => each.provider === provider);
  const [found] = ofProvider.filter((each) => each.surface === surface);
  // The other surface may have answers, now or later: the last part to end notifies.
  const others = ofProvider.filter((each) => each !== found);
  if (others.some((each) => each.done + each.queued + each.underWay > 0)) return;
  await notify({ control, clock }, part, {
    failedSweeps: failedSweepsMax,
    jobs,
    reasons: found?.failed ?? [],
  });
}

/**
 * Queues an event for the account's webhooks when a part is about to be held back. Idempotent.
 * @param suspicious why it is held back.
 */
async function notifyHeldPart(
  tools: FailedPartsTools,
  part: PartToPublish,
  suspicious: readonly string[],
): Promise<void> {
  const sweep = await sweepById(tools.control, part.accountId, part.sweepId, tools.clock.now());
  const found = sweep?.parts.find(
    ({ provider, surface }) => provider === part.provider && surface === part.surface,
  );
  if (found === undefined) return;
  const { jobs } = found;
  const reasons = suspicious.map((reason) => ({ reason, jobs }));
  await notify(tools, part, { failedSweeps: 1, heldBack: true, jobs, reasons });
}

/** The data of an event, in addition to the part. */
interface EventFields {
  readonly failedSweeps: number;
  readonly heldBack?: true;
  readonly jobs: number;
  readonly reasons: readonly { readonly reason: string; readonly jobs: number }[];
}

function notify(
  { control, clock }: FailedPartsTools,
  part: PartToPublish,
  fields: EventFields,
): Promise<void> {
  const { accountId, sweepId, slot, provider, surface } = part;
  const data = { sweepId, slot: new Date(slot).toISOString(), provider, surface, ...fields };
  // Whichever part of the provider notifies, it is one event.
  const key = `${sweepId} ${provider}${fields.heldBack === true ? ` ${surface} held` : ""}`;
  return tellHooks(control, accountId, {
    event: "collection-failed",
    key,
    data,
    at: clock.now(),
  });
}
