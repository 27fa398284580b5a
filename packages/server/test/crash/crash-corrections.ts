import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { countAnswers } from "../../src/answers/sqlite/count-answers.ts";
import { printedDocument, runCommand, startCommand } from "../command.ts";
import { corpusAnswer, corpusWorkspace } from "../sample-corpus.ts";
import type { CrashCommandsOptions, Kills } from "./crash-commands.ts";
import { killedAfter, longest, succeeds, timeSince } from "./killed-commands.ts";
import { seededRandom } from "./seeded-random.ts";

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
  const run = async <Document>(...parameters: string[]) => {
    const finished = await runCommand([...parameters, "--data-dir", dataDir, "--json"]);
    assert.equal(finished.status, 0, finished.stderr);
    return printedDocument<Document>(finished);
  };
  const workspace = join(folder, "corrected.json");
  writeFileSync(workspace, JSON.stringify(corpusWorkspace));
  const files = { kept: join(folder, "kept.ndjson"), wrong: join(folder, "wrong.ndjson") };
  writeFileSync(files.kept, linesOf({ from: 0, count: kept, year: "2026", note: "stays" }));
  writeFileSync(files.wrong, linesOf({ from: kept, count: wrong, year: "2022", note: secret }));
  const applied = await run<{ accountId: string }>("apply", workspace);
  const place = join(dataDir, "accounts", applied.accountId);
  const counted = () => countAnswers(join(place, "answers.sqlite")).answers;
  await run("import", files.kept);
  const byTime = ["answers", "delete", "--from", "2022-01-01", "--to", "2023-01-01"];
  let kills = 0;
  let aloneMs = 0;
  for (let round = -1; round < rounds; round++) {
    await run("import", files.wrong);
    const { imports } = await run<{ imports: { id: string }[] }>("imports", "list");
    const undo = ["imports", "undo", imports[0]?.id ?? ""];
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
