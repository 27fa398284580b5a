import { z } from "zod";
import type { DeclaredOperations } from "./operation.ts";
import { components } from "./schema-marks.ts";
import { strictObject } from "./strict-object.ts";

/** Reply of operation 6 (interface 2.6). */
export const sessionExchangeResponseSchema = strictObject({
  keyId: z.string().describe("Identifier of the static key; may be logged."),
  sessionJwt: z.string().describe("The session token, a JWT. A secret; it ends at its `exp`."),
}).register(components, { id: "SessionExchangeResponseDto" });

/** Reply of operation 6. */
export type SessionExchangeResponse = Readonly<z.infer<typeof sessionExchangeResponseSchema>>;

/** The operation that starts a session. */
export const sessionOperations = {
  exchangeAccessKey: {
    tag: "Sessions",
    summary: "Exchange a key",
    description:
      "Exchanges a static key for a session token. Send the static key as the Bearer token, and " +
      "no body. Reuse the session.",
    scope: null,
    isPublished: true,
    method: "POST",
    path: "/v1/auth/accesskey/exchange",
    reply: { schema: sessionExchangeResponseSchema, description: "The session." },
    errors: ["key_invalid", "rate_limited", "internal_error"],
  },
} as const satisfies DeclaredOperations;
