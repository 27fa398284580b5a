import type { EvidenceRole, InsightsSummaryResponse } from "@sightline/client";
import { countOf, countText, intervalText, percentText, valueText } from "../../data/format.ts";

type Group = InsightsSummaryResponse["groups"][number];
type Value = Group["informative"];

/** What the drawer says of a number, in parts. */
export interface Sentence {
  readonly text: string;
  /** What else is known of the same answers; null: nothing. */
  readonly more: string | null;
}

interface SentenceOptions {
  /** Undefined: no answer passes the filters. */
  readonly group: Group | undefined;
  readonly role: EvidenceRole;
  /** Null: any tracked entity. */
  readonly entityId: string | null;
  /** The domain or page that the answers cite, and how many do; null or left out: any, or none. */
  readonly citing?: { readonly source: string; readonly total: number } | null;
  /** Of the ways in which an entity is named and cited: the share, which no summary has. */
  readonly share?: Value | undefined;
}

const wayWords = {
  both: "mentioned and cited",
  mentionedOnly: "mentioned and not cited",
  citedOnly: "cited and not mentioned",
} as const;

type CountedRole = Exclude<EvidenceRole, "any" | "notVisible" | keyof typeof wayWords>;

/** The value whose numerator counts the answers of a role. */
function countedValue(entity: Group["entities"][number], role: CountedRole): Value | undefined {
  switch (role) {
    case "mentioned":
      return entity.mentions;
    case "cited":
      return entity.citations;
    case "visible":
      return entity.visibility;
    default:
      return entity.portrayal?.[role];
  }
}

/** What an entity was, in words. */
function wasText(role: EvidenceRole): string {
  if (isPresenceWay(role)) return wayWords[role];
  switch (role) {
    case "notVisible":
      return "not visible";
    case "notFound":
      return "not found";
    case "discouraged":
      return "advised against";
    default:
      return role;
  }
}

/** "Tarnfell was mentioned in 182 of 412 answers (44.2 %, 38–51 %)." */
export function sentenceOf({ group, role, entityId, citing, share }: SentenceOptions): Sentence {
  if (group === undefined) return { text: "No answer passes the filters.", more: null };
  const { answers, informative, entities } = group;
  const entity = entities.find(({ id }) => id === entityId);
  if (entity === undefined && entityId !== null && role !== "any") {
    return { text: "The entity is no longer tracked: it counts in no answer.", more: null };
  }
  if (citing != null) {
    const { source, total } = citing;
    const verb = total === 1 ? "cites" : "cite";
    const counted = `${countOf(total, "answer")} that ${verb} ${source}`;
    return {
      text:
        entity === undefined || role === "any"
          ? `${counted}.`
          : `${entity.name} was ${wasText(role)} in ${counted}.`,
      more: null,
    };
  }
  if (role === "any" || (entity === undefined && role !== "mentioned")) {
    const verb = answers === 1 ? "passes" : "pass";
    return { text: `${countOf(answers, "answer")} ${verb} the filters.`, more: null };
  }
  if (entity === undefined) {
    return { text: `A tracked entity was mentioned in ${shareText(informative)}.`, more: null };
  }
  if (role === "notVisible") {
    const missed = complementOf(entity.visibility);
    return { text: `${entity.name} was not visible in ${shareText(missed)}.`, more: null };
  }
  if (isPresenceWay(role)) {
    const hits = share === undefined ? countOf(answers, "answer") : shareText(share);
    return { text: `${entity.name} was ${wayWords[role]} in ${hits}.`, more: null };
  }
  const value = countedValue(entity, role);
  if (value === undefined) return { text: `${entity.name} was ${wasText(role)}.`, more: null };
  const { rank } = entity;
  const bounds = intervalText("rank", rank.interval);
  return {
    text: `${entity.name} was ${wasText(role)} in ${shareText(value)}.`,
    more:
      role !== "mentioned" || rank.value === null
        ? null
        : `Its mean rank there, its place in the order of first mention, is ` +
          `${valueText("rank", rank.value)}${bounds === null ? "" : ` (${bounds})`}.`,
  };
}

/** Whether a role is one of the ways in which an answer names and cites an entity. */
export function isPresenceWay(role: EvidenceRole): role is keyof typeof wayWords {
  return Object.hasOwn(wayWords, role);
}

/** The answers that do not count for a rate, with the same certainty. */
function complementOf({ value, numerator, interval, ...rest }: Value): Value {
  return {
    ...rest,
    value: value === null ? null : 1 - value,
    numerator: rest.denominator - numerator,
    interval: interval === null ? null : { low: 1 - interval.high, high: 1 - interval.low },
  };
}

function shareText({ value, numerator, denominator, interval }: Value): string {
  const bounds = intervalText("mentions", interval);
  const share = [percentText(value), bounds].filter((each) => each !== null).join(", ");
  return `${countText(numerator)} of ${countOf(denominator, "answer")} (${share})`;
}

/** How many answers of a group have a role; the list of evidence has as many. */
export function hitsOf({ entities, answers, informative }: Group, options: SentenceOptions) {
  const { role, entityId } = options;
  const entity = entities.find(({ id }) => id === entityId);
  if (role === "any") return answers;
  if (entity === undefined) {
    return role === "mentioned" && entityId === null ? informative.numerator : null;
  }
  // An answer that shows an entity mentions it, cites it, or both.
  const { mentions, citations, visibility } = entity;
  if (role === "notVisible") return answers - visibility.numerator;
  if (role === "both") return mentions.numerator + citations.numerator - visibility.numerator;
  if (role === "mentionedOnly") return visibility.numerator - citations.numerator;
  if (role === "citedOnly") return visibility.numerator - mentions.numerator;
  return countedValue(entity, role)?.numerator ?? null;
}
