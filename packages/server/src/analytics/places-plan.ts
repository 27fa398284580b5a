import type { AnswerPlace, EvidenceQuestion } from "./evidence-question.ts";
import type { Measure } from "./metric-definitions.ts";
import { type Codes, type RowSelection, rowsOf } from "./plan.ts";

/** What an entity may be in an answer. */
export type AppearanceMeasure = Extract<Measure, "mentioned" | "cited" | "visible">;

/**
 * Which answers are listed: all; those in which an entity is what the measure says, or any entity
 * is; those in which an entity (null: every entity) is not visible.
 */
export type Listed =
  | { readonly kind: "all" }
  | { readonly kind: "entity"; readonly entity: number; readonly measure: AppearanceMeasure }
  | { readonly kind: "any-entity"; readonly measure: AppearanceMeasure }
  | { readonly kind: "without"; readonly entity: number | null };

/** How a page of answers is found in the facts. */
export interface PlacesPlan {
  readonly rows: RowSelection;
  readonly listed: Listed;
  readonly limit: number;
  readonly after: AnswerPlace | null;
}

/** A page of answers, and how many there are on all pages. */
export interface PlacesFound {
  readonly total: number;
  /** In the order of the list. */
  readonly places: readonly AnswerPlace[];
}

/** No answer passes. */
export const noPlaces: PlacesFound = { total: 0, places: [] };

/**
 * The plan of a page of answers, with one answer more than the page has; null when none can pass.
 * `entityIds` are in the order of their numbers, from 1.
 */
export function planPlaces(
  question: EvidenceQuestion,
  { codes, entityIds }: { readonly codes: Codes; readonly entityIds: readonly string[] },
): PlacesPlan | null {
  const { selection, entityId, role, limit, after } = question;
  const rows = rowsOf(selection, "appearances", codes);
  // As anywhere, an id that the account does not have matches no answer.
  const entity = entityId === null ? null : entityIds.indexOf(entityId) + 1;
  if (rows === null || entity === 0) return null;
  return { rows, listed: listedBy(role, entity), limit: limit + 1, after };
}

function listedBy(role: EvidenceQuestion["role"], entity: number | null): Listed {
  switch (role) {
    case "any":
      return { kind: "all" };
    case "notVisible":
      return { kind: "without", entity };
    case "mentioned":
    case "cited":
    case "visible":
      return entity === null
        ? { kind: "any-entity", measure: role }
        : { kind: "entity", entity, measure: role };
  }
}
