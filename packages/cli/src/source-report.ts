import { writeFile } from "node:fs/promises";
import type { SheetMapping } from "@sightline/sheets";
import { MappingError } from "@sightline/sheets/read-sheet";
import type { ReadSource, SourceReader } from "@sightline/sheets/read-source";
import type { DroppedColumn } from "@sightline/sheets/sources";
import { counted } from "./output/counted.ts";
import { safeText } from "./output/safe-text.ts";
import { CommandError } from "./result.ts";
import { rejectionOf } from "./sheet-mapping.ts";
import {
  type PresentWorkspace,
  type ProposedWorkspace,
  proposedWorkspace,
} from "./source-workspace.ts";

/** A file whose answers a dry run reads. */
export interface DryFile {
  readonly file: string;
  readonly read: () => Promise<ReadSource>;
}

/** What a dry run found out; nothing was imported. */
export interface DryRun {
  readonly dryRun: true;
  /** The tool; null: a mapping was given. */
  readonly source: string | null;
  readonly files: readonly DryFileResult[];
  readonly dropped: readonly DroppedColumn[];
  /** Rows of other brands than the one that was named. */
  readonly otherBrandRows: number;
  readonly workspace: ProposedWorkspace;
}

interface DryFileResult {
  readonly file: string;
  readonly mapping: SheetMapping;
  readonly answers: number;
  /** Answers whose date has no time of day. */
  readonly withoutTime: number;
  readonly rejected: number;
  /** The first of them. */
  readonly rejections: readonly { readonly row: number; readonly reason: string }[];
  /** The first answer as it would be recorded; null: there is none. */
  readonly example: unknown;
}

const rejectionsShown = 20;

/** Reads everything, records nothing. @throws CommandError where the mapping does not fit. */
export async function dryRun(
  files: readonly DryFile[],
  { reader, source }: { readonly reader: SourceReader; readonly source: string | null },
  workspace: { readonly present: PresentWorkspace | null; readonly brand: string | undefined },
): Promise<DryRun> {
  const results: DryFileResult[] = [];
  const dropped: DroppedColumn[] = [];
  for (const { file, read } of files) {
    const table = await read().catch((error: unknown) => {
      throw error instanceof MappingError ? unfit(file, error) : error;
    });
    results.push(await counts(file, table));
    dropped.push(...table.dropped);
  }
  const { present, brand } = workspace;
  return {
    dryRun: true,
    source,
    files: results,
    dropped: [...dropped, ...reader.droppedOfTables()],
    otherBrandRows: reader.otherBrandRows,
    workspace: proposedWorkspace(reader.workspace(), present, brand),
  };
}

function unfit(file: string, { faults }: MappingError): CommandError {
  const said = faults.map((fault) => `  ${fault}`).join("\n");
  return new CommandError(`${file}: the mapping does not fit.\n${said}`, 2);
}

async function counts(file: string, table: ReadSource): Promise<DryFileResult> {
  const rejections: { row: number; reason: string }[] = [];
  let [answers, rejected] = [0, 0];
  let example: unknown = null;
  for await (const { rows, line, faults } of table.answers) {
    if (line !== null) {
      answers += 1;
      example ??= JSON.parse(line);
      continue;
    }
    rejected += 1;
    if (rejections.length >= rejectionsShown) continue;
    const { reason } = rejectionOf(faults, table.columns);
    rejections.push({ row: rows[0]?.number ?? 0, reason });
  }
  const withoutTime = table.daysCount();
  return { file, mapping: table.mapping, answers, withoutTime, rejected, rejections, example };
}

/** The same for people. */
export function dryRunText(done: DryRun, isSaved: boolean): string {
  const { files, dropped, otherBrandRows, workspace } = done;
  const lines = [
    ...files.flatMap(fileLines),
    ...(dropped.length === 0 ? [] : ["", "Columns that are left out:"]),
    ...grouped(dropped).map(([why, columns]) => `  ${columns.join(", ")}: ${why}`),
    ...(otherBrandRows === 0
      ? []
      : ["", `${counted(otherBrandRows, "row")} of other brands: left out`]),
    "",
    ...workspaceLines(workspace, isSaved),
  ];
  return lines.map((line) => safeText(line)).join("\n");
}

function fileLines(result: DryFileResult): readonly string[] {
  const { file, mapping, answers, withoutTime, rejected, rejections } = result;
  const columns = Object.entries(mapping.columns).map(
    ([field, names]) => `  ${field} = ${[names].flat().join(", ")}`,
  );
  const values = Object.entries(mapping.values ?? {}).map(
    ([field, value]) => `  ${field} is ${value} in every row`,
  );
  const time = mapping.timeOfDay?.replace(/z$/i, " UTC") ?? "";
  const noon = time === "12:00 UTC" ? "noon UTC" : time;
  return [
    `${file}: ${counted(answers, "answer")}, ${rejected} rejected; nothing was imported.`,
    ...columns,
    ...values,
    ...(withoutTime === 0
      ? []
      : [`${counted(withoutTime, "date")} without a time of day: ${noon} is taken.`]),
    ...rejections.map(({ row, reason }) => `  row ${row}: ${reason}`),
    ...(rejected > rejections.length ? [`  and ${rejected - rejections.length} more`] : []),
  ];
}

function grouped(dropped: readonly DroppedColumn[]): readonly (readonly [string, string[]])[] {
  const reasons = new Map<string, string[]>();
  for (const { column, why } of dropped) reasons.set(why, [...(reasons.get(why) ?? []), column]);
  return [...reasons];
}

function workspaceLines(workspace: ProposedWorkspace, isSaved: boolean): readonly string[] {
  const { competitors, topics, prompts, file } = workspace;
  const counts = [
    counted(prompts.length, "prompt"),
    counted(topics.length, "topic"),
    counted(competitors.length, "competitor"),
  ].join(", ");
  const isNothing = prompts.length + topics.length + competitors.length === 0;
  if (isNothing) return ["The workspace has every prompt of it."];
  if (file === null) {
    return [`Not tracked yet: ${counts}. For a workspace file, name your brand with --brand.`];
  }
  if (isSaved) return [`Not tracked yet: ${counts}.`];
  const shown = file.trimEnd().split("\n");
  return [`Not tracked yet: ${counts}. The workspace file with them:`, "", ...shown];
}

/** @throws CommandError when the file is there already, or there is nothing to write. */
export async function saveWorkspace(name: string, { file }: ProposedWorkspace): Promise<void> {
  if (file === null) {
    const message = `--workspace ${name}: there is no account yet. Name your brand with --brand.`;
    throw new CommandError(message, 2);
  }
  await writeFile(name, file, { flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
    const isThere = error.code === "EEXIST";
    const reason = isThere ? "the file exists already. Name another one" : error.message;
    throw new CommandError(`--workspace ${name}: ${reason}.`, 2);
  });
}
