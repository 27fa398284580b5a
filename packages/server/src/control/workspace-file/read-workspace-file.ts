import { type FieldError, fieldErrors, fieldErrorsMax } from "@sightline/contract";
import {
  type Document,
  isCollection,
  isNode,
  LineCounter,
  parseDocument,
  visit,
  type YAMLError,
} from "yaml";
import type { Workspace } from "../workspace.ts";
import { type WorkspaceFile, workspaceFileSchema } from "./file-schema.ts";
import { toWorkspace } from "./to-workspace.ts";

/** One fault of a workspace file, with the line (from 1) on which it stands. */
export interface WorkspaceFault extends FieldError {
  readonly line: number;
}

/** A workspace file that cannot be applied: every fault, in the order of the lines. */
export class WorkspaceFileError extends Error {
  readonly faults: readonly WorkspaceFault[];
  constructor(faults: readonly WorkspaceFault[]) {
    const lines = faults.map(
      ({ line, path, message }) => `  line ${line}: ${path || "/"}: ${message}`,
    );
    super(`The workspace file is not valid; nothing was changed.\n${lines.join("\n")}`);
    this.name = "WorkspaceFileError";
    this.faults = faults;
  }
}

/**
 * The workspace that a file's text (YAML 1.2 or JSON) declares.
 * @throws WorkspaceFileError with each fault's line, field and what is allowed.
 */
export function readWorkspaceFile(text: string): Workspace {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, version: "1.2", logLevel: "error" });
  if (document.errors.length > 0) {
    throw new WorkspaceFileError(
      document.errors.slice(0, fieldErrorsMax).map((error) => ({
        line: lines.linePos(error.pos[0]).line,
        path: "",
        code: "wrong_format",
        message: messageOf(error, text),
      })),
    );
  }
  const value = plainValue(document, lines);
  const parsed = workspaceFileSchema.safeParse(value, { reportInput: true });
  if (!parsed.success) throw located(document, lines, fieldErrors(parsed.error));
  const { workspace, errors } = toWorkspace(parsed.data satisfies WorkspaceFile);
  if (errors.length > 0) throw located(document, lines, errors);
  return workspace;
}

/** The library's own words, except where they speak to programmers. */
function messageOf(error: YAMLError, text: string): string {
  switch (error.code) {
    case "DUPLICATE_KEY": {
      const [key] = /^("[^"]*"|'[^']*'|[^\s:,{}]+)/.exec(text.slice(error.pos[0])) ?? ["a field"];
      return `${key} is given already; allowed is each field once.`;
    }
    case "MULTIPLE_DOCS":
      return "A second document begins here; allowed is one.";
    default:
      return firstLine(error.message);
  }
}

function plainValue(document: Document, lines: LineCounter): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const place = unresolvedAlias(document) ?? 0;
    const { line } = lines.linePos(place);
    throw new WorkspaceFileError([{ line, path: "", code: "wrong_format", message }]);
  }
}

/** Where the first alias stands that nothing is called by. */
function unresolvedAlias(document: Document): number | undefined {
  let place: number | undefined;
  visit(document, {
    Alias: (_key, alias) => {
      if (alias.resolve(document) !== undefined) return undefined;
      place = alias.range?.[0];
      return visit.BREAK;
    },
  });
  return place;
}

function located(document: Document, lines: LineCounter, errors: readonly FieldError[]) {
  const faults = errors.map((error) => ({ line: lineOf(document, lines, error.path), ...error }));
  return new WorkspaceFileError(faults.toSorted((a, b) => a.line - b.line));
}

/** The line of a field, or of the nearest thing around it that the file has. */
function lineOf(document: Document, lines: LineCounter, pointer: string): number {
  const segments = pointer.split("/").slice(1).map(unescapePointer);
  for (let depth = segments.length; depth > 0; depth--) {
    const parent =
      depth === 1 ? document.contents : document.getIn(segments.slice(0, depth - 1), true);
    const key = segments[depth - 1];
    const start = isCollection(parent) ? startOf(parent.items, key) : undefined;
    if (start !== undefined) return lines.linePos(start).line;
  }
  return 1;
}

function startOf(items: readonly unknown[], key: string | number | undefined): number | undefined {
  for (const [index, item] of items.entries()) {
    if (isNode(item) && index === key) return item.range?.[0];
    const itsKey = (item as { readonly key?: unknown }).key;
    if (isNode(itsKey) && String(itsKey) === String(key)) return itsKey.range?.[0];
  }
  return undefined;
}

function unescapePointer(segment: string): string | number {
  const text = segment.replaceAll("~1", "/").replaceAll("~0", "~");
  return /^\d+$/.test(text) ? Number(text) : text;
}

function firstLine(text: string): string {
  return (text.split("\n")[0] ?? "").replace(/:$/, ".");
}
