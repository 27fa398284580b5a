import {
  createReadStream,
  createWriteStream,
  mkdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { sightlineVersion } from "@sightline/contract/version";
import { workspaceOf } from "../../accounts/account-store.ts";
import { declaredFile } from "../../accounts/declared-workspaces.ts";
import type { Workspace } from "../../accounts/workspace.ts";
import type { Answer } from "../../answers/answer.ts";
import { type AnswerStore, answerLines } from "../../answers/answer-store.ts";
import type { ControlEngine } from "../../control/control-engine.ts";
import { canonicalUrl, domainOf, extractionVersion } from "../../extraction/index.ts";
import { writeAnswersParquet } from "../../facts/duckdb/engine.ts";
import { signText } from "../../keys/signed-text.ts";
import { SigningKeys } from "../../keys/signing-keys.ts";
import type { Clock } from "../../platform/clock.ts";
import { openStage, removeStaleStages } from "../../platform/stage.ts";
import { statisticsVersion } from "../../questions/statistics/estimates.ts";
import { hashOfFile } from "../backup/manifest.ts";
import { type BoardQuestion, boardQuestions, type FrozenRange } from "./board.ts";
import { type FrozenManifest, frozenNames, signatureType, writeArchive } from "./frozen-archive.ts";

/** The service that an account is on. */
export interface FreezePlace {
  readonly control: ControlEngine;
  readonly answers: AnswerStore;
  readonly clock: Clock;
}

/** Asks a service of its own, which has this workspace and these answers and nothing else. */
export type AskFrozen = (frozen: {
  /** A new folder, in which the service may write. */
  readonly folder: string;
  /** A workspace file. */
  readonly workspace: string;
  /** NDJSON. */
  readonly answers: AsyncIterable<Buffer>;
  readonly questions: readonly BoardQuestion[];
  readonly onProgress: (step: string) => void;
}) => AsyncIterable<Buffer>;

/** What is frozen, and where to. */
export interface FreezeOptions {
  readonly accountId: string;
  /** Replaced when it exists. */
  readonly file: string;
  readonly timeRange: FrozenRange;
  readonly compare: FrozenRange;
  readonly ask: AskFrozen;
  readonly onProgress: (step: string) => void;
}

/** An archive that was written. */
export interface FrozenArchive {
  readonly manifest: FrozenManifest;
  /** Of the key that signed it. */
  readonly thumbprint: string;
}

/** Something cannot be frozen. */
export class FreezeError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "FreezeError";
  }
}

/** What determines the numbers, in addition to workspace and answers. */
export function frozenVersions() {
  const [extraction = "", suffixList = ""] = extractionVersion.split(", ");
  return {
    sightline: sightlineVersion,
    extraction,
    suffixList,
    unicode: process.versions.unicode ?? "",
    statistics: statisticsVersion,
  };
}

/** Lines of one write. */
const linesAtOnce = 200;
const progressEvery = 1_000;

/**
 * Writes what an account's numbers of a range rest on, and these numbers, to one file that others
 * can check: see docs/guide/verify.md. The service may be running. The file gets its name once it
 * is complete and on the disk.
 * @throws FreezeError when there is no such account, or the text of an answer was removed.
 */
export async function freeze(place: FreezePlace, options: FreezeOptions): Promise<FrozenArchive> {
  const { accountId, file, timeRange, compare, ask, onProgress } = options;
  const workspace = await workspaceOf(place.control, accountId);
  if (workspace === null) throw new FreezeError(`There is no account ${accountId}.`);
  const beginning = join(dirname(resolve(file)), `.${basename(file)}-`);
  await removeStaleStages(beginning); // of killed commands with the same file
  const { path: stage, remove } = openStage(beginning);
  try {
    const text = Buffer.from(await declaredFile(workspace)).toString();
    const lines = join(stage, "answers.ndjson");
    const counts = await writeAnswers(place, { ...options, workspace, stage, lines });
    onProgress("writing Parquet");
    await writeAnswersParquet(lines, join(stage, frozenNames.parquet));
    await pipeline(
      createReadStream(lines),
      createGzip(),
      createWriteStream(join(stage, frozenNames.answers), { mode: 0o600 }),
    );
    writeFileSync(join(stage, frozenNames.workspace), text);
    writeFileSync(join(stage, frozenNames.versions), JSON.stringify(frozenVersions()));
    const questions = boardQuestions(workspace, timeRange, compare);
    const folder = join(stage, "service");
    const answers = createReadStream(lines) as AsyncIterable<Buffer>;
    const asked = { folder, workspace: text, answers, questions: [...questions.values()] };
    const board = await writeBoard(stage, questions, ask({ ...asked, onProgress }));
    const files = await described(stage, [...Object.values(frozenNames), ...board]);
    const manifest: FrozenManifest = {
      format: "sightline-frozen",
      version: 1,
      // tar keeps whole seconds.
      createdAt: new Date(Math.floor(place.clock.now() / 1_000) * 1_000).toISOString(),
      account: { id: accountId, name: workspace.accountName },
      timeRange,
      compare,
      answers: counts,
      files,
    };
    const keys = await SigningKeys.open(place.control, place.clock);
    const head = JSON.stringify(manifest, null, 2);
    const { jws, thumbprint } = await signText(keys, head, signatureType);
    onProgress("writing the archive");
    await writeArchive(stage, file, { manifest: head, jws });
    return { manifest, thumbprint };
  } finally {
    await remove();
  }
}

