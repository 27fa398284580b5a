import { workerData } from "node:worker_threads";
import { workspaceOf } from "../../accounts/account-store.ts";
import { invalid } from "../../accounts/routes.ts";
import type { Workspace } from "../../accounts/workspace.ts";
import {
  readWorkspaceFile,
  WorkspaceFileError,
} from "../../accounts/workspace-file/read-workspace-file.ts";
import { systemClock } from "../../platform/clock.ts";
import { serve } from "../../platform/thread.ts";
import { openStorage } from "../../storage.ts";
import { previewNames } from "./preview-names.ts";
import type { PreviewApi, PreviewPlace } from "./previews.ts";

/** The thread of previews. */
serve<PreviewApi>(async () => {
  const { readingMs, ...place } = workerData as PreviewPlace;
  const storage = await openStorage(place, systemClock);
  return {
    preview: async (accountId, request, { signal }) => {
      const workspace = await workspaceOf(storage.control, accountId);
      if (workspace === null) throw new Error(`no account ${accountId}`);
      const { entities } = declared(accountId, { account: workspace.accountName, ...request });
      return previewNames(storage, { workspace, entities, readingMs, signal });
    },
  };
});

/** @throws ServiceError with the faults, at their places in the request. */
function declared(accountId: string, file: object): Workspace {
  try {
    return readWorkspaceFile(JSON.stringify(file), { accountId, format: "json" });
  } catch (error) {
    throw error instanceof WorkspaceFileError ? invalid(error.faults) : error;
  }
}
