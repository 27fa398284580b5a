import { type FieldError, quoted } from "@sightline/contract";
import type { AnswerLine } from "./answer-schema.ts";
import { metadataFault } from "./metadata-fault.ts";

/** Clocks differ, and a date may mean the end of the day; anything later is a mistake. */
const aheadMsMax = 24 * 60 * 60 * 1_000;

/** What a line is validated against in addition to its fields. */
export interface LineFacts {
  /** As parsed from JSON: the schema's copy lacks what cannot be stored. */
  readonly metadata: unknown;
  /** Milliseconds since 1970, as `now` is. */
  readonly answeredAt: number;
  readonly now: number;
}

/** The faults of a line whose fields are individually valid. */
export function lineFaults(line: AnswerLine, facts: LineFacts): FieldError[] {
  const faults = [
    textFault(line),
    instantFault(line, facts),
    metadataFault(facts.metadata, ["metadata"]),
  ];
  return faults.filter((fault) => fault !== null);
}

function textFault({ outcome, text }: AnswerLine): FieldError | null {
  if ((outcome ?? "answered") !== "answered") return null;
  if (text === undefined || text === null) {
    const message = "is required, unless the outcome is absent, failed or refused.";
    return { path: "/text", code: "missing", message };
  }
  if (/\p{L}/u.test(text)) return null;
  const message =
    `must contain a letter, got ${quoted(text)}. ` +
    'If there was no answer, set "outcome": "absent".';
  return { path: "/text", code: "wrong_format", message };
}

function instantFault(line: AnswerLine, { answeredAt, now }: LineFacts): FieldError | null {
  if (answeredAt <= now + aheadMsMax) return null;
  const message =
    `must be at most one day ahead of this machine's clock, got ${quoted(line.answeredAt)}; ` +
    `the clock says ${new Date(now).toISOString()}.`;
  return { path: "/answeredAt", code: "too_large", message };
}
