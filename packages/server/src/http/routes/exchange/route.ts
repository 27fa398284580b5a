import { bearerToken } from "../../../auth/bearer.ts";
import { ServiceError } from "../../../platform/service-error.ts";
import { type ExchangeRoute, jsonReply } from "../../route.ts";

/** POST /v1/auth/accesskey/exchange (interface, operation 6). */
export const exchangeRoute: ExchangeRoute = {
  access: "key",
  method: "POST",
  path: "/v1/auth/accesskey/exchange",
  reply: async (services, { authorization, address }) => {
    const { keyRing, sessions, control, config, limits, logger, metrics } = services;
    const failed = (nothingSent: boolean) => {
      metrics.failedExchanges.inc();
      return keyInvalid(nothingSent);
    };
    const credential = bearerToken(authorization);
    // A request without a key is not a guess: any web page can make its reader's browser send that.
    if (!credential) throw failed(credential === null);
    const key = withoutIssuer(credential, config.issuer);
    const record = await limits.guesses.lookUp(address, () => keyRing.verify(key));
    if (record === null) throw failed(false);
    const limitFields = await limits.take(record);
    const sessionJwt = await sessions.issue(record);
    await control.touchKey(record.id).catch((error: unknown) => {
      // A full disk must not keep anybody out for a note of when the key was used.
      logger.warn({ keyId: record.id, error: String(error) }, "last use was not noted");
    });
    const reply = jsonReply({ keyId: record.id, sessionJwt });
    return { ...reply, headers: { ...limitFields, "Cache-Control": "no-store" } };
  },
};

/** Some clients send `<issuer>:<key>`. */
function withoutIssuer(credential: string, issuer: string): string {
  const prefix = `${issuer}:`;
  return credential.startsWith(prefix) ? credential.slice(prefix.length) : credential;
}

/** One body for the unknown, the revoked, the expired and the malformed. */
function keyInvalid(nothingSent: boolean): ServiceError {
  return new ServiceError(
    "key_invalid",
    "Send a valid API key as `Authorization: Bearer <key>`. `sightline keys create` makes one.",
    {
      headers: { "WWW-Authenticate": nothingSent ? "Bearer" : 'Bearer error="invalid_token"' },
    },
  );
}
