import { createHash, randomUUID } from "node:crypto";
import type { StartedReading } from "@sightline/contract";
import { workspaceOf } from "../accounts/account-store.ts";
import type { Workspace } from "../accounts/workspace.ts";
import type { AnswerSelection, AnswerStore, RecordedAnswer } from "../answers/answer-store.ts";
import { answersRead, selectedBy } from "../answers/readings/reading-store.ts";
import type { ControlEngine } from "../control/control-engine.ts";
import type { Clock } from "../platform/clock.ts";
import { nextTurn } from "../platform/turns.ts";
import { uuidV5 } from "../platform/uuid.ts";
import { capsOf } from "./asks.ts";
import type { CollectionConfig } from "./config.ts";
import { answerReader, lineageOf, readerIdOf } from "./read-answer.ts";
import type { ReaderConfig } from "./reader-config.ts";
import type { NewJob } from "./store/collection-store.ts";
import { addSweep } from "./store/sweep-store.ts";
import { vendorAvailability } from "./vendor-choice.ts";
import { noUsage } from "./vendors/collected-answer.ts";
import { readerRequestBytes } from "./vendors/reader.ts";

/** An order to have answers read. */
export interface ReadingOrder {
  readonly accountId: string;
  readonly selection: AnswerSelection;
  /** Only estimates the reading. */
  readonly dryRun: boolean;
}

/** The expected usage of a reading. */
interface ReadingEstimate {
  /** Answers to read. */
  readonly answers: number;
  /** Selected answers that this reader has read, or that are being read. */
  readonly alreadyRead: number;
  /** Selected answers with nothing to read: they name nobody, or have no text or a too long one. */
  readonly nothingToRead: number;
  /** Requests: some answers are read twice. */
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Millionths of a dollar; null: the operator did not state a price. */
  readonly micros: number | null;
}

/** The outcome of an order. */
export type ReadingOutcome =
  | {
      readonly kind: "planned";
      /** Null: a dry run, or nothing to read. */
      readonly sweepId: string | null;
      readonly reader: string;
      readonly model: string;
      readonly estimate: ReadingEstimate;
    }
  | { readonly kind: "no-account" }
  | { readonly kind: "too-many"; readonly answersMax: number }
  /** Why nothing is read, for people. */
  | { readonly kind: "off"; readonly reason: string };

/** A planned reading in the shape of replies. */
export function startedReading({
  sweepId,
  reader,
  model,
  estimate: { micros, ...estimate },
}: Extract<ReadingOutcome, { kind: "planned" }>): StartedReading {
  const dollars = micros === null ? null : micros / 1_000_000;
  return { id: sweepId, reader, model, ...estimate, dollars };
}

/** Dependencies of an order. */
interface ReadingTools {
  readonly control: ControlEngine;
  readonly answers: AnswerStore;
  readonly clock: Clock;
  readonly config: CollectionConfig;
}

/** More answers are read by several orders: each is planned in one go. */
const answersMax = 20_000;
/** How long a reading runs: what a cap stops gets a part of the next UTC day. */
const readWithinMs = 24 * 3_600_000;
const pageAnswers = 200;
/** Every twentieth answer is read twice. */
const twiceShare = 0.05;
/** A token is about four bytes; the highest cost counts each byte as one. */
const bytesPerToken = 4;
/** What a model writes: an answer says a few things of each name. */
const expectedTokens = { ofReply: 50, ofName: 120 };

const noReader =
  "No model is configured that reads answers. Set SIGHTLINE_READER_URL and SIGHTLINE_READER_MODEL.";
const noCredential =
  "No process that collects has a credential of the reader. Set SIGHTLINE_READER_KEY; for an " +
  "endpoint that needs none, to any text of 8 characters.";
const unpriced =
  "The account has a cap of dollars, and the price of the reader is unknown. Set " +
  "SIGHTLINE_READER_PRICE, or cap calls instead.";

/** Plans or estimates the reading of answers that the configured reader has not read. */
export async function planReading(
  tools: ReadingTools,
  order: ReadingOrder,
): Promise<ReadingOutcome> {
  const { control, clock, config } = tools;
  const { accountId, dryRun } = order;
  const { reader } = config;
  if (reader === null) return { kind: "off", reason: noReader };
  const workspace = await workspaceOf(control, accountId);
  if (workspace === null) return { kind: "no-account" };
  const found = await answersToRead(tools, { order, workspace, reader });
  if (found === null) return { kind: "too-many", answersMax };
  const id = readerIdOf(lineageOf(reader));
  const planned = { kind: "planned", reader: id, model: reader.model } as const;
  const estimate = estimateOf(tools, reader, found);
  if (dryRun) return { ...planned, sweepId: null, estimate };
  if (estimate.micros === null && hasDollarCap(workspace)) return { kind: "off", reason: unpriced };
  const vendors = config.credentials.vendors;
  const availabilityOf = await vendorAvailability({ control, clock, vendors }, accountId);
  if (!availabilityOf("reader").hasCredential) return { kind: "off", reason: noCredential };
  if (found.answers.length === 0) return { ...planned, sweepId: null, estimate };
  const [sweepId, slot] = [randomUUID(), clock.now()];
  const jobs = found.answers.flatMap((answer) =>
    jobsOf(tools, reader, { accountId, slot, answer }),
  );
  const sweep = { id: sweepId, slot, source: "now", deadline: slot + readWithinMs, jobs } as const;
  await addSweep(control, accountId, sweep, slot);
  return { ...planned, sweepId, estimate };
}

