import { z } from "zod";
import { strictObject } from "./strict-object.ts";

/** Reply of operation 6 (interface 2.6). */
export const sessionExchangeResponseSchema = strictObject({
  keyId: z.string().describe("Identifier of the static key; may be logged."),
  sessionJwt: z.string().describe("The session token, a JWT. A secret; it ends at its `exp`."),
});

/** Reply of operation 6. */
export type SessionExchangeResponse = Readonly<z.infer<typeof sessionExchangeResponseSchema>>;
