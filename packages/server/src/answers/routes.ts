import type { IncomingHttpHeaders } from "node:http";
import {
  answersMediaTypes,
  csvMediaType,
  type DeleteAnswersResponse,
  deleteAnswersRequestSchema,
  type ImportAnswersResponse,
  type ImportLabelsResponse,
  type ImportsResponse,
  importSourceSchema,
  quoted,
  type UndoneImportResponse,
} from "@sightline/contract";
import type { ControlEngine } from "../control/control-engine.ts";
import { validated } from "../http/body.ts";
import {
  type Change,
  declared,
  type EndableCall,
  jsonReply,
  type List,
  type Operation,
  type StreamUpload,
} from "../http/operation.ts";
import { orProblem, refusedWork } from "../http/or-problem.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/logger.ts";
import { ServiceError } from "../platform/service-error.ts";
import { untilAborted } from "../platform/until-aborted.ts";
import { everyAnswer } from "./answer-store.ts";
import type { Correction, CorrectionThread } from "./corrections/correction-thread.ts";
import { selectionOfFilters } from "./corrections/corrections.ts";
import { type ImportRecord, importsOf } from "./import-store.ts";
import {
  BrokenImportError,
  type ImportThread,
  type StreamImport,
  type StreamOrigin,
} from "./intake/import-thread.ts";
import { labelOperations } from "./labels/routes.ts";

/** What the operations on answers are made of. */
export interface AnswerServices {
  readonly control: ControlEngine;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly imports: ImportThread;
  readonly corrections: CorrectionThread;
  /** What derives facts from answers. */
  readonly projection: {
    /** Resolves when all that is recorded is in the account's facts. @throws why it is not. */
    readonly waitUntilCurrent: (accountId: string) => Promise<void>;
  };
}

const importAnswersRoute: StreamUpload<AnswerServices> = {
  ...declared("importAnswers"),
  kind: "stream",
  fault: (headers) => streamFault(headers, "answer"),
  reply: async ({ imports }, { caller, actor, headers, query, stream, ended: signal }) => {
    const origin = { ...originOf({ headers, query }), by: actor };
    try {
      const imported = await imports.import(caller.accountId, stream, { ...origin, signal });
      return jsonReply(importReply(imported));
    } catch (error) {
      throw error instanceof BrokenImportError ? refusalOf(error, signal, "answers") : error;
    }
  },
};

const importLabelsRoute: StreamUpload<AnswerServices> = {
  ...declared("importLabels"),
  kind: "stream",
  fault: (headers) => streamFault(headers, "label"),
  reply: async ({ imports }, { caller, actor, headers, stream, ended: signal }) => {
    const origin = { format: formatOf(headers), by: actor, signal };
    try {
      const { rejectedLines, ...tally } = await imports.importLabels(
        caller.accountId,
        stream,
        origin,
      );
      const errors = lineErrors(rejectedLines);
      return jsonReply({ ...tally, errors } satisfies ImportLabelsResponse);
    } catch (error) {
      throw error instanceof BrokenImportError ? refusalOf(error, signal, "labels") : error;
    }
  },
};

/** What a sender is told; the same body again records the rest. */
function refusalOf(
  error: BrokenImportError,
  { reason }: AbortSignal,
  items: "answers" | "labels",
): ServiceError {
  const { kind, message, tally } = error;
  const accepted = tally === null ? "What was" : `${tally.accepted} ${items} were`;
  const done = `${accepted} accepted before ${tally === null ? "is" : "and are"} recorded.`;
  if (kind === "stopped" && reason instanceof ServiceError) {
    const { code, detail, headers } = reason;
    return new ServiceError(code, `${detail} ${done}`, { headers });
  }
  if (kind === "body") {
    const fault = `cannot be read: ${message}.`;
    const errors = [{ path: "", code: "wrong_format", message: fault }] as const;
    return new ServiceError("invalid_request", `/: ${fault} ${done}`, { errors });
  }
  return refusedWork(error, { failed: "The import failed.", advice: done });
}

/** The codings that are undone; a body's first bytes say which it has. */
const codings = ["", "identity", "gzip", "x-gzip", "zstd"];

interface StreamRequest {
  readonly headers: IncomingHttpHeaders;
  readonly query: unknown;
}

/**
 * What a stream is by its own account. Other query parameters were always ignored, and still are.
 * @throws ServiceError when `?source=` cannot be shown in a list.
 */
function originOf({ headers, query }: StreamRequest): Omit<StreamOrigin, "by"> {
  const { source = "http" } = query as { readonly source?: unknown };
  const read = importSourceSchema.safeParse(source);
  if (read.success) return { format: formatOf(headers), source: read.data };
  const got = typeof source === "string" ? quoted(source) : "several values";
  const message =
    "The query parameter source must have 1 to 255 characters, none of them a control or " +
    `invisible character, got ${got}.`;
  const errors = [{ path: "", code: "not_allowed", message }] as const;
  throw new ServiceError("invalid_request", message, { errors });
}

function formatOf(headers: IncomingHttpHeaders): StreamOrigin["format"] {
  return mediaType(headers) === csvMediaType ? "csv" : "ndjson";
}

function mediaType(headers: IncomingHttpHeaders): string {
  const [type = ""] = (headers["content-type"] ?? "").toLowerCase().split(";");
  return type.trim();
}

