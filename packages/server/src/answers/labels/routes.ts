import {
  type DeletedLabelsResponse,
  type LabelsResponse,
  labelMetrics,
  pageLabelsMax,
  quoted,
  uuidSchema,
} from "@sightline/contract";
import { actingFor, type ControlEngine } from "../../control/control-engine.ts";
import {
  type Change,
  declared,
  jsonReply,
  type List,
  type Operation,
} from "../../http/operation.ts";
import {
  pageSizeOf,
  parametersOf,
  refusedCursor,
  refusedParameter,
} from "../../http/query-parameters.ts";
import type { Clock } from "../../platform/clock.ts";
import { type LabelKey, type LabelSelection, labelsOf, removeLabels } from "./label-store.ts";

/** What lists and removes labels. */
interface LabelServices {
  readonly control: ControlEngine;
  readonly clock: Clock;
}

const labelsRoute: List<LabelServices> = {
  ...declared("labels"),
  kind: "list",
  reply: async ({ control }, { caller, query }) => {
    const { limit, cursor, ...selecting } = parametersOf(query, [...named, "limit", "cursor"]);
    const size = pageSizeOf(limit, pageLabelsMax);
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
  reply: async ({ control, clock }, { caller, actor, query }) => {
    const selection = selectionOf(parametersOf(query, named));
    if (selection.answerId === null && selection.labeller === null) {
      throw refusedParameter("", "missing", "Give answerId, labeller, or both.");
    }
    const by = actingFor(control, actor);
    const deleted = await removeLabels(by, caller.accountId, selection, clock.now());
    return jsonReply({ deleted } satisfies DeletedLabelsResponse);
  },
};

const named = ["answerId", "labeller", "entityId", "metric"] as const;

function selectionOf(
  given: Readonly<Partial<Record<(typeof named)[number], string>>>,
): LabelSelection {
  const idOf = (name: "answerId" | "entityId") => {
    const id = given[name];
    if (id !== undefined && !uuidSchema.safeParse(id).success) {
      throw refusedParameter(name, "wrong_format", `must be a UUID, got ${quoted(id)}.`);
    }
    return id?.toLowerCase() ?? null;
  };
  const metric = labelMetrics.find((each) => each === given.metric) ?? null;
  if (given.metric !== undefined && metric === null) {
    const message = `must be one of ${labelMetrics.join(", ")}, got ${quoted(given.metric)}.`;
    throw refusedParameter("metric", "not_allowed", message);
  }
  const labeller = given.labeller ?? null;
  return { answerId: idOf("answerId"), labeller, entityId: idOf("entityId"), metric };
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
  throw refusedCursor();
}

/** The operations on labels that are stored. */
export const labelOperations: readonly Operation<LabelServices>[] = [
  labelsRoute,
  deleteLabelsRoute,
];
