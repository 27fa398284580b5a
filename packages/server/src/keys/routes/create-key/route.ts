import { type CreatedKeyResponse, keyRequestSchema, keysPath } from "@sightline/contract";
import { jsonReply, type OperationRoute } from "../../../http/route.ts";
import { validated } from "../../../http/validation.ts";
import { keyListing } from "../keys/listed-key.ts";
import { keyProperties, refuseManyKeys } from "./key-properties.ts";

/** POST /v1/keys, an addition to the interface: creates a key, which only the reply shows. */
export const createKeyRoute: OperationRoute = {
  access: "operation",
  scope: "manage",
  method: "POST",
  path: keysPath,
  reply: async (services, { caller, body }) => {
    const { control, keyRing, limits, clock } = services;
    const request = validated(keyRequestSchema, body);
    const giver = { scopes: caller.scopes, own: caller, limits: limits.of(caller) };
    const properties = keyProperties(request, giver, clock.now());
    refuseManyKeys(await control.countValidKeys(caller.accountId));
    const { key, record } = await keyRing.create(caller.accountId, properties);
    const listed = await keyListing(services, caller.accountId);
    return jsonReply({ ...listed(record), key } satisfies CreatedKeyResponse);
  },
};
