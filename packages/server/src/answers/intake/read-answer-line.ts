import { isUtf8 } from "node:buffer";
import { type FieldError, fieldErrors, instantOf } from "@sightline/contract";
import type { Answer } from "../answer.ts";
import { derivedAnswerId } from "../answer-id.ts";
import { answerLineSchema } from "./answer-schema.ts";

/** Why a line was not recorded. */
export interface Rejection {
  readonly reason: string;
  readonly errors: readonly FieldError[];
}

/** What a line is read against. */
export interface LineContext {
  readonly accountId: string;
  /** Every prompt that the account ever declared, in lower case. */
  readonly promptIds: ReadonlySet<string>;
}

/** A line's answer, or why it is none. */
export type LineReading = { readonly answer: Answer } | { readonly rejection: Rejection };

/** Reads one line of NDJSON. Never throws. */
export function readAnswerLine(line: Buffer, { accountId, promptIds }: LineContext): LineReading {
  if (!isUtf8(line)) return rejected("The line is not UTF-8.");
  let value: unknown;
  try {
    value = JSON.parse(line.toString("utf8"));
  } catch (error) {
    return rejected(`The line is not JSON: ${error instanceof Error ? error.message : error}`);
  }
  const parsed = answerLineSchema.safeParse(value, { reportInput: true });
  if (!parsed.success) return rejected(undefined, fieldErrors(parsed.error));
  if (!promptIds.has(parsed.data.promptId)) {
    const message =
      `got ${parsed.data.promptId}; ` +
      "allowed is a prompt of the account's workspace. Apply it first.";
    return rejected(undefined, [{ path: "/promptId", code: "not_allowed", message }]);
  }
  return { answer: toAnswer(accountId, parsed.data) };
}

function rejected(reason: string | undefined, errors: readonly FieldError[] = []): LineReading {
  const said = errors.map(({ path, message }) => `${path || "/"}: ${message}`).join(" ");
  return { rejection: { reason: reason ?? said, errors } };
}

type AnswerLine = ReturnType<typeof answerLineSchema.parse>;

function toAnswer(accountId: string, line: AnswerLine): Answer {
  const origin = {
    promptId: line.promptId,
    provider: line.provider,
    region: line.region ?? null,
    answeredAt: instantOf(line.answeredAt) ?? Number.NaN, // the schema has seen that it is one
    sample: line.sample ?? 0,
  };
  return {
    id: line.id ?? derivedAnswerId(accountId, origin),
    ...origin,
    outcome: line.outcome ?? "answered",
    text: line.text ?? "",
    citations: (line.citations ?? []).map(({ url, title, cited }) => ({
      url,
      title: title ?? null,
      cited: cited ?? true,
    })),
    model: line.model ?? null,
    surface: line.surface ?? null,
    metadata: line.metadata ?? null,
  };
}
