import type { IncomingHttpHeaders } from "node:http";
import { type FieldError, quoted, workspaceMediaTypes } from "@sightline/contract";
import { declared, type FileUpload, type List, type Operation } from "../http/operation.ts";
import { orProblem } from "../http/or-problem.ts";
import { ServiceError } from "../platform/service-error.ts";
import { moving } from "../platform/thread.ts";
import { revisionOf } from "./account-store.ts";
import { fileWorkOf, type WrittenFile } from "./apply-thread.ts";
import { createAccountRoute, type NewAccountServices } from "./first-run/routes.ts";
import type { RevisionCache } from "./revision-cache.ts";
import { workspaceBytesMax } from "./workspace-file/parse-yaml.ts";

/** What the operations on accounts and what they track are made of. */
export interface AccountServices extends NewAccountServices {
  readonly workspaceFiles: RevisionCache<WrittenFile>;
}

const refused = { failed: "The workspace could not be applied.", advice: "Nothing was changed." };

const applyWorkspaceRoute: FileUpload<AccountServices> = {
  ...declared("applyWorkspace"),
  kind: "file",
  bytesMax: workspaceBytesMax,
  fault: workspaceFault,
  workOf: ({ control }, accountId, bytes) => fileWorkOf(control, accountId, bytes),
  reply: async ({ applies }, { caller, actor, bytes, work, headers, query }) => {
    const order = {
      accountId: caller.accountId,
      bytes,
      format: formatOf(headers),
      dryRun: dryRunOf(query),
      ifRevision: allowedRevisions(headers["if-match"]),
      by: actor,
    };
    const applied = applies[work].api.apply(moving(order, [bytes.buffer]));
    const { json, revision } = await orProblem(applied, refused);
    return {
      contentType: "application/json; charset=utf-8",
      body: Buffer.from(json.buffer),
      headers: { ETag: workspaceTag(revision) },
    };
  },
};

/** Why a body is refused for what its fields say of it; null: it says that it is JSON or YAML. */
function workspaceFault(headers: IncomingHttpHeaders): ServiceError | null {
  if (!workspaceMediaTypes.some((known) => known === mediaType(headers))) {
    return new ServiceError(
      "unsupported_media_type",
      "Send a workspace file in UTF-8, with `Content-Type: application/json` or " +
        "`application/yaml`.",
    );
  }
  const coding = headers["content-encoding"]?.toLowerCase() ?? "";
  if (["", "identity"].includes(coding)) return null;
  return new ServiceError(
    "unsupported_media_type",
    `Send the body uncompressed: \`Content-Encoding\` must be absent, got ${quoted(coding)}.`,
    { headers: { "Accept-Encoding": "identity" } },
  );
}

/** The format that a body has by its own account. */
function formatOf(headers: IncomingHttpHeaders): "json" | "yaml" {
  return mediaType(headers) === "application/json" ? "json" : "yaml";
}

/**
 * Whether `?dryRun=true` is said.
 * @throws ServiceError for any other parameter: a mistyped one would change the workspace.
 */
function dryRunOf(query: Readonly<Record<string, unknown>>): boolean {
  const { dryRun = "false", ...others } = query;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    const message = `${quoted(unknown)} is not a known query parameter. Known: dryRun.`;
    throw invalid([{ path: "", code: "unknown_field", message }]);
  }
  if (dryRun === "true" || dryRun === "false") return dryRun === "true";
  const got = typeof dryRun === "string" ? quoted(dryRun) : "several values";
  const message = `The query parameter dryRun must be true or false, got ${got}.`;
  throw invalid([{ path: "", code: "not_allowed", message }]);
}

/** The refusal of a file whose If-Match does not name the revision that the workspace has. */
export function changed(revision: number): ServiceError {
  const tag = workspaceTag(revision);
  return new ServiceError(
    "precondition_failed",
    `The workspace has the ETag ${tag}, which If-Match does not name. Nothing was changed. ` +
      "Read the workspace again and repeat your change.",
    { headers: { ETag: tag } },
  );
}

/** The entity tag of a workspace: its revision. */
export function workspaceTag(revision: number): string {
  return `"${revision}"`;
}

/**
 * The revisions that an If-Match field allows (RFC 9110, 13.1.1); null: any. A weak tag, and one
 * that is not of a workspace, matches none.
 */
function allowedRevisions(field: string | undefined): readonly number[] | null {
  if (field === undefined || field.trim() === "*") return null;
  return field.split(",").flatMap((tag) => {
    const [, digits] = /^"(\d{1,15})"$/.exec(tag.trim()) ?? [];
    return digits === undefined ? [] : [Number(digits)];
  });
}

/** The refusal of a body with these faults. */
export function invalid(errors: readonly FieldError[]): ServiceError {
  const faults = errors.map(({ path, message }) => `${path || "/"}: ${message}`);
  // Some say what to write, which has no full stop of its own.
  const detail = faults.map((fault) => (/[.?]$/.test(fault) ? fault : `${fault}.`)).join(" ");
  return new ServiceError("invalid_request", detail, { errors });
}

function mediaType(headers: IncomingHttpHeaders): string {
  const [type = ""] = (headers["content-type"] ?? "").toLowerCase().split(";");
  return type.trim();
}

const notWritten = { failed: "The workspace file could not be written.", advice: "Retry later." };

const workspaceFileRoute: List<AccountServices> = {
  ...declared("workspaceFile"),
  kind: "list",
  reply: async ({ control, workspaceFiles }, { caller: { accountId } }) => {
    const wanted = await revisionOf(control, accountId);
    const { json, revision } = await orProblem(workspaceFiles.of(accountId, wanted), notWritten);
    return {
      contentType: "application/json; charset=utf-8",
      body: Buffer.from(json.buffer),
      headers: { ETag: workspaceTag(revision) },
    };
  },
};

/** The operations on accounts and what they track. */
export const accountOperations: readonly Operation<AccountServices>[] = [
  createAccountRoute,
  applyWorkspaceRoute,
  workspaceFileRoute,
];