/** Why a stream is refused for what its fields say of it; null: its type is known. */
function streamFault(headers: IncomingHttpHeaders, item: "answer" | "label"): ServiceError | null {
  if (!answersMediaTypes.some((known) => known === mediaType(headers))) {
    return new ServiceError(
      "unsupported_media_type",
      `Send one ${item} on each line, as JSON in UTF-8, with ` +
        `\`Content-Type: ${answersMediaTypes[0]}\`; or CSV in UTF-8, with \`${csvMediaType}\`.`,
    );
  }
  const coding = headers["content-encoding"]?.toLowerCase() ?? "";
  if (codings.includes(coding)) return null;
  return new ServiceError(
    "unsupported_media_type",
    `\`Content-Encoding\` must be gzip, zstd or absent, got ${quoted(coding)}.`,
    { headers: { "Accept-Encoding": "gzip, zstd" } },
  );
}

/** The body of the reply. */
function importReply({ rejectedLines, ...tally }: StreamImport): ImportAnswersResponse {
  const { importId, accepted, duplicates, rejected, warnings } = tally;
  const errors = lineErrors(rejectedLines);
  return { importId, accepted, duplicates, rejected, warnings, errors };
}

function lineErrors(lines: StreamImport["rejectedLines"]): ImportAnswersResponse["errors"] {
  return lines.flatMap(({ line, errors: faults, reason }) => {
    if (faults.length === 0) return [{ line, path: "", message: reason }];
    return faults.map(({ path, message }) => ({ line, path, message }));
  });
}

const importsRoute: List<AnswerServices> = {
  ...declared("imports"),
  kind: "list",
  reply: async ({ control }, { caller }) => {
    const imports = await importsOf(control, caller.accountId);
    return jsonReply({ imports: imports.map(listed) } satisfies ImportsResponse);
  },
};

function listed({ startedAt, undoneAt, ...noted }: ImportRecord) {
  return {
    ...noted,
    startedAt: new Date(startedAt).toISOString(),
    undoneAt: undoneAt === null ? null : new Date(undoneAt).toISOString(),
  };
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const undoImportRoute: Change<AnswerServices> = {
  ...declared("undoImport"),
  kind: "change",
  reply: async (services, call) => {
    const { parameters } = call;
    const { importId: given = "" } = parameters;
    const importId = given.toLowerCase();
    const { answers, factsCurrent } = uuid.test(importId)
      ? await correct(services, call, { action: "undo", importId })
      : { answers: null, factsCurrent: true };
    if (answers === null) {
      throw new ServiceError("not_found", `The account has no import ${quoted(given)}.`);
    }
    return jsonReply({ deleted: answers, factsCurrent } satisfies UndoneImportResponse);
  },
};

const deleteAnswersRoute: Change<AnswerServices> = {
  ...declared("deleteAnswers"),
  kind: "change",
  reply: async (services, call) => {
    const {
      caller: { accountId },
      body,
    } = call;
    const { ids, filters, dryRun } = validated(deleteAnswersRequestSchema, body);
    const selection =
      filters === undefined
        ? { ...everyAnswer, ids: ids?.map((id) => id.toLowerCase()) ?? [] }
        : await selectionOfFilters(services.control, accountId, filters);
    const action = dryRun ? "count" : "remove";
    const { answers, factsCurrent } = await correct(services, call, { action, selection });
    const matched = answers ?? 0;
    const deleted = dryRun ? 0 : matched;
    return jsonReply({ matched, deleted, factsCurrent } satisfies DeleteAnswersResponse);
  },
};

const refused = {
  failed: "The correction failed.",
  advice: "Send the same again: it removes what is left.",
};

/** A caller waits so long for the facts; they are rebuilt all the same. */
const factsWithinMs = 10_000;

/** What became of a correction. */
interface Corrected {
  /** Null: the account has no such import. */
  readonly answers: number | null;
  /** Whether questions see it already. */
  readonly factsCurrent: boolean;
}

/**
 * Counts or removes answers of an account. A removal does not begin once its caller's call has
 * ended; one that has begun is completed, and its failure is logged, since nobody else is told.
 * @throws ServiceError.
 */
function correct(
  { corrections, projection, logger }: AnswerServices,
  { caller: { accountId }, actor, ended }: Pick<EndableCall, "caller" | "actor" | "ended">,
  correction: Correction,
): Promise<Corrected> {
  const work = async () => {
    const thread = corrections.with({ signal: ended });
    const corrected = thread.correct(accountId, correction, actor).catch((error: unknown) => {
      if (ended.aborted && !isAbort(error)) {
        const { action } = correction;
        logger.error({ accountId, action, error: String(error) }, "a correction failed");
      }
      throw error;
    });
    const answers = await orProblem(corrected, refused);
    if (correction.action === "count" || answers === null) return { answers, factsCurrent: true };
    return { answers, factsCurrent: await isCurrentSoon(projection, accountId) };
  };
  return untilAborted(work(), ended);
}

/** Whether a correction did not begin. */
function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}

async function isCurrentSoon(
  projection: AnswerServices["projection"],
  accountId: string,
): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), factsWithinMs);
  });
  const current = projection.waitUntilCurrent(accountId).then(
    () => true,
    () => false, // its account fails, which readiness and metrics say
  );
  try {
    return await Promise.race([current, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The operations on the record. */
export const answerOperations: readonly Operation<AnswerServices>[] = [
  importAnswersRoute,
  importsRoute,
  undoImportRoute,
  deleteAnswersRoute,
  importLabelsRoute,
  ...labelOperations,
];
