import { workspaceFilePath } from "@sightline/contract";
import type { OperationRoute } from "../../route.ts";
import { workspaceTag } from "../apply-workspace/workspace-call.ts";
import { declaredFile } from "./declared-file.ts";

/** GET /v1/workspace/file, an addition to the interface: what is tracked, as a workspace file. */
export const workspaceFileRoute: OperationRoute = {
  access: "operation",
  scope: "read",
  method: "GET",
  path: workspaceFilePath,
  reply: async ({ control }, { caller: { accountId } }) => {
    // Before the workspace: a tag that is older than the file makes a PUT fail, never overwrite.
    const revision = await control.revision(accountId);
    const workspace = await control.workspace(accountId);
    if (revision === null || workspace === null) throw new Error(`no account ${accountId}`);
    return {
      contentType: "application/json; charset=utf-8",
      body: await declaredFile(workspace),
      headers: { ETag: workspaceTag(revision) },
    };
  },
};
