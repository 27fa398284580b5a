import { ReadableStream } from "node:stream/web";
import type { Workspace } from "../../packages/server/src/accounts/workspace.ts";
import {
  type RecordedContent,
  recordBeginning,
} from "../../packages/server/src/answers/answer-store.ts";
import { promptCodesOf } from "../../packages/server/src/facts/codes.ts";
import type { FactRows } from "../../packages/server/src/facts/columns.ts";
import { FactsFile } from "../../packages/server/src/facts/duckdb/facts-file.ts";
import { layout } from "../../packages/server/src/facts/duckdb/layout.ts";
import { addAppearances, addCitations } from "../../packages/server/src/facts/duckdb/staging.ts";
import type { FactsEngine } from "../../packages/server/src/facts/engine.ts";
import { factRowsOf } from "../../packages/server/src/facts/projection/batch.ts";
import {
  extractionVersion,
  factsVersion,
  promptLines,
  type Snapshot,
  snapshotOf,
} from "../../packages/server/src/facts/snapshot.ts";
import { type Catalogue, catalogueOf } from "../generator/catalogue.ts";
import { type GeneratedAnswer, generate } from "../generator/generate.ts";
import type { Workload } from "../generator/workload.ts";

// All that the benchmarks know of how facts are written stands in this file.

const written = [...layout, ...addAppearances, ...addCitations];

/** What facts that were written earlier depend on. */
export const writtenBy = { factsVersion, extractionVersion, written };

/** Answers per append. */
const batchAnswers = 10_000;

/**
 * Writes a workload's facts as the projection does, only that nothing has to be read from texts.
 * The mark stays at the record's beginning: there is no record, so a service finds nothing to do.
 */
export async function writeFacts(
  path: string,
  workspace: Workspace,
  workload: Workload,
): Promise<void> {
  const snapshot = await snapshotOf(workspace);
  const file = await FactsFile.create(path, snapshot);
  for await (const rows of factRows(snapshot, workload)) {
    await file.append({ ...rows, mark: recordBeginning });
  }
  await file.compact({ factor: 1, rowsMin: 0 }); // as at the end of a rebuild
  file.close(); // moves the log into the file
}

/** What is written through the port of engines. */
export interface FactsToWrite {
  readonly accountId: string;
  readonly workspace: Workspace;
  readonly workload: Workload;
}

/** The same through an engine's port, whose marks have to go on. */
export async function writeFactsInto(
  engine: FactsEngine,
  { accountId, workspace, workload }: FactsToWrite,
): Promise<void> {
  const snapshot = await snapshotOf(workspace);
  const { generation } = await engine.begin(accountId, snapshot);
  for await (const rows of factRows(snapshot, workload)) {
    await engine.append(accountId, generation, rows);
  }
  await engine.finish(accountId, generation);
}

async function* factRows(snapshot: Snapshot, workload: Workload): AsyncGenerator<FactRows> {
  const prompts = promptCodesOf(await promptLines(snapshot));
  const catalogue = catalogueOf(workload);
  for (const batch of generate(workload, batchAnswers)) {
    const generated = new Map(batch.map((answer) => [recordedOf(answer, catalogue), answer]));
    const recorded = ReadableStream.from<RecordedContent>(generated.keys());
    const rows = await factRowsOf(recorded, prompts, (content) => {
      const answer = generated.get(content as RecordedContent);
      if (answer === undefined) throw new Error("an answer that was not generated");
      return { ...answer, names: [], words: { lower: [], capital: [] } };
    });
    if (rows !== null) yield rows;
  }
}

function recordedOf(answer: GeneratedAnswer, catalogue: Catalogue): RecordedContent {
  const prompt = catalogue.prompts[answer.prompt];
  if (prompt === undefined) throw new RangeError(`no prompt ${answer.prompt}`);
  return {
    sequence: answer.number + 1,
    stamp: "",
    promptId: prompt.id,
    provider: answer.provider,
    region: answer.region,
    answeredAt: answer.answeredAt,
    outcome: "answered",
    text: "",
    citations: [],
    model: null,
    surface: null,
    searchQueries: [],
    mentioned: null,
  };
}
