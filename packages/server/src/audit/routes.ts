import {
  type AuditAction,
  type AuditResponse,
  auditActions,
  dateTimeSchema,
  instantOf,
  pageAuditMax,
  quoted,
} from "@sightline/contract";
import type { ControlEngine } from "../control/control-engine.ts";
import { declared, jsonReply, type List, type Operation } from "../http/operation.ts";
import {
  pageSizeOf,
  parametersOf,
  refusedCursor,
  refusedParameter,
} from "../http/query-parameters.ts";
import { type AuditEntry, auditOf } from "./audit-log.ts";

/** What lists entries of the audit log. */
interface AuditServices {
  readonly control: ControlEngine;
}

const known = ["action", "actorId", "subject", "from", "to", "limit", "cursor"] as const;

const auditRoute: List<AuditServices> = {
  ...declared("audit"),
  kind: "list",
  reply: async ({ control }, { caller, query }) => {
    const { action, actorId, subject, from, to, limit, cursor } = parametersOf(query, known);
    const size = pageSizeOf(limit, pageAuditMax);
    const found = await auditOf(control, caller.accountId, {
      action: action === undefined ? null : actionOf(action),
      actorId: actorId ?? null,
      subject: subject ?? null,
      fromMs: from === undefined ? Number.NEGATIVE_INFINITY : instantOfParameter("from", from),
      toMs: to === undefined ? Number.POSITIVE_INFINITY : instantOfParameter("to", to),
      before: cursor === undefined ? null : readCursor(cursor),
      limit: size + 1,
    });
    const page = found.slice(0, size);
    const last = found.length > size ? page.at(-1) : undefined;
    const nextCursor = last === undefined ? null : String(last.sequence);
    return jsonReply({ entries: page.map(listedEntry), nextCursor } satisfies AuditResponse);
  },
};

/** An entry as lists show it. */
export function listedEntry({ at, before, after, actor, ...entry }: AuditEntry) {
  return {
    sequence: entry.sequence,
    at: new Date(at).toISOString(),
    actor: { ...actor },
    action: entry.action,
    subject: entry.subject,
    before: before as Record<string, unknown> | null,
    after: after as Record<string, unknown> | null,
    hash: entry.hash,
  };
}

function actionOf(text: string): AuditAction {
  const action = auditActions.find((each) => each === text);
  if (action !== undefined) return action;
  const message = `must be one of ${auditActions.join(", ")}, got ${quoted(text)}.`;
  throw refusedParameter("action", "not_allowed", message);
}

function instantOfParameter(name: "from" | "to", text: string): number {
  const instant = dateTimeSchema.safeParse(text).success ? instantOf(text) : null;
  if (instant !== null) return instant;
  const message = `must be an instant such as 2026-01-20T09:00:00Z, got ${quoted(text)}.`;
  throw refusedParameter(name, "wrong_format", message);
}

/** A cursor is the number of the last entry on the page before. */
function readCursor(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw refusedCursor();
}

/** The operations on the audit log. */
export const auditOperations: readonly Operation<AuditServices>[] = [auditRoute];
