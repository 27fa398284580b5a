import { type EvidenceRole, isPortrayalFlag, type PortrayalFlag } from "@sightline/contract";
import { dayOf } from "./buckets.ts";
import {
  appearanceRollups,
  type Codes,
  countsOf,
  type Measure,
  noRollup,
  type RollupChoice,
  type RowSelection,
  rowsOf,
} from "./plan.ts";
import type { CitedSource, Selection } from "./question.ts";

/** Where an answer stands in a list: newest first, then the one recorded last. */
export interface AnswerPlace {
  /** Its place in the record. */
  readonly sequence: number;
  /** Milliseconds since 1970. */
  readonly answeredAtMs: number;
}

/** A question for a page of the answers behind a value. */
export interface EvidenceQuestion {
  readonly selection: Selection;
  /** In lower case; null: any entity. */
  readonly entityId: string | null;
  readonly role: EvidenceRole;
  /** What the answers cite; null: whatever they cite. */
  readonly cites: CitedSource | null;
  readonly limit: number;
  /** Only answers after it; null: from the first. */
  readonly after: AnswerPlace | null;
}

/** What an entity may be in an answer. */
export type AppearanceMeasure = Extract<Measure, "mentioned" | "cited" | "visible">;

/** The same, and how both go together. */
export type ShownAs = AppearanceMeasure | "both" | "mentionedOnly" | "citedOnly";

/**
 * Which answers are listed: those in which an entity (0: the answer itself) is what the measure
 * says, or that say of it what the flag says (0: of any entity); those in which any entity is, or
 * none; those in which an entity is not visible.
 */
export type Listed =
  | {
      readonly kind: "entity";
      readonly entity: number;
      readonly measure: ShownAs | PortrayalFlag;
    }
  | { readonly kind: "any-entity"; readonly measure: ShownAs; readonly is: boolean }
  | { readonly kind: "without"; readonly entity: number };

/** How a page of answers is found in the facts: the answers of each day are counted first. */
export interface PlacesPlan {
  readonly choice: RollupChoice;
  /** Where they are counted. */
  readonly counted: RowSelection;
  /** Where they are listed. */
  readonly rows: RowSelection;
  readonly listed: Listed;
  /** What the answers cite; null: whatever they cite. */
  readonly cites: CitedSource | null;
  readonly limit: number;
  readonly after: AnswerPlace | null;
}

/** How many answers of a list a day has. */
interface DayCount {
  readonly day: number;
  readonly answers: number;
}

/** The days that a page's answers lie in: [first, end). */
export interface PageDays {
  readonly first: number;
  readonly end: number;
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
  const { selection, entityId, role, cites, limit, after } = question;
  const rows = rowsOf(selection, "appearances", codes);
  // As anywhere, an id that the account does not have matches no answer.
  const entity = entityId === null ? null : entityIds.indexOf(entityId) + 1;
  if (rows === null || entity === 0) return null;
  const listed = listedBy(role, entity);
  // No rollup of appearances knows what is cited, or what is said of an entity.
  const ofFlag = isPortrayalFlag(role) ? "filter_by_portrayal" : null;
  const lost = cites === null ? ofFlag : "filter_by_source";
  const { choice, rows: counted } =
    lost === null ? countsOf(selection, rows) : { choice: noRollup(appearanceRollups, lost), rows };
  return { choice, counted, rows, listed, cites, limit: limit + 1, after };
}

/**
 * Where a page's answers lie, and how many there are on all pages. Those of the cursor's day that
 * come after it are not counted by themselves, so it has that day, and as many answers before.
 * @param counts in any order; days without answers may be missing.
 */
export function pageOf(
  { limit, after }: Pick<PlacesPlan, "limit" | "after">,
  counts: readonly DayCount[],
): { readonly total: number; readonly days: PageDays | null } {
  const total = counts.reduce((sum, { answers }) => sum + answers, 0);
  const last = after === null ? Number.POSITIVE_INFINITY : dayOf(after.answeredAtMs);
  const days = counts
    .filter(({ day, answers }) => day <= last && answers > 0)
    .toSorted((a, b) => b.day - a.day);
  const [newest] = days;
  if (newest === undefined) return { total, days: null };
  let [first, wanted] = [newest.day, limit];
  for (const { day, answers } of days) {
    if (wanted <= 0) break;
    first = day;
    if (day < last) wanted -= answers;
  }
  return { total, days: { first, end: newest.day + 1 } };
}

function listedBy(role: EvidenceQuestion["role"], entity: number | null): Listed {
  switch (role) {
    case "any":
      return { kind: "entity", entity: 0, measure: "mentioned" };
    case "notVisible":
      return entity === null
        ? { kind: "any-entity", measure: "visible", is: false }
        : { kind: "without", entity };
    case "mentioned":
    case "cited":
    case "visible":
    case "both":
    case "mentionedOnly":
    case "citedOnly":
      return entity === null
        ? { kind: "any-entity", measure: role, is: true }
        : { kind: "entity", entity, measure: role };
    case "recommended":
    case "praised":
    case "criticized":
    case "discouraged":
    case "notFound":
      return { kind: "entity", entity: entity ?? 0, measure: role };
  }
}

/** Which answers may be drawn: those of which an entity is read, or all (entity 0). */
export interface DrawablePlan {
  readonly rows: RowSelection;
  readonly entity: number;
}

/** How many answers to a prompt may be drawn. */
export interface DrawableAnswers {
  readonly prompt: number;
  readonly answers: number;
}

/** Which of them are drawn: of each of some prompts the first in a random order. */
export interface DrawPlan extends DrawablePlan {
  readonly prompts: readonly number[];
  /** The most answers of a prompt. */
  readonly each: number;
  readonly seed: number;
}

/** An answer that is drawn: its place in the record, and its place among those of its prompt. */
export interface DrawnAnswer {
  readonly prompt: number;
  readonly round: number;
  readonly sequence: number;
}

/** The plan of what may be drawn; null when no answer can pass. */
export function planDrawable(
  selection: Selection,
  entity: number,
  codes: Codes,
): DrawablePlan | null {
  const rows = rowsOf(selection, "appearances", codes);
  return rows && { rows, entity };
}
