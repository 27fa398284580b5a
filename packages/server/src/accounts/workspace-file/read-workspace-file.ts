import { type FieldError, fieldErrors } from "@sightline/contract";
import type { Workspace } from "../workspace.ts";
import { type WorkspaceFile, workspaceFileSchema } from "./file-schema.ts";
import { parseWorkspaceJson } from "./parse-workspace-json.ts";
import { type ParsedYaml, parseYaml, YamlFault } from "./parse-yaml.ts";
import { shapeAdvice } from "./shape-advice.ts";
import { inShortForm } from "./short-forms.ts";
import { toWorkspace } from "./to-workspace.ts";

export { workspaceBytesMax } from "./yaml-bounds.ts";

/** One fault of a workspace file, with its line (from 1). */
export interface WorkspaceFault extends FieldError {
  readonly line: number;
}

/** An invalid workspace file: its first faults, in line order. */
export class WorkspaceFileError extends Error {
  readonly faults: readonly WorkspaceFault[];
  constructor(faults: readonly WorkspaceFault[], file = "The workspace file") {
    const lines = faults.map(
      ({ line, path, message }) => `  line ${line}: ${path || "/"}: ${message}`,
    );
    super(`${file} is not valid; nothing was changed.\n${lines.join("\n")}`);
    this.name = "WorkspaceFileError";
    this.faults = faults;
  }
}

/** How a workspace file is read. */
export interface WorkspaceFileOptions {
  /** The account that it must be of; its name then leads to no other one. Omitted: any. */
  readonly accountId?: string;
  /** `json` takes nothing else; omitted: YAML 1.2, which JSON is a part of. */
  readonly format?: "json" | "yaml";
}

/**
 * The workspace that a file's text declares.
 * @throws WorkspaceFileError with each fault's line, field and what is allowed; NotJsonError.
 */
export function readWorkspaceFile(
  text: string,
  { accountId, format = "yaml" }: WorkspaceFileOptions = {},
): Workspace {
  const parsed = parsedText(text, format);
  const shape = workspaceFileSchema.safeParse(parsed.value, { reportInput: true });
  if (!shape.success) {
    const errors = fieldErrors(shape.error);
    throw located(
      parsed,
      errors.map((error) => shapeAdvice(error, parsed.value) ?? inShortForm(error, parsed.value)),
    );
  }
  const file: WorkspaceFile = shape.data;
  const foreign = accountFault(file, accountId);
  if (foreign !== null) throw located(parsed, [foreign]);
  const { workspace, errors } = toWorkspace(file, accountId);
  if (errors.length > 0) throw located(parsed, errors);
  return workspace;
}

/** A file never moves a caller to another account. */
function accountFault({ account }: WorkspaceFile, accountId: string | undefined) {
  if (accountId === undefined || account.id === undefined || account.id === accountId) return null;
  const message = `must be left out, or the id of your key's account, ${accountId}.`;
  return { path: "/account/id", code: "not_allowed", message } as const;
}

function parsedText(text: string, format: "json" | "yaml"): ParsedYaml {
  try {
    return format === "json" ? parseWorkspaceJson(text) : parseYaml(text);
  } catch (error) {
    if (!(error instanceof YamlFault)) throw error;
    const { line, message } = error;
    throw new WorkspaceFileError([{ line, path: "", code: "wrong_format", message }]);
  }
}

function located({ linesOf }: ParsedYaml, errors: readonly FieldError[]): WorkspaceFileError {
  const lines = linesOf(errors.map(({ path }) => path));
  const faults = errors.map((error, index) => ({ line: lines[index] ?? 1, ...error }));
  return new WorkspaceFileError(faults.toSorted((a, b) => a.line - b.line));
}
