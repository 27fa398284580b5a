import { type FieldError, fieldErrors } from "@sightline/contract";
import type { Workspace } from "../workspace.ts";
import { type WorkspaceFile, workspaceFileSchema } from "./file-schema.ts";
import { type ParsedYaml, parseYaml, YamlFault } from "./parse-yaml.ts";
import { shapeAdvice } from "./shape-advice.ts";
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

/**
 * The workspace that a file's text (YAML 1.2 or JSON) declares.
 * @throws WorkspaceFileError with each fault's line, field and what is allowed.
 */
export function readWorkspaceFile(text: string): Workspace {
  const parsed = parsedText(text);
  const shape = workspaceFileSchema.safeParse(parsed.value, { reportInput: true });
  if (!shape.success) {
    const errors = fieldErrors(shape.error);
    throw located(
      parsed,
      errors.map((error) => shapeAdvice(error, parsed.value) ?? error),
    );
  }
  const { workspace, errors } = toWorkspace(shape.data satisfies WorkspaceFile);
  if (errors.length > 0) throw located(parsed, errors);
  return workspace;
}

function parsedText(text: string): ParsedYaml {
  try {
    return parseYaml(text);
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
