import { workspacePath } from "@sightline/contract";
import type { ApplyOutcome } from "../../../control/apply-thread.ts";
import { workspaceBytesMax } from "../../../control/workspace-file/yaml-bounds.ts";
import { FailedWorkError } from "../../../platform/failed-work.ts";
import { ServiceError } from "../../../platform/service-error.ts";
import { refusedWork } from "../../refused-work.ts";
import type { FileRoute, Reply } from "../../route.ts";
import {
  allowedRevisions,
  dryRunOf,
  formatOf,
  invalid,
  workspaceFault,
  workspaceTag,
} from "./workspace-call.ts";

const refused = { failed: "The workspace could not be applied.", advice: "Nothing was changed." };

/** PUT /v1/workspace, an addition to the interface: tracks what a workspace file says. */
export const applyWorkspaceRoute: FileRoute = {
  access: "file",
  scope: "manage",
  method: "PUT",
  path: workspacePath,
  bytesMax: workspaceBytesMax,
  fault: workspaceFault,
  reply: async ({ applies }, { caller, bytes, headers, query }) => {
    const outcome = await applies.apply({
      accountId: caller.accountId,
      bytes,
      format: formatOf(headers),
      dryRun: dryRunOf(query),
      ifRevision: allowedRevisions(headers["if-match"]),
    });
    return replyOf(outcome);
  },
};

function replyOf(outcome: ApplyOutcome): Reply {
  switch (outcome.kind) {
    case "applied":
      return {
        contentType: "application/json; charset=utf-8",
        body: Buffer.from(outcome.json.buffer),
        headers: { ETag: workspaceTag(outcome.revision) },
      };
    case "not-json":
      throw new ServiceError("malformed_json", outcome.reason);
    case "faulty":
      throw invalid(outcome.errors);
    case "changed":
      throw changed(workspaceTag(outcome.revision));
    case "failed":
      throw refusedWork(new FailedWorkError(outcome), refused);
  }
}

function changed(tag: string): ServiceError {
  return new ServiceError(
    "precondition_failed",
    `The workspace has the ETag ${tag}, which If-Match does not name. Nothing was changed. ` +
      "Read the workspace again and repeat your change.",
    { headers: { ETag: tag } },
  );
}
