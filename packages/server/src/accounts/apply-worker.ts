import { workerData } from "node:worker_threads";
import type { AppliedWorkspace, FieldError } from "@sightline/contract";
import { actingFor, type ControlEngine } from "../control/control-engine.ts";
import { systemClock } from "../platform/clock.ts";
import type { StoragePlace } from "../platform/cluster-address.ts";
import { retryWhileLocked } from "../platform/retry-while-locked.ts";
import { ServiceError } from "../platform/service-error.ts";
import { inOrder, moving, serve } from "../platform/thread.ts";
import { openStorage, type Storage } from "../storage.ts";
import { revisionOf, workspaceOf } from "./account-store.ts";
import type { ApplyApi, ApplyOrder, CreateOrder, FirstKey, WrittenFile } from "./apply-thread.ts";
import { applyEffects, applyWorkspace, WorkspaceChangedError } from "./apply-workspace.ts";
import { declaredFile } from "./declared-workspaces.ts";
import { requireFirst, requireRoom } from "./first-run/link.ts";
import { changed, invalid } from "./routes.ts";
import {
  NotJsonError,
  readWorkspaceFile,
  type WorkspaceFault,
  WorkspaceFileError,
} from "./workspace-file/read-workspace-file.ts";

/** A statement writes a few hundred rows; a stop waits for SQLite no longer than that. */
const waits = { writeWaitMs: 1_000, statementMs: 4_000 };
/** Somebody waits for the reply, while the large files of others are stored for seconds each. */
const pausesMs: readonly number[] = new Array(19).fill(50);

/** The thread that applies and writes workspace files. */
serve<ApplyApi>(async () => {
  const storage = await openStorage(workerData as StoragePlace, systemClock, waits);
  return {
    apply: (order) => orRefusal(() => applied(storage, order)),
    create: (order) => orRefusal(() => created(storage, order)),
    file: (accountId) => written(storage, accountId),
  };
}, inOrder());

async function written({ control }: Storage, accountId: string): Promise<WrittenFile> {
  // Before the workspace: a tag that is older than the file makes a PUT fail, never overwrite.
  const revision = await revisionOf(control, accountId);
  const workspace = await workspaceOf(control, accountId);
  if (revision === null || workspace === null) throw new Error(`no account ${accountId}`);
  return sent({ json: await declaredFile(workspace), revision });
}

async function applied(
  { control, clock, countAnswersByPrompt }: Storage,
  { accountId, bytes, by, ...order }: ApplyOrder,
): Promise<WrittenFile> {
  const { format, dryRun, ifRevision } = order;
  const workspace = readWorkspaceFile(textOf(bytes), { accountId, format });
  const options = { dryRun, ...(ifRevision === null ? {} : { ifRevision }) };
  const apply = () =>
    applyWorkspace(actingFor(control, by), accountId, workspace, {
      ...options,
      now: clock.now(),
    });
  const report = await retryWhileLocked(apply, pausesMs);
  const effects = await applyEffects(report.changes, () => countAnswersByPrompt(accountId));
  const { revision, changes, ...counts } = report;
  const lists = {
    created: [...changes.created],
    updated: [...changes.updated],
    retired: [...changes.retired],
    returned: [...changes.returned],
  };
  const reply: AppliedWorkspace = { ...counts, changes: lists, dryRun, ...effects };
  return sent({ json: new TextEncoder().encode(JSON.stringify(reply)), revision });
}

function sent(file: WrittenFile): WrittenFile {
  return moving(file, [file.json.buffer]);
}

/** @throws NotJsonError for another encoding, which would declare names that nobody wrote. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new NotJsonError("The body is not UTF-8.");
  }
}

/** Account and key come into being together: an account without a key would be nobody's. */
async function created(
  { control, clock, keyRing }: Storage,
  { accountId, bytes, key, firstSince, by }: CreateOrder,
): Promise<FirstKey> {
  const workspace = readWorkspaceFile(textOf(bytes), { accountId, format: "json" });
  const made: FirstKey[] = [];
  const also = async (within: ControlEngine) => {
    if (firstSince === null) await requireRoom(within);
    else await requireFirst(within, accountId, firstSince);
    made.push(await keyRing.create(accountId, key, within));
  };
  const engine = actingFor(control, by);
  const apply = () => applyWorkspace(engine, accountId, workspace, { now: clock.now(), also });
  await retryWhileLocked(apply, pausesMs);
  const { keyId, key: text } = made.at(-1) as FirstKey;
  return { keyId, key: text };
}

/** @throws ServiceError in place of what the caller caused. */
async function orRefusal<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw refusalOf(error);
  }
}

/** What a caller is told of a file that cannot be applied. */
function refusalOf(error: unknown): unknown {
  if (error instanceof NotJsonError) return new ServiceError("malformed_json", error.message);
  if (error instanceof WorkspaceFileError) return invalid(error.faults.map(fieldError));
  if (error instanceof WorkspaceChangedError) return changed(error.revision);
  return error;
}

/** A fault of the text itself has no pointer: it is found by its line. */
function fieldError({ line, path, code, message }: WorkspaceFault): FieldError {
  return { path, code, message: path === "" ? `Line ${line}: ${message}` : message };
}
