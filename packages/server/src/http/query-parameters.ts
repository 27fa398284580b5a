import { type FieldErrorCode, quoted } from "@sightline/contract";
import { ServiceError } from "../platform/service-error.ts";

/** As it was parsed. */
type Query = Readonly<Record<string, unknown>>;

/** The parameters of a call by name. @throws ServiceError when one is unknown, or there twice. */
export function parametersOf<Name extends string>(
  query: Query,
  known: readonly Name[],
): Readonly<Partial<Record<Name, string>>> {
  const names: readonly string[] = known;
  for (const [name, value] of Object.entries(query)) {
    if (!names.includes(name)) {
      const message = `${quoted(name)} is not a known query parameter. Known: ${known.join(", ")}.`;
      throw refusedParameter("", "unknown_field", message);
    }
    if (typeof value !== "string")
      throw refusedParameter(name, "wrong_type", "must be there once.");
  }
  return query as Readonly<Partial<Record<Name, string>>>;
}

/** How many items a page has; omitted: as many as it may. @throws ServiceError. */
export function pageSizeOf(text: string | undefined, most: number): number {
  if (text === undefined) return most;
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= most) return limit;
  const message = `must be between 1 and ${most}, got ${quoted(text)}.`;
  throw refusedParameter("limit", limit === 0 ? "too_small" : "too_large", message);
}

/** The refusal of a cursor that no page of this list has given. */
export function refusedCursor(): ServiceError {
  const fault = "is not a cursor of this list. Leave it out to begin with the first page.";
  return refusedParameter("cursor", "wrong_format", fault);
}

/** The refusal of a query parameter; without a name, of the query. */
export function refusedParameter(
  name: string,
  code: FieldErrorCode,
  message: string,
): ServiceError {
  const full = name === "" ? message : `The query parameter ${name} ${message}`;
  const errors = [{ path: "", code, message: full }] as const;
  return new ServiceError("invalid_request", full, { errors });
}
