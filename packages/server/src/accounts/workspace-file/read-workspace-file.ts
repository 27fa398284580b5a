import { type FieldError, fieldErrors, quoted } from "@sightline/contract";
import { scanJson } from "../../platform/scan-json.ts";
import type { Workspace } from "../workspace.ts";
import { inShortForm, valueAt, type WorkspaceFile, workspaceFileSchema } from "./file-schema.ts";
import { depthMax, type ParsedYaml, parseYaml, valuesMax, YamlFault } from "./parse-yaml.ts";
import { toWorkspace } from "./to-workspace.ts";

export { workspaceBytesMax } from "./parse-yaml.ts";

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
interface WorkspaceFileOptions {
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
  const message = `must be left out, or ${accountId}, the account that the file is applied to.`;
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

const lists = /^\/(competitors|topics|prompts|(brand|competitors\/\d+)\/(aliases|domains|except))$/;
const flags = /\/(caseSensitive|branded|paused)$/;
const meaningTrue = /^(yes|y|on|true)$/i;
const meaningFalse = /^(no|n|off|false)$/i;

/**
 * The same fault with advice on what to write, where a text stands in place of a list or a boolean;
 * null when there is no better advice.
 */
function shapeAdvice(error: FieldError, file: unknown): FieldError | null {
  if (error.code !== "wrong_type") return null;
  const value = valueAt(file, error.path);
  if (typeof value !== "string") return null;
  const advice = adviceFor(error.path, value);
  return advice === null ? null : { ...error, message: `${advice.wrong} Write ${advice.write}` };
}

function adviceFor(path: string, value: string) {
  const shown = quoted(value);
  if (lists.test(path)) return { wrong: `must be a list, got ${shown}.`, write: `[${shown}]` };
  if (!flags.test(path)) return null;
  const wrong = `must be true or false, got the text ${shown}.`;
  if (meaningTrue.test(value)) return { wrong, write: "true" };
  return meaningFalse.test(value) ? { wrong, write: "false" } : null;
}

/** A workspace file has no object with ten names; many would only be listed as unknown. */
const namesMax = 1_000;

/** A text that is not JSON. */
export class NotJsonError extends Error {}

/**
 * A text that was declared as JSON, without lines: programs write it.
 * @throws NotJsonError, or YamlFault when it is beyond the bounds of a workspace file.
 */
function parseWorkspaceJson(text: string): ParsedYaml {
  const { beyond, repeatedName } = scanJson(text, { depthMax, namesMax, valuesMax });
  if (beyond !== null) throw new YamlFault(1, `${beyond}.`);
  const value = parsed(text);
  if (repeatedName === null) return { value, linesOf: (pointers) => pointers.map(() => 1) };
  throw new NotJsonError(`Duplicate name ${quoted(repeatedName)} in one object.`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new NotJsonError(`${error instanceof Error ? error.message : String(error)}.`);
  }
}
