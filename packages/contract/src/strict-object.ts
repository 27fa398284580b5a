import { z } from "zod";

/**
 * An object that rejects unknown fields: a mistyped filter must not be ignored. The issue's message
 * is the space-separated list of known names, from which fieldErrors suggests the nearest.
 */
export function strictObject<Shape extends z.ZodRawShape>(shape: Shape) {
  const known = Object.keys(shape).join(" ");
  return z.strictObject(shape, {
    error: (issue) => (issue.code === "unrecognized_keys" ? known : undefined),
  });
}
