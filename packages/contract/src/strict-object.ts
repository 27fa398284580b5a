import { z } from "zod";

/**
 * An object that refuses unknown fields. The refusal's message lists the known names, apart by
 * spaces, from which fieldErrors takes the nearest: a mistyped filter must not be ignored.
 */
export function strictObject<Shape extends z.ZodRawShape>(shape: Shape) {
  const known = Object.keys(shape).join(" ");
  return z.strictObject(shape, {
    error: (issue) => (issue.code === "unrecognized_keys" ? known : undefined),
  });
}