interface WrittenAnswers extends Omit<FreezeOptions, "file" | "ask"> {
  readonly workspace: Workspace;
  readonly stage: string;
  /** The file of the lines. */
  readonly lines: string;
}

/** Writes the answers of both ranges, and the domains of the hosts that they cite. */
async function writeAnswers(
  { answers: store }: FreezePlace,
  { accountId, timeRange, compare, workspace, stage, lines, onProgress }: WrittenAnswers,
): Promise<FrozenManifest["answers"]> {
  const ranges = [timeRange, compare].map(({ from, to }) => [Date.parse(from), Date.parse(to)]);
  const prompts = new Set(workspace.prompts.map(({ id }) => id));
  const domains = new Map<string, string>();
  const counts = { frozen: 0, ofRetiredPrompts: 0, removed: 0 };
  const isTaken = (answer: Answer) => {
    const { answeredAt, promptId, citations, removedText } = answer;
    const isIn = ranges.some(([from = 0, to = 0]) => answeredAt >= from && answeredAt < to);
    if (!isIn) return false;
    // Its answers count nowhere.
    if (!prompts.has(promptId)) counts.ofRetiredPrompts += 1;
    else if (removedText !== undefined) counts.removed += 1;
    else counts.frozen += 1;
    for (const { url } of citations) noteDomain(domains, url);
    if (counts.frozen % progressEvery === 0) onProgress(`${counts.frozen} answers written`);
    return prompts.has(promptId);
  };
  const bounds = ranges.flat();
  const [fromMs, toMs] = [Math.min(...bounds), Math.max(...bounds)];
  const found = answerLines(store, { accountId, fromMs, toMs, isTaken });
  await pipeline(Readable.from(chunksOf(found)), createWriteStream(lines, { mode: 0o600 }));
  const { removed, ...written } = counts;
  if (removed > 0) {
    throw new FreezeError(
      `The texts of ${removed} answers of these ranges were removed: nobody can read them ` +
        "again. Choose ranges whose texts are still there.",
    );
  }
  const sorted = Object.fromEntries([...domains].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(join(stage, frozenNames.domains), JSON.stringify(sorted, null, 1));
  return written;
}

function noteDomain(domains: Map<string, string>, raw: string): void {
  const url = canonicalUrl(raw);
  if (url !== null) domains.set(new URL(url).hostname, domainOf(url));
}

async function* chunksOf(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk: string[] = [];
  for await (const line of lines) {
    chunk.push(line);
    if (chunk.length < linesAtOnce) continue;
    yield chunk.join("");
    chunk = [];
  }
  if (chunk.length > 0) yield chunk.join("");
}

/** @returns the paths of the questions and replies. */
async function writeBoard(
  stage: string,
  questions: ReadonlyMap<string, BoardQuestion>,
  replies: AsyncIterable<Buffer>,
): Promise<readonly string[]> {
  mkdirSync(join(stage, "board"), { mode: 0o700 });
  const names = [...questions].map(([name, question], place) => {
    return { name: `board/${String(place + 1).padStart(2, "0")}-${name}`, question };
  });
  const paths: string[] = [];
  for await (const reply of replies) {
    const next = names[paths.length / 2];
    if (next === undefined) throw new Error("more replies than questions");
    const [asked, got] = [`${next.name}.request.json`, `${next.name}.reply.json`];
    writeFileSync(join(stage, asked), JSON.stringify(next.question));
    writeFileSync(join(stage, got), reply);
    paths.push(asked, got);
  }
  rmSync(join(stage, "service"), { recursive: true, force: true });
  return paths;
}

async function described(
  stage: string,
  paths: readonly string[],
): Promise<FrozenManifest["files"]> {
  const files: FrozenManifest["files"][number][] = [];
  for (const path of paths) {
    const found = join(stage, path);
    files.push({ path, bytes: statSync(found).size, sha256: await hashOfFile(found) });
  }
  return files;
}
