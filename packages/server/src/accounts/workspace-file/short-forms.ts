import type { FieldError } from "@sightline/contract";
import { z } from "zod";
import { valueAt } from "./value-at.ts";

/** A text stands for the object that has it as its name or text, and nothing else. */
export function orText<Schema extends z.ZodType>(field: "name" | "text", schema: Schema) {
  return z.preprocess((value) => (typeof value === "string" ? { [field]: value } : value), schema);
}

/** A fault within a short form is the fault of the text that stands in the file. */
export function inShortForm(error: FieldError, file: unknown): FieldError {
  const path = error.path.replace(/\/(name|text)$/, "");
  return path !== error.path && typeof valueAt(file, path) === "string"
    ? { ...error, path }
    : error;
}
