import {
  type DeletedLabelsResponse,
  type FieldErrorCode,
  type LabelsResponse,
  labelMetrics,
  pageLabelsMax,
  quoted,
  uuidSchema,
} from "@sightline/contract";
import type { ControlEngine } from "../../control/control-engine.ts";
import {
  type Change,
  declared,
  jsonReply,
  type List,
  type Operation,
} from "../../http/operation.ts";
import { ServiceError } from "../../platform/service-error.ts";
import { type LabelKey, type LabelSelection, labelsOf, removeLabels } from "./label-store.ts";

/** What lists and removes labels. */
interface LabelServices {
  readonly control: ControlEngine;
}

type Query = Readonly<Record<string, unknown>>;

const labelsRoute: List<LabelServices> = {
  ...declared("labels"),
  kind: "list",
  reply: async ({ control }, { caller, query }) => {
    const { limit, cursor, ...selecting } = parametersOf(query, [...named, "limit", "cursor"]);
    const size = limitOf(limit);
    const after = cursor === undefined ? null : readCursor(cursor);
    const selection = { ...selectionOf(selecting), after, limit: size + 1 };
    const found = await labelsOf(control, caller.accountId, selection);
    const page = found.slice(0, size);
    const last = found.length > size ? page.at(-1) : undefined;
    const labels = page.map(({ labelledAt, ...label }) => {
      return { ...label, labelledAt: new Date(labelledAt).toISOString() };
    });
    const nextCursor = last === undefined ? null : cursorAfter(last);
    return jsonReply({ labels, nextCursor } satisfies LabelsResponse);
  },
};

const deleteLabelsRoute: Change<LabelServices> = {
  ...declared("deleteLabels"),
  kind: "change",
  reply: async ({ control }, { caller, query }) => {
    const selection = selectionOf(parametersOf(query, named));
    if (selection.answerId === null && selection.labeller === null) {
      throw refused("", "missing", "Give answerId, labeller, or both.");
    }
    const deleted = await removeLabels(control, caller.accountId, selection);
    return jsonReply({ deleted } satisfies DeletedLabelsResponse);
  },
};

const named = ["answerId", "labeller", "entityId", "metric"] as const;

/** The parameters of a call by name. @throws ServiceError when one is unknown, or there twice. */
function parametersOf<Name extends string>(
  query: Query,
  known: readonly Name[],
): Readonly<Partial<Record<Name, string>>> {
  const names: readonly string[] = known;
  for (const [name, value] of Object.entries(query)) {
    if (!names.includes(name)) {
      const message = `${quoted(name)} is not a known query parameter. Known: ${known.join(", ")}.`;
      throw refused("", "unknown_field", message);
    }
    if (typeof value !== "string") throw refused(name, "wrong_type", "must be there once.");
  }
  return query as Readonly<Partial<Record<Name, string>>>;
}

function selectionOf(
  given: Readonly<Partial<Record<(typeof named)[number], string>>>,
): LabelSelection {
  const idOf = (name: "answerId" | "entityId") => {
    const id = given[name];
    if (id !== undefined && !uuidSchema.safeParse(id).success) {
      throw refused(name, "wrong_format", `must be a UUID, got ${quoted(id)}.`);
    }
    return id?.toLowerCase() ?? null;
  };
  const metric = labelMetrics.find((each) => each === given.metric) ?? null;
  if (given.metric !== undefined && metric === null) {
    const message = `must be one of ${labelMetrics.join(", ")}, got ${quoted(given.metric)}.`;
    throw refused("metric", "not_allowed", message);
  }
  const labeller = given.labeller ?? null;
  return { answerId: idOf("answerId"), labeller, entityId: idOf("entityId"), metric };
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return pageLabelsMax;
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= pageLabelsMax) return limit;
  const message = `must be between 1 and ${pageLabelsMax}, got ${quoted(text)}.`;
  throw refused("limit", limit === 0 ? "too_small" : "too_large", message);
}

function cursorAfter({ answerId, entityId, metric, labeller }: LabelKey): string {
  const key = JSON.stringify([answerId, entityId, metric, labeller]);
  return Buffer.from(key).toString("base64url");
}

/** @throws ServiceError invalid_request when no list has such a cursor. */
function readCursor(text: string): LabelKey {
  try {
    const key: unknown = JSON.parse(Buffer.from(text, "base64url").toString());
    const isKey = Array.isArray(key) && key.length === 4;
    if (!isKey || !key.every((each) => typeof each === "string")) throw new TypeError();
    const [answerId = "", entityId = "", named = "", labeller = ""] = key as readonly string[];
    const metric = labelMetrics.find((each) => each === named);
    if (metric !== undefined) return { answerId, entityId, metric, labeller };
  } catch {
    // as one that says nothing
  }
  const fault = "is not a cursor of this list. Leave it out to begin with the first page.";
  throw refused("cursor", "wrong_format", fault);
}

function refused(name: string, code: FieldErrorCode, message: string): ServiceError {
  const full = name === "" ? message : `The query parameter ${name} ${message}`;
  const errors = [{ path: "", code, message: full }] as const;
  return new ServiceError("invalid_request", full, { errors });
}

/** The operations on labels that are stored. */
export const labelOperations: readonly Operation<LabelServices>[] = [
  labelsRoute,
  deleteLabelsRoute,
];
