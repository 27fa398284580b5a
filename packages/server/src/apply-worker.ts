import { parentPort, workerData } from "node:worker_threads";
import type { AppliedWorkspace, FieldError } from "@sightline/contract";
import { applyEffects } from "./control/apply-effects.ts";
import type { ApplyOrder, ApplyOutcome, FileOutcome, ThreadOrder } from "./control/apply-thread.ts";
import { WorkspaceChangedError } from "./control/apply-workspace.ts";
import { NotJsonError } from "./control/workspace-file/parse-workspace-json.ts";
import {
  readWorkspaceFile,
  type WorkspaceFault,
  WorkspaceFileError,
} from "./control/workspace-file/read-workspace-file.ts";
import { declaredFile } from "./http/routes/workspace-file/declared-file.ts";
import { systemClock } from "./platform/clock.ts";
import type { StoragePlace } from "./platform/cluster-address.ts";
import { failedWork } from "./platform/failed-work.ts";
import { onceOpened } from "./platform/once-opened.ts";
import type { Sent } from "./platform/order-thread.ts";
import { openStorage } from "./storage.ts";

/** The thread that applies and writes workspace files, one after another. */
const place = workerData as StoragePlace;
/** Somebody waits for the reply, and a statement writes a few hundred rows. */
const waits = { writeWaitMs: 5_000, statementMs: 4_000 };
const openOnce = onceOpened(() => openStorage(place, systemClock, waits));
let last: Promise<void> = Promise.resolve();

parentPort?.on("message", ({ port, ...order }: Sent<ThreadOrder>) => {
  last = last.then(async () => {
    const outcome = await ("wanted" in order ? written(order.accountId) : outcomeOf(order));
    port.postMessage(outcome, "json" in outcome ? [outcome.json.buffer] : []);
  });
});

async function written(accountId: string): Promise<FileOutcome> {
  try {
    const { control } = await openOnce();
    // Before the workspace: a tag that is older than the file makes a PUT fail, never overwrite.
    const revision = await control.revision(accountId);
    const workspace = await control.workspace(accountId);
    if (revision === null || workspace === null) throw new Error(`no account ${accountId}`);
    return { kind: "written", json: await declaredFile(workspace), revision };
  } catch (error) {
    return failedWork(error);
  }
}

async function outcomeOf(order: ApplyOrder): Promise<ApplyOutcome> {
  try {
    return await applied(order);
  } catch (error) {
    if (error instanceof NotJsonError) return { kind: "not-json", reason: error.message };
    if (error instanceof WorkspaceFileError) {
      return { kind: "faulty", errors: error.faults.map(fieldError) };
    }
    if (error instanceof WorkspaceChangedError)
      return { kind: "changed", revision: error.revision };
    return failedWork(error);
  }
}

async function applied({ accountId, bytes, ...order }: ApplyOrder): Promise<ApplyOutcome> {
  const { format, dryRun, ifRevision } = order;
  const workspace = readWorkspaceFile(textOf(bytes), { accountId, format });
  const { control, countAnswersByPrompt } = await openOnce();
  const report = await control.apply(accountId, workspace, {
    dryRun,
    ...(ifRevision === null ? {} : { ifRevision }),
  });
  const effects = await applyEffects(report.changes, () => countAnswersByPrompt(accountId));
  const { revision, changes, ...counts } = report;
  const lists = {
    created: [...changes.created],
    updated: [...changes.updated],
    retired: [...changes.retired],
    returned: [...changes.returned],
  };
  const reply: AppliedWorkspace = { ...counts, changes: lists, dryRun, ...effects };
  return { kind: "applied", json: new TextEncoder().encode(JSON.stringify(reply)), revision };
}

/** @throws NotJsonError for another encoding, which would declare names that nobody wrote. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new NotJsonError("The body is not UTF-8.");
  }
}

/** A fault of the text itself has no pointer: it is found by its line. */
function fieldError({ line, path, code, message }: WorkspaceFault): FieldError {
  return { path, code, message: path === "" ? `Line ${line}: ${message}` : message };
}