function hasDollarCap(workspace: Workspace): boolean {
  const { all, byProvider } = capsOf(workspace);
  return [all, ...Object.values(byProvider)].some(({ micros }) => micros !== null);
}

/** An answer to read. */
interface AnswerToRead extends Pick<RecordedAnswer, "id" | "provider"> {
  /** Of the whole request. */
  readonly bytes: number;
  readonly names: number;
}

interface FoundAnswers extends Pick<ReadingEstimate, "alreadyRead" | "nothingToRead"> {
  readonly answers: readonly AnswerToRead[];
}

/** The selected answers to read; null: there are too many. Reads the whole record. */
async function answersToRead(
  { control, answers: store }: ReadingTools,
  wanted: {
    readonly order: ReadingOrder;
    readonly workspace: Workspace;
    readonly reader: ReaderConfig;
  },
): Promise<FoundAnswers | null> {
  const { accountId, selection } = wanted.order;
  const { askedOf } = answerReader(wanted.workspace);
  const read = await answersRead(control, accountId, readerIdOf(lineageOf(wanted.reader)));
  const isSelected = selectedBy(selection);
  const answers: AnswerToRead[] = [];
  let [alreadyRead, nothingToRead] = [0, 0];
  for (let after = 0; ; ) {
    const page = await store.read(accountId, { after, limit: pageAnswers });
    for (const answer of page) {
      after = answer.sequence;
      if (!isSelected(answer)) continue;
      const isRead = read.has(answer.id);
      const asked = isRead ? null : askedOf(answer);
      if (isRead) alreadyRead += 1;
      else if (asked === null) nothingToRead += 1;
      if (asked === null) continue;
      const { id, provider } = answer;
      answers.push({ id, provider, bytes: readerRequestBytes(asked.message), names: asked.names });
      if (answers.length > answersMax) return null;
    }
    if (page.length === 0) return { answers, alreadyRead, nothingToRead };
    await nextTurn();
  }
}

/** Whether an answer is read twice: the same ones by every reader, chosen by their ids. */
export function isReadTwice(answerId: string): boolean {
  const drawn = createHash("sha256").update(answerId).digest().readUInt32BE() / 2 ** 32;
  return drawn < twiceShare;
}

const timesOf = ({ id }: Pick<AnswerToRead, "id">) => (isReadTwice(id) ? 2 : 1);

function estimateOf(
  { config, clock }: ReadingTools,
  { model, price, outputTokensMax }: ReaderConfig,
  { answers, alreadyRead, nothingToRead }: FoundAnswers,
): ReadingEstimate {
  const sum = (of: (answer: AnswerToRead) => number) =>
    answers.reduce((total, answer) => total + of(answer) * timesOf(answer), 0);
  const { ofReply, ofName } = expectedTokens;
  const inputTokens = Math.ceil(sum(({ bytes }) => bytes / bytesPerToken));
  const outputTokens = sum(({ names }) => Math.min(outputTokensMax, ofReply + names * ofName));
  const [first] = answers;
  const asked = { vendor: "reader", provider: first?.provider ?? "OPENAI", model } as const;
  const usage = { ...noUsage, inputTokens, outputTokens };
  const { amountMicros } = config.prices.costOf(usage, { ...asked, at: clock.now() });
  return {
    answers: answers.length,
    alreadyRead,
    nothingToRead,
    requests: sum(() => 1),
    inputTokens,
    outputTokens,
    micros: price === null ? null : amountMicros,
  };
}

interface JobsOfAnswer {
  readonly accountId: string;
  readonly slot: number;
  readonly answer: AnswerToRead;
}

/** The jobs of an answer: what they ask about takes the place of a prompt. */
function jobsOf(
  { config }: ReadingTools,
  { model, outputTokensMax }: ReaderConfig,
  { accountId, slot, answer }: JobsOfAnswer,
): readonly NewJob[] {
  const { id: promptId, provider, bytes } = answer;
  const asked = { provider, vendor: "reader", model } as const;
  const most = { ...noUsage, inputTokens: bytes, outputTokens: outputTokensMax };
  const reserveMicros = config.prices.costOf(most, { ...asked, at: slot }).amountMicros;
  return Array.from({ length: timesOf(answer) }, (_, sample) => {
    const id = uuidV5(accountId, `reading ${promptId} ${slot} ${sample}`);
    return { ...asked, id, promptId, surface: "api", region: null, sample, reserveMicros };
  });
}
