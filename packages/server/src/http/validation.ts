import { fieldErrors } from "@sightline/contract";
import type { ZodType } from "zod";
import { ServiceError } from "../platform/service-error.ts";

/**
 * The body as its schema describes it.
 * @throws ServiceError invalid_request with every fault, up to the contract's most.
 */
export function validated<Body>(schema: ZodType<Body>, body: unknown): Body {
  const parsed = schema.safeParse(body, { reportInput: true });
  if (parsed.success) return parsed.data;
  const errors = fieldErrors(parsed.error);
  const detail = errors.map(({ path, message }) => `${path || "/"}: ${message}`).join(" ");
  throw new ServiceError("invalid_request", detail, { errors });
}
