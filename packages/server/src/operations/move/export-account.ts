import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createZstdCompress } from "node:zlib";
import type {
  AccountCollection,
  DeclaredReport,
  FileSource,
  Note,
  SavedView,
  StatedFact,
} from "@sightline/contract";
import { revisionOf } from "../../accounts/account-store.ts";
import type { AnswerStore } from "../../answers/answer-store.ts";
import { recordedLabels } from "../../answers/labels/label-store.ts";
import { recordedReadings } from "../../answers/readings/reading-store.ts";
import { endedSweeps } from "../../collection/store/moved-collection.ts";
import { spendOf } from "../../collection/store/spend-ledger.ts";
import type { ControlEngine } from "../../control/control-engine.ts";
import { keysOf } from "../../keys/key-store.ts";
import type { Clock } from "../../platform/clock.ts";
import {
  type AccountCounts,
  type AccountLine,
  countedAs,
  MoveError,
  noCounts,
} from "./account-file.ts";
import { accountToMove, declaredItems, usageOfAccount } from "./account-moves.ts";

/** The service that an account is on. */
export interface MovePlace {
  readonly control: ControlEngine;
  readonly answers: AnswerStore;
  readonly clock: Clock;
  /** Of the pepper under which its keys are hashed. */
  readonly pepperFingerprint: string;
}

/** What is exported, and where to. */
export interface ExportOptions {
  readonly accountId: string;
  /** Replaced when it exists. */
  readonly file: string;
  /** Called with the answers that are written, of all. */
  readonly onProgress: (answers: number, of: number) => void;
}

/** What was written. */
export interface AccountExport {
  readonly accountId: string;
  readonly accountName: string;
  readonly counts: AccountCounts;
}

/** After every day of the ledger. */
const lastDay = 1_000_000;
/** Answers per read. */
const pageAnswers = 1_000;

/**
 * Writes an account with all that belongs to it to one file: NDJSON, zstd. The service may be
 * running; answers that are recorded meanwhile are left out. The file gets its name once it is
 * complete and on the disk. It holds no key, only hashes.
 * @throws MoveError when there is no such account, or its workspace changes meanwhile.
 */
export async function exportAccount(
  place: MovePlace,
  { accountId, file, onProgress }: ExportOptions,
): Promise<AccountExport> {
  const revision = await revisionOf(place.control, accountId);
  const account = await accountToMove(place.control, accountId);
  if (account === null) throw new MoveError(`There is no account ${accountId}.`);
  const partial = `${file}.partial`;
  const counts = noCounts();
  const hash = createHash("sha256");
  const text = async function* () {
    for await (const line of linesOf(place, { accountId, revision, ...account, onProgress })) {
      const counted = countedAs[line.kind];
      if (counted !== null) counts[counted]++;
      const written = `${JSON.stringify(line)}\n`;
      hash.update(written);
      yield written;
    }
    const end: AccountLine = { kind: "end", counts, sha256: hash.digest("hex") };
    yield `${JSON.stringify(end)}\n`;
  };
  try {
    await pipeline(
      Readable.from(text()),
      createZstdCompress(),
      createWriteStream(partial, { mode: 0o600, flush: true }),
    );
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  return { accountId, accountName: account.name, counts };
}

interface Exported extends Pick<ExportOptions, "accountId" | "onProgress"> {
  /** Of the workspace, before anything of it was read. */
  readonly revision: number | null;
  readonly name: string;
  readonly createdAt: number;
  readonly collection?: AccountCollection;
  readonly views?: readonly SavedView[];
  readonly notes?: readonly Note[];
  readonly sources?: readonly FileSource[];
  readonly facts?: readonly StatedFact[];
  readonly ignoredNames?: readonly string[];
  readonly reports?: readonly DeclaredReport[];
  readonly accountTags?: readonly string[];
}

async function* linesOf(
  { control, answers, clock, pepperFingerprint }: MovePlace,
  { accountId, revision, name, createdAt, onProgress, ...declared }: Exported,
): AsyncGenerator<AccountLine> {
  // The record's end comes before the prompts: then every answer's prompt is among them.
  const { sequence: last } = await answers.end(accountId);
  const exportedAt = new Date(clock.now()).toISOString();
  const pepper = pepperFingerprint;
  const head = { id: accountId, name, createdAt, ...declared, exportedAt, pepper };
  yield { kind: "account", format: 6, ...head };
  for await (const item of declaredItems(control, accountId)) yield item;
  if ((await revisionOf(control, accountId)) !== revision) {
    throw new MoveError(`The workspace of ${accountId} changed meanwhile. Export it again.`);
  }
  const keys = await keysOf(control, accountId);
  // People stay: they are the service's.
  for (const { accountId: _, personId: _person, hash, ...key } of keys) {
    yield { kind: "key", key: { ...key, hash: hash.toString("hex") } };
  }
  const known = new Set(keys.map(({ id }) => id));
  for (const usage of await usageOfAccount(control, accountId)) {
    if (known.has(usage.keyId)) yield { kind: "usage", ...usage };
  }
  for (const { reservedMicros, ...row } of await spendOf(control, accountId, 0, lastDay)) {
    // What is under way is settled here, which the target does not learn: it may all be billed.
    const unsettledMicros = row.unsettledMicros + reservedMicros;
    const expectedMicros = row.expectedMicros + reservedMicros;
    yield { kind: "spend", ...row, reservedMicros: 0, unsettledMicros, expectedMicros };
  }
  for await (const sweep of endedSweeps(control, accountId)) yield { kind: "sweep", sweep };
  let written = 0;
  for (let after = 0; after < last; ) {
    const page = await answers.read(accountId, { after, limit: pageAnswers });
    if (page.length === 0) break;
    for (const { sequence, ...answer } of page) {
      after = sequence;
      if (sequence > last) break;
      yield { kind: "answer", answer };
      written++;
    }
    onProgress(written, last);
  }
  for (const label of await recordedLabels({ control, answers }, accountId, last)) {
    yield { kind: "label", label };
  }
  for await (const reading of recordedReadings({ control, answers }, accountId, last)) {
    yield { kind: "reading", reading };
  }
}
