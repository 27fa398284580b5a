import { z } from "zod";
import type { StandInRequest } from "./vendor-stand-in.ts";

/** Where a request may name itself, by vendor: OpenAI and Anthropic, Cloro; and DataForSEO. */
const named = z.looseObject({
  metadata: z.record(z.string(), z.unknown()).optional().catch(undefined),
  idempotencyKey: z.string().optional().catch(undefined),
});
const tagged = z.tuple([z.looseObject({ tag: z.string() })]);
const fields = ["idempotency-key", "x-client-request-id", "x-request-id"];

/** What a request names itself by, such as a job's id; null: nothing. */
export function referenceOf({ body, headers }: StandInRequest): string | null {
  const { metadata, idempotencyKey } = named.safeParse(body).data ?? {};
  const [task] = tagged.safeParse(body).data ?? [];
  const [ofMetadata] = Object.values(metadata ?? {}).filter((value) => typeof value === "string");
  const ofHeaders = fields.map((name) => headers[name]).find((value) => value !== undefined);
  return idempotencyKey ?? task?.tag ?? ofMetadata ?? ofHeaders ?? null;
}
