import { jsonReply, type OpenRoute } from "../../../http/route.ts";
import { ServiceError } from "../../../platform/service-error.ts";

/** GET /v2/keys/<issuer>: the key set at the address where Descope's clients look for it. */
export const descopeKeysRoute: OpenRoute = {
  access: "open",
  method: "GET",
  path: "/v2/keys/:issuer",
  reply: async ({ signingKeys, config }, { issuer }) => {
    if (issuer === config.issuer) return jsonReply(signingKeys.jwks);
    throw new ServiceError("not_found", "Unknown issuer.");
  },
};
