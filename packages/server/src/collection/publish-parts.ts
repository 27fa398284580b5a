import { createHash } from "node:crypto";
import type { AnswerStore } from "../answers/answer-store.ts";
import { noteImport } from "../answers/import-store.ts";
import { ImportNotes } from "../answers/intake/import-notes.ts";
import type { ControlEngine } from "../control/control-engine.ts";
import { addDelivery } from "../hooks/delivery-store.ts";
import { hooksOf } from "../hooks/hook-store.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/logger.ts";
import { nextTurn } from "../platform/turns.ts";
import { uuidV5 } from "../platform/uuid.ts";
import { driftOf, isComparedAgain, PartReader, sweepsBefore } from "./answer-drift.ts";
import type { CollectionCounts } from "./counts.ts";
import type { ReadJobResult, ReadJobs } from "./kept-replies.ts";
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

/** What parts are published with. */
export interface PublishTools {
  readonly control: ControlEngine;
  readonly answers: AnswerStore;
  readonly readJobs: ReadJobs;
  readonly clock: Clock;
  readonly counts: CollectionCounts;
  readonly logger: Logger;
}

/**
 * A claim is renewed with each page of jobs, and so ends soon after its worker died. A part that is
 * published by two workers is recorded once, at twice the work.
 */
const claimMs = 2 * 60_000;
/**
 * What is held back is read again after so long: a later version may read it right, and publishes
 * it then by itself.
 */
const heldMs = 3_600_000;
const partsMax = 10;
const jobsMax = 100;
/**
 * What is recorded in one transaction, so that it counts as a whole: some 6,000 answers of 5,000
 * characters, as many as facts read in one batch. They take 64 MB and a second, in which the thread
 * renews no lease. A part that is larger counts in several steps of this size.
 */
const charactersAtOnce = 32 * 1024 * 1024;
/** What an answer takes in addition to its text. */
const answerCharactersMin = 1_000;

/** Records the answers of parts that have ended. @returns how many parts were published. */
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
      // Claimed again when the claim has ended.
      const { accountId, sweepId, provider } = part;
      logger.error({ accountId, sweepId, provider, error: String(error) }, "publishing failed");
    }
  }
  return published;
}

/** The id of the import that a part's answers belong to. */
export function importIdOf({
  sweepId,
  provider,
  surface,
}: Pick<PartToPublish, "sweepId" | "provider" | "surface">): string {
  return uuidV5(sweepId, `${provider} ${surface}`);
}

/** A part as this worker claimed or renewed it last. */
interface Claim {
  part: ReadyPart;
}

/** @returns false: its answers look wrong, and it is held back. */
async function publishPart(tools: PublishTools, claim: Claim): Promise<boolean> {
  const { part } = claim;
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
    // By its first answers, some 6,000: nothing of it is recorded before it was looked at.
    const isFirst = tally.accepted + tally.rejected === 0;
    if (isFirst && (await isHeldBack(tools, claim, reader.reading))) return false;
    const answers = read.map(({ answer }) => answer);
    await notes.begin();
    const recordings = await store.record(accountId, answers, importId);
    // Duplicates are its own: who died between recording and this note is repeated.
    const rejected = recordings.filter((each) => each === "conflict").length;
    tally.accepted += recordings.length - rejected;
    tally.rejected += rejected;
    done += answers.filter(({ outcome }) => outcome !== "failed").length;
    // A part that breaks off is always published to its end by the next worker.
    const note = { id: importId, source, ...tally, isComplete: true };
    await noteImport(control, accountId, note, clock.now());
    await notes.recorded();
  }
  await notes.end();
  const jobs = tally.accepted + tally.rejected;
  // Before its end is noted: who dies meanwhile repeats it.
  await notifyFailedParts(tools, part, { jobs, done });
  await recordPublished(control, part, tools.clock.now(), reader.reading);
  counts.published(provider, done === 0);
  logger.info({ accountId, sweepId, provider, jobs, done }, "a part of a sweep was published");
  return true;
}

