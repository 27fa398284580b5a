import { type ExchangeRoute, jsonReply } from "../../../http/route.ts";
import { ServiceError } from "../../../platform/service-error.ts";
import { bearerToken } from "../../bearer.ts";
import { knownKey } from "../../known-key.ts";

/** POST /v1/auth/accesskey/exchange (interface, operation 6). */
export const exchangeRoute: ExchangeRoute = {
  access: "key",
  method: "POST",
  path: "/v1/auth/accesskey/exchange",
  reply: async (services, { authorization, address }) => {
    const { keyRing, sessions, config, metrics } = services;
    const credential = bearerToken(authorization);
    // A request without a key is not a guess: any web page can make its reader's browser send that.
    if (!credential) {
      metrics.failedExchanges.inc();
      throw keyInvalid(credential === null);
    }
    const key = withoutIssuer(credential, config.issuer);
    const known = await knownKey(services, address, () => keyRing.verify(key));
    if (known === null) throw keyInvalid(false);
    const sessionJwt = await sessions.issue(known.record);
    const reply = jsonReply({ keyId: known.record.id, sessionJwt });
    return { ...reply, headers: { ...known.limitFields, "Cache-Control": "no-store" } };
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
