import { workspacePath } from "@sightline/contract";
import { unlessFailed } from "../../../http/refused-work.ts";
import type { FileRoute } from "../../../http/route.ts";
import { moving } from "../../../platform/thread.ts";
import { workspaceBytesMax } from "../../workspace-file/yaml-bounds.ts";
import {
  allowedRevisions,
  dryRunOf,
  formatOf,
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
  reply: async ({ applies }, { caller, bytes, work, headers, query }) => {
    const order = {
      accountId: caller.accountId,
      bytes,
      format: formatOf(headers),
      dryRun: dryRunOf(query),
      ifRevision: allowedRevisions(headers["if-match"]),
    };
    const applied = applies[work].api.apply(moving(order, [bytes.buffer]));
    const { json, revision } = await unlessFailed(applied, refused);
    return {
      contentType: "application/json; charset=utf-8",
      body: Buffer.from(json.buffer),
      headers: { ETag: workspaceTag(revision) },
    };
  },
};
