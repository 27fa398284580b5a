import { workspacePath } from "@sightline/contract";
import type { AccountRoute } from "../../route.ts";
import { workspaceReply } from "./workspace-reply.ts";

/** GET /v1/workspace, an addition to the interface: what a client needs to offer filters. */
export const workspaceRoute: AccountRoute = {
  access: "session",
  method: "GET",
  path: workspacePath,
  ask: async ({ control, answers }, accountId) => {
    const revision = await control.revision(accountId);
    const lastRecordedAt = answers.lastRecordedAt(accountId);
    return {
      // Together with the version of the facts, all that the reply depends on. The workspace that
      // is read may be newer than the revision; then this key is not asked for again.
      key: `${workspacePath}\n${revision}\n${lastRecordedAt}`,
      answer: async (facts, _accountId, signal) => {
        const coverage = await facts.coverage(accountId, signal);
        const workspace = await control.workspace(accountId);
        if (workspace === null) throw new Error(`account ${accountId} has facts, no workspace`);
        return JSON.stringify(workspaceReply({ workspace, coverage, lastRecordedAt }));
      },
    };
  },
};
