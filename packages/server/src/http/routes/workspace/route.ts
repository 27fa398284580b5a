import { workspacePath } from "@sightline/contract";
import { Pieces } from "../../../platform/pieces.ts";
import type { AccountRoute } from "../../route.ts";
import { declaredPart, withCoverage } from "./workspace-reply.ts";

/** GET /v1/workspace, an addition to the interface: what a client needs to offer filters. */
export const workspaceRoute: AccountRoute = {
  access: "session",
  method: "GET",
  path: workspacePath,
  ask: async ({ control, answers, replyCache }, accountId) => {
    const revision = await control.revision(accountId);
    const lastRecordedAt = answers.lastRecordedAt(accountId);
    // What is read may be newer than the revision; then this revision is not asked for again.
    const declared = async () => {
      const workspace = await control.workspace(accountId);
      if (workspace === null) throw new Error(`account ${accountId} has facts, no workspace`);
      return Pieces.of(JSON.stringify(declaredPart(workspace)));
    };
    return {
      // Together with the version of the facts, all that the reply depends on.
      key: `${workspacePath}\n${revision}\n${lastRecordedAt}`,
      answer: async (facts, _accountId, signal) => {
        const coverage = await facts.coverage(accountId, signal);
        // Kept by itself: it is nearly all of the reply, and seldom changes while answers arrive.
        const name = `${accountId}\n${workspacePath}\n${revision}`;
        const part = await replyCache.reply(name, signal, declared);
        return Pieces.of(withCoverage(part.toString(), coverage, lastRecordedAt));
      },
    };
  },
};
