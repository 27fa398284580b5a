import type { InsightsPresenceRequest } from "@sightline/contract";
import { type Comparison, comparisonOf, type Selection, selectionOf } from "./question.ts";

/** A question for how an entity is named and cited. */
export interface PresenceQuestion extends Comparison {
  readonly selection: Selection;
  /** In lower case. */
  readonly entityId: string;
}

/**
 * The question that a valid request asks.
 * @throws ServiceError invalid_request when the same answers would count on both sides.
 */
export function presenceQuestion(request: InsightsPresenceRequest): PresenceQuestion {
  const entityId = request.entityId.toLowerCase();
  return Object.freeze({ ...comparisonOf(request), selection: selectionOf(request), entityId });
}
