import type {
  CitationLifeRequest,
  FieldError,
  InsightsPresenceRequest,
  InsightsSourcesRequest,
  LifeGrouping,
  SearchQueriesRequest,
  SourceClass,
  SourceForm,
  SourceOrder,
  UntrackedNamesRequest,
} from "@sightline/contract";
import { ServiceError } from "../../platform/service-error.ts";
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
import type { QueryPlace } from "./source-plans.ts";

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

/** A question for a page of search queries. */
export interface QueriesQuestion {
  readonly selection: Selection;
  /** In lower case; null: the brand. */
  readonly entityIds: readonly string[] | null;
  readonly limit: number;
  /** Null: from the first. */
  readonly after: QueryPlace | null;
}

/**
 * The question that a valid request asks.
 * @throws ServiceError invalid_request when the cursor is not one of this service.
 */
export function queriesQuestion(request: SearchQueriesRequest): QueriesQuestion {
  const { entityIds, limit, cursor } = request;
  return Object.freeze({
    selection: selectionOf(request),
    entityIds: distinct(entityIds?.map((id) => id.toLowerCase())),
    limit,
    after: cursor === undefined ? null : placeOf(cursor),
  });
}

/** The cursor of the page after a query. */
export function cursorAfter({ answers, key }: QueryPlace): string {
  return Buffer.from(`${answers} ${key}`).toString("base64url");
}

function placeOf(cursor: string): QueryPlace {
  const text = Buffer.from(cursor, "base64url").toString();
  const [, answers, key] = /^([1-9]\d{0,14}) ([\w-]{16})$/.exec(text) ?? [];
  const place = key === undefined ? null : { answers: Number(answers), key };
  if (place !== null && cursorAfter(place) === cursor) return place;
  throw noCursor();
}

function noCursor(): ServiceError {
  const message = "is not a cursor of this service.";
  const error: FieldError = { path: "/cursor", code: "wrong_format", message };
  return new ServiceError("invalid_request", `/cursor: ${message}`, { errors: [error] });
}

/** A question for a page of names that nobody tracks. */
export interface NamesQuestion {
  readonly selection: Selection;
  readonly limit: number;
  /** The last name of the page before, and its place; null: from the first. */
  readonly after: NameCursor | null;
}

interface NameCursor {
  readonly place: number;
  readonly number: number;
}

/** The question that a valid request asks. @throws as queriesQuestion. */
export function namesQuestion(request: UntrackedNamesRequest): NamesQuestion {
  const { limit, cursor } = request;
  const after = cursor === undefined ? null : nameCursorOf(cursor);
  return Object.freeze({ selection: selectionOf(request), limit, after });
}

/** The cursor of the page after a name. */
export function cursorAfterName({ place, number }: NameCursor): string {
  return Buffer.from(`${place} ${number}`).toString("base64url");
}

function nameCursorOf(cursor: string): NameCursor {
  const text = Buffer.from(cursor, "base64url").toString();
  const [, place, number] = /^([1-9]\d{0,5}) (\d{1,16})$/.exec(text) ?? [];
  const after = { place: Number(place), number: Number(number) };
  if (place !== undefined && cursorAfterName(after) === cursor) return after;
  throw noCursor();
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
