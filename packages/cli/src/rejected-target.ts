import { type FileHandle, open, stat } from "node:fs/promises";
import type { RejectedTarget } from "./rejected-lines.ts";
import { CommandError } from "./result.ts";

const standardOutput: RejectedTarget = { name: "-", descriptor: 1 };

/**
 * Runs `work` with the target of `--rejected`: null for none, `-` for standard output, else a file
 * that is appended to, so that nothing in it is lost and the same command can be repeated.
 * @throws CommandError before anything is imported when the file cannot be written, or is itself
 * imported.
 */
export async function withRejectedTarget<Result>(
  name: string | undefined,
  files: readonly string[],
  work: (target: RejectedTarget | null) => Promise<Result>,
): Promise<Result> {
  if (name === undefined) return work(null);
  if (name === "-") return work(standardOutput);
  const file = await openToAppend(name);
  try {
    await refuseImported(name, file, files);
    const result = await work({ name, descriptor: file.fd });
    await file.sync();
    return result;
  } finally {
    await file.close();
  }
}

async function openToAppend(name: string): Promise<FileHandle> {
  try {
    return await open(name, "a", 0o600);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(`--rejected ${name}: the file cannot be written: ${reason}.`, 2);
  }
}

/** An import that reads the file that it appends to would never end. */
async function refuseImported(
  name: string,
  file: FileHandle,
  imported: readonly string[],
): Promise<void> {
  const { dev, ino } = await file.stat();
  for (const each of imported) {
    const found = each === "-" ? null : await stat(each).catch(() => null);
    if (found?.dev !== dev || found.ino !== ino) continue;
    throw new CommandError(
      `--rejected ${name}: this file is being imported. Name another file.`,
      2,
    );
  }
}
