import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startCommand } from "@sightline/test-kit/command.ts";
import { corpusAnswer } from "@sightline/test-kit/sample-corpus.ts";
import { seededRandom } from "@sightline/test-kit/seeded-random.ts";
import { importsOf } from "../../src/answers/import-store.ts";
import { countAnswers } from "../../src/answers/sqlite/sqlite-answer-store.ts";
import { openStorage } from "../../src/storage.ts";
import type { CrashCommandsOptions, Kills } from "./crash-commands.ts";
import { importInto, prepare } from "./crash-data.ts";
import { killedAfter, longest, succeeds, timeSince } from "./killed-commands.ts";

const kept = 1_000;
const wrong = 4_000;

/**
 * Kills the undoing of an import, and the removal of the same answers by their time. Either all of
 * them are there afterwards, or none; the others are always there. Doing it again ends it, and no
 * file has any of the texts.
 */
export async function crashCorrections(options: CrashCommandsOptions): Promise<Kills> {
  const { folder, rounds, seed } = options;
  const random = seededRandom(seed);
  const dataDir = join(folder, "corrected");
  const stays = linesOf({ from: 0, count: kept, year: "2026", note: "stays" });
  const mistakes = linesOf({ from: kept, count: wrong, year: "2022", note: secret });
  const accountId = await prepare(dataDir, stays);
  const place = join(dataDir, "accounts", accountId);
  const counted = () => countAnswers(join(place, "answers.sqlite")).answers;
  const byTime = ["answers", "delete", "--from", "2022-01-01", "--to", "2023-01-01"];
  let kills = 0;
  let aloneMs = 0;
  for (let round = -1; round < rounds; round++) {
    const undo = ["imports", "undo", await imported(dataDir, { accountId, lines: mistakes })];
    const command = round % 2 === 0 ? undo : byTime;
    const start = () => startCommand([...command, "--data-dir", dataDir]);
    const began = () => existsSync(join(place, "answers.sqlite-wal"));
    if (round < 0) aloneMs = await timeSince(began, start());
    else if (await killedAfter(start(), { began, delayMs: random() * longest(round, aloneMs) })) {
      kills++;
      assert.ok([kept, kept + wrong].includes(counted()), "a part of them is there");
    }
    await succeeds(start());
    assert.equal(counted(), kept);
    const bytes = Buffer.concat(readdirSync(place).map((name) => readFileSync(join(place, name))));
    assert.deepEqual([bytes.includes("stays"), bytes.includes(secret)], [true, false]);
  }
  return { kills, rounds };
}

/** Imports lines into a data folder. @returns the id of the import. */
async function imported(
  dataDir: string,
  { accountId, lines }: { readonly accountId: string; readonly lines: string },
): Promise<string> {
  const storage = await openStorage(dataDir);
  try {
    await importInto(storage, accountId, lines);
    const [latest] = await importsOf(storage.control, accountId);
    return latest?.id ?? "";
  } finally {
    await storage.close();
  }
}

const secret = "a sentence that must be gone";

/** Lines of answers; those of a year before lie in no other import's range. */
function linesOf({ from, count, year, note }: Lines): string {
  return Array.from({ length: count }, (_, index) => {
    const { answeredAt, text, ...answer } = corpusAnswer(from + index);
    const moved = { answeredAt: answeredAt.replace("2026", year), text: `${text} ${note}` };
    return `${JSON.stringify({ ...answer, ...moved })}\n`;
  }).join("");
}

interface Lines {
  readonly from: number;
  readonly count: number;
  readonly year: string;
  readonly note: string;
}
