import type {
  CitationLifeRequest,
  InsightsPresenceRequest,
  InsightsSourcesRequest,
  LifeGrouping,
  SourceClass,
  SourceForm,
  SourceOrder,
} from "@sightline/contract";
import {
  type CitedSource,
  type Comparison,
  citedSourceOf,
  comparisonOf,
  distinct,
  type Selection,
  type SourcesQuestion,
  selectionOf,
  sourcesQuestion,
} from "./question.ts";

/** A question for one page of sources with their gaps. */
export interface SourceGapsQuestion extends SourcesQuestion, Comparison {
  /** Only sources of these citations are listed; null: all. */
  readonly listed: CitedSource | null;
  readonly orderBy: SourceOrder;
  /** Only sources of these classes are listed; null: all. */
  readonly sourceClasses: readonly SourceClass[] | null;
  /** Only pages of these forms, or their domains; null: all. */
  readonly forms: readonly SourceForm[] | null;
  /** Whether the reply has the citations of each class. */
  readonly withClasses: boolean;
}

/**
 * The question that a valid request asks.
 * @throws ServiceError invalid_request when the same answers would count on both sides.
 */
export function sourceGapsQuestion(request: InsightsSourcesRequest): SourceGapsQuestion {
  const { orderBy = "citations", include = [] } = request;
  return Object.freeze({
    ...sourcesQuestion(request),
    ...comparisonOf(request),
    listed: citedSourceOf(request),
    orderBy,
    sourceClasses: distinct(request.sourceClasses),
    forms: distinct(request.forms),
    withClasses: include.includes("classes"),
  });
}

/** A question for how long citations last. */
export interface LifeQuestion {
  readonly selection: Selection;
  readonly by: LifeGrouping;
  readonly limit: number;
}

/** The question that a valid request asks. */
export function lifeQuestion(request: CitationLifeRequest): LifeQuestion {
  const { by, limit } = request;
  return Object.freeze({ selection: selectionOf(request), by, limit });
}

/** A question for how an entity is named and cited. */
export interface PresenceQuestion extends Comparison {
  readonly selection: Selection;
  /** In lower case. */
  readonly entityId: string;
}

/** The question that a valid request asks. @throws as sourceGapsQuestion. */
export function presenceQuestion(request: InsightsPresenceRequest): PresenceQuestion {
  const entityId = request.entityId.toLowerCase();
  return Object.freeze({ ...comparisonOf(request), selection: selectionOf(request), entityId });
}
