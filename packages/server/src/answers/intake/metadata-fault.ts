import { type FieldError, jsonPointer } from "@sightline/contract";

/**
 * The first part of a line's metadata that the record could not store as sent: a name that
 * JavaScript treats as an object's prototype, or a number that a double cannot represent exactly.
 * Such a line would be stored incompletely, and be a duplicate of a different line. Null when all
 * of it can be stored. The metadata must be within the bounds of a line.
 */
export function metadataFault(metadata: unknown, path: readonly string[]): FieldError | null {
  if (typeof metadata === "number") return numberFault(metadata, path);
  if (typeof metadata !== "object" || metadata === null) return null;
  for (const [name, value] of Object.entries(metadata)) {
    if (name === "__proto__") return nameFault(path);
    const fault = metadataFault(value, [...path, name]);
    if (fault !== null) return fault;
  }
  return null;
}

function nameFault(path: readonly string[]): FieldError {
  const message = 'The name "__proto__" cannot be kept. Rename it.';
  return { path: jsonPointer(path), code: "not_allowed", message };
}

/** An integer beyond 2^53 may differ from the one that was sent. */
function numberFault(value: number, path: readonly string[]): FieldError | null {
  if (Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))) {
    return null;
  }
  const message =
    `An integer must be between -${Number.MAX_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}. ` +
    "Write a larger number as text.";
  return { path: jsonPointer(path), code: "too_large", message };
}