/** Holds a part back, and tells webhooks, when its answers look wrong and nobody accepted them. */
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
  // What cannot be compared any more stays as it was found.
  const reading = isAgain ? { ...read, models: earlier.held?.models ?? [] } : read;
  const suspicious = isAgain ? (earlier.held?.suspicious ?? []) : drift;
  const { accountId, sweepId, provider } = part;
  const isFirst = earlier.held === null;
  // Before it is held: who dies meanwhile repeats it, and twice notes it once.
  if (isFirst) await notifyHeldPart(tools, part, suspicious);
  const held = { reading, suspicious, untilMs: clock.now() + heldMs };
  const isHeld = await holdPart(control, part, held);
  if (!isHeld) throw new Error("the part is another worker's by now");
  if (isFirst) {
    logger.warn({ accountId, sweepId, provider, suspicious }, "a part of a sweep is held back");
  }
  return true;
}

/** The answers of a part, as many as are recorded in one transaction. */
async function* answersOf(
  { control, clock, readJobs }: PublishTools,
  claim: Claim,
): AsyncGenerator<readonly ReadJobResult[]> {
  let answers: ReadJobResult[] = [];
  let characters = 0;
  for await (const jobs of pagesOf(control, claim.part)) {
    await renew({ control, clock }, claim);
    for await (const read of readJobs(claim.part, jobs)) {
      const { answer } = read;
      answers.push(read);
      characters += answer.text.length + answerCharactersMin;
      for (const { url, title } of answer.citations) {
        characters += url.length + (title?.length ?? 0);
      }
      // Reading is done between replies to requests under way.
      await nextTurn();
      if (characters < charactersAtOnce) continue;
      yield answers;
      answers = [];
      characters = 0;
    }
  }
  if (answers.length > 0) yield answers;
}

/** @throws when another worker has the part: this one was away for longer than its claim. */
async function renew(
  { control, clock }: Pick<PublishTools, "control" | "clock">,
  claim: Claim,
): Promise<void> {
  const renewed = await renewPart(control, claim.part, clock.now() + claimMs);
  if (renewed === null) throw new Error("another worker publishes the part");
  claim.part = renewed;
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

/** Sweeps of a provider in succession that fail before anybody is told: one may be an outage. */
const failedSweepsMax = 3;

/** What webhooks are told with. */
interface FailedPartsTools {
  readonly control: ControlEngine;
  readonly clock: Clock;
}

/** How many jobs a part had, and how many of them gave an answer. */
interface PartOutcome {
  readonly jobs: number;
  readonly done: number;
}

/**
 * Notes an event for the account's webhooks when a part, which is about to be noted as published,
 * makes its sweep the third in succession without any answer of its provider. Those that follow are
 * not told of again; noting it twice notes it once.
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
  // On the other surface somebody may have answered, or may yet: the last part to end tells.
  const others = ofProvider.filter((each) => each !== found);
  if (others.some((each) => each.done + each.queued + each.underWay > 0)) return;
  await tell({ control, clock }, part, {
    failedSweeps: failedSweepsMax,
    jobs,
    reasons: found?.failed ?? [],
  });
}

/**
 * Notes an event for the account's webhooks when a part is about to be held back; twice notes it
 * once.
 *
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
  await tell(tools, part, { failedSweeps: 1, heldBack: true, jobs, reasons });
}

/** What an event says in addition to the part. */
interface Told {
  readonly failedSweeps: number;
  readonly heldBack?: true;
  readonly jobs: number;
  readonly reasons: readonly { readonly reason: string; readonly jobs: number }[];
}

async function tell(
  { control, clock }: FailedPartsTools,
  part: PartToPublish,
  told: Told,
): Promise<void> {
  const { accountId, sweepId, slot, provider, surface } = part;
  const now = clock.now();
  for (const hook of await hooksOf(control, accountId)) {
    if (!hook.events.includes("collection-failed") || hook.disabledAt !== null) continue;
    const id = eventId(hook.id, part, told.heldBack === true ? ` ${surface} held` : "");
    const data = { sweepId, slot: new Date(slot).toISOString(), provider, surface, ...told };
    const timestamp = new Date(now).toISOString();
    const body = JSON.stringify({ id, type: "collection-failed", timestamp, data });
    const times = { createdAt: now, nextAt: now };
    const event = { id, hookId: hook.id, event: "collection-failed", body, ...times } as const;
    await addDelivery(control, accountId, event);
  }
}

/** Of a webhook's event about a provider of a sweep, always the same, whichever part tells. */
function eventId(hookId: string, { sweepId, provider }: PartToPublish, kind: string): string {
  const named = `${hookId} collection-failed ${sweepId} ${provider}${kind}`;
  return `msg_${createHash("sha256").update(named).digest("hex").slice(0, 32)}`;
}
