import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { corpusAnswer } from "@sightline/test-kit/sample-corpus.ts";
import Database from "better-sqlite3";
import { allAccounts, workspaceOf } from "../../src/accounts/account-store.ts";
import { readWorkspaceFile } from "../../src/accounts/workspace-file/read-workspace-file.ts";
import type { AnswerStore, RecordedAnswer } from "../../src/answers/answer-store.ts";
import { openStorage } from "../../src/storage.ts";

const readAnswers = 2_000;

/**
 * Asserts that the files are whole, that the account's workspace is one of these and not half of
 * two, and that each recorded answer is there once, as the corpus gave it.
 * @returns how many answers are recorded.
 */
export async function checkRecord(dataDir: string, workspaces: readonly object[]): Promise<number> {
  const storage = await openStorage(dataDir);
  try {
    const [account, ...others] = await allAccounts(storage.control);
    assert.ok(account !== undefined && others.length === 0);
    const paths = [storage.folder.control, storage.folder.account(account.id).answers];
    // An account has no record before its first answer.
    for (const path of paths.filter((each) => existsSync(each))) {
      assert.equal(integrityOf(path), "ok", path);
    }
    const tracked = shown(await workspaceOf(storage.control, account.id));
    const allowed = workspaces.map((file) => shown(readWorkspaceFile(JSON.stringify(file))));
    assert.ok(allowed.includes(tracked), `a workspace that nobody applied: ${tracked}`);
    const { numbers, doubled, torn } = await checkAnswers(storage.answers, account.id);
    assert.deepEqual({ doubled, torn }, { doubled: [], torn: [] });
    return numbers.size;
  } finally {
    await storage.close();
  }
}

/** The answers of the corpus that a record has, by number. */
export interface CheckedAnswers {
  readonly numbers: ReadonlySet<number>;
  /** That are there twice. */
  readonly doubled: readonly number[];
  /** That are not as the corpus gives them. */
  readonly torn: readonly number[];
}

/** Reads a record that was imported from the corpus. */
export async function checkAnswers(
  answers: AnswerStore,
  accountId: string,
): Promise<CheckedAnswers> {
  const numbers = new Set<number>();
  const doubled: number[] = [];
  const torn: number[] = [];
  let read = await answers.read(accountId, { after: 0, limit: readAnswers });
  while (read.length > 0) {
    for (const answer of read) {
      const number = answer.sample;
      if (numbers.has(number)) doubled.push(number);
      numbers.add(number);
      if (!isDeepStrictEqual(asInput(answer), expected(number))) torn.push(number);
    }
    read = await answers.read(accountId, { after: read.at(-1)?.sequence ?? 0, limit: readAnswers });
  }
  return { numbers, doubled, torn };
}

function asInput(answer: RecordedAnswer): object {
  const { promptId, provider, region, answeredAt, outcome, sample, text, metadata } = answer;
  const citations = answer.citations.map(({ url }) => url);
  return { promptId, provider, region, answeredAt, outcome, sample, text, metadata, citations };
}

function expected(number: number): object {
  const input = corpusAnswer(number);
  return {
    ...input,
    region: input.region?.toUpperCase() ?? null,
    answeredAt: Date.parse(input.answeredAt),
    citations: input.citations.map(({ url }) => url),
  };
}

/** What an account tracks, in an order that does not depend on where it comes from. */
function shown(workspace: ReturnType<typeof readWorkspaceFile> | null): string {
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
  return JSON.stringify({
    entities: workspace?.entities,
    topics: workspace?.topics.toSorted(byId),
    prompts: workspace?.prompts.toSorted(byId),
  });
}

function integrityOf(path: string): unknown {
  const database = new Database(path);
  try {
    return database.pragma("integrity_check", { simple: true });
  } finally {
    database.close();
  }
}
