import { type FieldError, quoted } from "@sightline/contract";

/** Fields whose place asks for an object, and the name of the text that people write instead. */
const objects: readonly (readonly [place: RegExp, field: string])[] = [
  [/^\/(account|brand|competitors\/\d+|topics\/\d+)$/, "name"],
  [/^\/prompts\/\d+$/, "text"],
];
const lists = /^\/(competitors|topics|prompts|(brand|competitors\/\d+)\/(aliases|domains))$/;
const flags = /\/(caseSensitive|branded|paused)$/;
const meaningTrue = /^(yes|y|on|true)$/i;
const meaningFalse = /^(no|n|off|false)$/i;

/**
 * The same fault with advice on what to write, where a text stands in place of an object, a list or
 * a boolean; null when there is no better advice.
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
  const field = objects.find(([place]) => place.test(path))?.[1];
  if (field !== undefined) {
    return { wrong: `must be an object, got ${shown}.`, write: `{ ${field}: ${shown} }` };
  }
  if (lists.test(path)) return { wrong: `must be a list, got ${shown}.`, write: `[${shown}]` };
  if (!flags.test(path)) return null;
  const wrong = `must be true or false, got the text ${shown}.`;
  if (meaningTrue.test(value)) return { wrong, write: "true" };
  return meaningFalse.test(value) ? { wrong, write: "false" } : null;
}

function valueAt(file: unknown, pointer: string): unknown {
  let value = file;
  for (const segment of pointer.split("/").slice(1)) {
    if (typeof value !== "object" || value === null) return undefined;
    const name = segment.replaceAll("~1", "/").replaceAll("~0", "~");
    value = Object.getOwnPropertyDescriptor(value, name)?.value;
  }
  return value;
}
