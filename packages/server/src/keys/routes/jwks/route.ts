import { jsonReply, type OpenRoute } from "../../../http/route.ts";

/** GET /.well-known/jwks.json: the public keys that check session tokens (RFC 7517). */
export const jwksRoute: OpenRoute = {
  access: "open",
  method: "GET",
  path: "/.well-known/jwks.json",
  reply: async ({ signingKeys }) => jsonReply(signingKeys.jwks),
};
