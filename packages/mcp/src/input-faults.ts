import { type FieldError, fieldErrors, nearestName, quoted } from "@sightline/contract";
import { z } from "zod";

/** The argument that holds the filters. */
const filtersName = "filters";

/** The faults of a tool's arguments, in sentences that say what to do. */
export function inputFaults(schema: z.ZodObject, error: z.ZodError): string {
  const faults = fieldErrors(error).map((fault) => {
    if (fault.code === "unknown_field") {
      const misplaced = misplacedField(schema, fault);
      if (misplaced !== null) return misplaced;
    }
    return fault.path === "" ? fault.message : `${fault.path}: ${fault.message}`;
  });
  return faults.join(" ");
}

/** Where a field belongs that is beside the filters instead of in them, or the reverse. */
function misplacedField(schema: z.ZodObject, { path }: FieldError): string | null {
  const [, outer = "", inner] = path.split("/");
  const fields = Object.keys(schema.shape);
  const filters = filtersOf(schema);
  if (inner !== undefined) {
    if (outer !== filtersName || !fields.includes(inner)) return null;
    return `${path}: ${quoted(inner)} belongs next to \`filters\`, not in it.`;
  }
  const isNearField = nearestName(outer, fields) !== null;
  const filter = filters.includes(outer) || isNearField ? outer : nearestName(outer, filters);
  if (filter === null || !filters.includes(filter)) return null;
  const example = `{"${filtersName}":{"${filter}":…}}`;
  return `${path}: ${quoted(outer)} belongs in \`filters\`: send ${example}.`;
}

function filtersOf({ shape }: z.ZodObject): readonly string[] {
  const field: unknown = shape[filtersName];
  const filters = field instanceof z.ZodOptional ? field.unwrap() : field;
  return filters instanceof z.ZodObject ? Object.keys(filters.shape) : [];
}
