import { workspaceFilePath } from "@sightline/contract";
import { unlessFailed } from "../../../http/refused-work.ts";
import type { OperationRoute } from "../../../http/route.ts";
import { workspaceTag } from "../apply-workspace/workspace-call.ts";

const refused = { failed: "The workspace file could not be written.", advice: "Retry later." };

/** GET /v1/workspace/file, an addition to the interface: what is tracked, as a workspace file. */
export const workspaceFileRoute: OperationRoute = {
  access: "operation",
  scope: "read",
  method: "GET",
  path: workspaceFilePath,
  reply: async ({ control, workspaceFiles }, { caller: { accountId } }) => {
    const wanted = await control.revision(accountId);
    const { json, revision } = await unlessFailed(workspaceFiles.of(accountId, wanted), refused);
    return {
      contentType: "application/json; charset=utf-8",
      body: Buffer.from(json.buffer),
      headers: { ETag: workspaceTag(revision) },
    };
  },
};
