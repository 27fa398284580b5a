import { deserialize, serialize } from "node:v8";
import type { Vendor } from "@sightline/contract";
import { noteRecorded } from "../accounts/progress-store.ts";
import { type Answer, contentHash } from "../answers/answer.ts";
import {
  type AnswerStore,
  everyAnswer,
  type RawReply,
  unagingAt,
} from "../answers/answer-store.ts";
import { noteRemoved } from "../answers/import-store.ts";
import type { ControlEngine } from "../control/control-engine.ts";
import { uuidV5 } from "../platform/uuid.ts";
import type { Adapter } from "./adapter.ts";
import { answerOf, type JobOfSweep, unpacked } from "./kept-replies.ts";
import { importIdOf } from "./publish-parts.ts";

/** Dependencies of reading raw replies again. */
interface RereadTools {
  readonly control: ControlEngine;
  readonly answers: AnswerStore;
  readonly adapters: readonly Adapter[];
}

/** The numbers of answers. */
export interface RereadReport {
  /** With a stored raw reply. */
  readonly read: number;
  /** Replaced, or to be replaced, because their content changed. */
  readonly changed: number;
  /** Of those read: with a damaged raw reply, or not collected. */
  readonly unreadable: number;
}

/** An answer that replaces the one with its id. */
interface Replacement {
  readonly answer: Answer;
  readonly raw: RawReply;
}

const repliesAtOnce = 100;
/** Each removal rewrites much of a record. */
const replacedAtOnce = 2_000;
/** The time of staged replacements: no reply is so old. */
const stagedAt = unagingAt;

/**
 * Reads an account's raw replies again with the current adapters, and replaces the answers whose
 * content changed under the same ids; facts follow. With `dryRun` nothing is replaced. Repeating it
 * completes a killed run: replacements are staged before the originals are removed.
 */
export async function rereadRaw(
  tools: RereadTools,
  accountId: string,
  { dryRun }: { readonly dryRun: boolean },
): Promise<RereadReport> {
  const { answers, adapters } = tools;
  if (!dryRun) await recordStaged(tools, accountId);
  const report = { read: 0, changed: 0, unreadable: 0 };
  let replacements: Replacement[] = [];
  for await (const raw of repliesOf(answers, accountId)) {
    if (raw.at === stagedAt) continue;
    const { sequence: _sequence, ...before } = (await answers.byId(accountId, raw.answerId)) ?? {
      sequence: 0,
    };
    if (!("id" in before) || before.removedText !== undefined) continue;
    report.read++;
    const answer = await rereadAnswer(adapters, before, raw);
    if (answer === null) report.unreadable++;
    if (answer === null || contentHash(answer).equals(contentHash(before))) continue;
    if (dryRun) {
      report.changed++;
      continue;
    }
    replacements.push({ answer, raw });
    if (replacements.length < replacedAtOnce) continue;
    report.changed += await replace(tools, accountId, replacements);
    replacements = [];
  }
  if (replacements.length > 0) report.changed += await replace(tools, accountId, replacements);
  return report;
}

async function* repliesOf(answers: AnswerStore, accountId: string): AsyncGenerator<RawReply> {
  let after: string | null = null;
  for (;;) {
    const page: readonly RawReply[] = await answers.rawReplies(accountId, after, repliesAtOnce);
    yield* page;
    after = page.at(-1)?.answerId ?? null;
    if (after === null) return;
  }
}

/** Replaces answers. @returns how many. */
async function replace(
  tools: RereadTools,
  accountId: string,
  replacements: readonly Replacement[],
): Promise<number> {
  const { answers, control } = tools;
  for (const replacement of replacements) {
    const { answerId, vendor } = replacement.raw;
    const staged = { answerId: uuidV5(answerId, "replacement"), vendor, at: stagedAt };
    await answers.keepRaw(accountId, { ...staged, body: serialize(replacement) });
  }
  // Answers or texts that were removed meanwhile stay removed.
  const there: Replacement[] = [];
  for (const replacement of replacements) {
    const now = await answers.byId(accountId, replacement.answer.id);
    if (now !== null && now.removedText === undefined) there.push(replacement);
  }
  const ids = there.map(({ answer }) => answer.id);
  if (ids.length > 0) await answers.remove(accountId, { ...everyAnswer, ids });
  await noteRemoved(control, accountId, await answers.end(accountId));
  await record(tools, accountId, there);
  return there.length;
}

/** Completes a killed run. */
async function recordStaged(tools: RereadTools, accountId: string): Promise<void> {
  const staged: Replacement[] = [];
  for await (const raw of repliesOf(tools.answers, accountId)) {
    if (raw.at === stagedAt) staged.push(deserialize(raw.body) as Replacement);
  }
  if (staged.length > 0) await record(tools, accountId, staged);
}

/** Records replacements. An answer that is still there stays, and is read again. */
async function record(
  { answers, control }: RereadTools,
  accountId: string,
  replacements: readonly Replacement[],
): Promise<void> {
  const byImport = Map.groupBy(replacements, ({ answer }) => importOf(answer));
  for (const [importId, group] of byImport) {
    await answers.record(
      accountId,
      group.map(({ answer }) => answer),
      importId,
    );
  }
  for (const { raw } of replacements) await answers.keepRaw(accountId, raw);
  await noteRecorded(control, accountId, await answers.end(accountId));
  await answers.removeRaw(accountId, stagedAt + 1, stagedAt);
}

function importOf({ metadata, provider, surface }: Answer): string {
  const sweepId = String(metadata?.["sweepId"]);
  return importIdOf({ sweepId, provider, surface: surface ?? "api" });
}

/**
 * An answer as the current adapter reads its raw reply; the same answer when nothing changed; null:
 * the reply cannot be read, or the answer was not collected.
 */
async function rereadAnswer(
  adapters: readonly Adapter[],
  answer: Answer,
  raw: RawReply,
): Promise<Answer | null> {
  const adapter = adapters.find(({ vendor }) => vendor === raw.vendor);
  const job = jobOf(answer, raw.vendor);
  if (adapter === undefined || job === null) return null;
  const exchanges = await unpacked(raw.body);
  const last = exchanges?.at(-1);
  if (exchanges === null || last === undefined) return null;
  const { id, provider, surface, region } = job;
  const question = { id, prompt: "", provider, surface, region, model: null };
  const step = adapter.step(question, exchanges);
  const where = { at: last.at, region: adapter.regionOf(question) };
  const { cost } = answer;
  switch (step.kind) {
    case "answered":
      return answerOf(job, { kind: "answered", answer: step.answer, cost }, where);
    case "failed": {
      if (answer.outcome === "failed") return answer;
      return answerOf(job, { kind: "failed", reason: step.failure.reason, cost }, where);
    }
    default: // the job was given up before its reply was complete
      return answer;
  }
}

/** The job of an answer; null: it was not collected. */
function jobOf(answer: Answer, vendor: Vendor): JobOfSweep | null {
  const { id, promptId, provider, surface, requestedRegion, sample, metadata } = answer;
  const { sweepId, slot } = metadata ?? {};
  if (typeof sweepId !== "string" || typeof slot !== "string" || surface === null) return null;
  const asked = { id, promptId, provider, surface, vendor, region: requestedRegion, sample };
  return { ...asked, sweepId, slot: Date.parse(slot), model: null, reserveMicros: 0 };
}
