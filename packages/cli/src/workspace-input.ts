import { createReadStream } from "node:fs";
import {
  readWorkspaceFile,
  WorkspaceFileError,
  workspaceBytesMax,
} from "@sightline/server/workspace-file";
import { CommandError } from "./result.ts";

/** A workspace as a file declares it. */
type Workspace = ReturnType<typeof readWorkspaceFile>;

/** A workspace and the file that declares it; `-`: standard input. */
export interface WorkspaceInput {
  readonly file: string;
  readonly workspace: Workspace;
}

/**
 * Reads and validates workspace files, one account each; `accountId` is that of a single file,
 * where it is known.
 * @throws CommandError for a file that cannot be read or declares another file's account, and
 * WorkspaceFileError, or one error with the faults of every file.
 */
export async function readWorkspaces(
  files: readonly string[],
  accountId?: string,
): Promise<readonly WorkspaceInput[]> {
  const inputs: WorkspaceInput[] = [];
  const faulty: { readonly file: string; readonly error: WorkspaceFileError }[] = [];
  for (const file of files) {
    const text = await readInput(file);
    try {
      inputs.push({
        file,
        workspace: readWorkspaceFile(text, accountId === undefined ? {} : { accountId }),
      });
    } catch (error) {
      if (!(error instanceof WorkspaceFileError)) throw error;
      if (files.length === 1) throw error;
      faulty.push({ file, error });
    }
  }
  if (faulty.length > 0) throw faultsOfSeveral(faulty);
  refuseTwice(inputs);
  return inputs;
}

function faultsOfSeveral(
  faulty: readonly { readonly file: string; readonly error: WorkspaceFileError }[],
): Error {
  const parts = faulty.map(({ file, error: { faults } }) => [
    `${file}:`,
    ...faults.map(({ line, path, message }) => `  line ${line}: ${path || "/"}: ${message}`),
  ]);
  const message = ["Workspace files are not valid; nothing was changed.", ...parts.flat()];
  const faults = faulty.flatMap(({ file, error }) =>
    error.faults.map((fault) => ({ file, ...fault })),
  );
  return Object.assign(new Error(message.join("\n")), { faults });
}

function refuseTwice(inputs: readonly WorkspaceInput[]): void {
  const files = new Map<string, string>();
  for (const { file, workspace } of inputs) {
    const { accountId, accountName } = workspace;
    const earlier = files.get(accountId);
    files.set(accountId, file);
    if (earlier === undefined) continue;
    throw new CommandError(
      `${earlier} and ${file} both declare the account ${accountName} (${accountId}); nothing ` +
        "was changed. Give each account one file: the second would retire what only the first has.",
      2,
    );
  }
}

async function readInput(file: string): Promise<string> {
  const name = file === "-" ? "Standard input" : file;
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of file === "-" ? process.stdin : createReadStream(file)) {
      chunks.push(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      if (bytes > workspaceBytesMax) break;
    }
    // Fatal: a file in another encoding would declare names that nobody wrote.
    if (bytes <= workspaceBytesMax) {
      return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(`The workspace file cannot be read: ${reason}`, 2);
  }
  throw new CommandError(
    `${name} is larger than a workspace file may be: at most ${workspaceBytesMax} bytes.`,
    2,
  );
}
