import { type FieldError, quoted } from "@sightline/contract";
import { valueAt } from "./value-at.ts";

const lists = /^\/(competitors|topics|prompts|(brand|competitors\/\d+)\/(aliases|domains|except))$/;
const flags = /\/(caseSensitive|branded|paused)$/;
const meaningTrue = /^(yes|y|on|true)$/i;
const meaningFalse = /^(no|n|off|false)$/i;

/**
 * The same fault with advice on what to write, where a text stands in place of a list or a boolean;
 * null when there is no better advice.
 */
export function shapeAdvice(error: FieldError, file: unknown): FieldError | null {
  if (error.code !== "wrong_type") return null;
  const value = valueAt(file, error.path);
  if (typeof value !== "string") return null;
  const advice = adviceFor(error.path, value);
  return advice === null ? null : { ...error, message: `${advice.wrong} Write ${advice.write}` };
}

function adviceFor(path: string, value: string) {
  const shown = quoted(value);
  if (lists.test(path)) return { wrong: `must be a list, got ${shown}.`, write: `[${shown}]` };
  if (!flags.test(path)) return null;
  const wrong = `must be true or false, got the text ${shown}.`;
  if (meaningTrue.test(value)) return { wrong, write: "true" };
  return meaningFalse.test(value) ? { wrong, write: "false" } : null;
}
