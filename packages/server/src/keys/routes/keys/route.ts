import { type KeysResponse, keysPath, listedKeysMax } from "@sightline/contract";
import { jsonReply, type OperationRoute } from "../../../http/route.ts";
import { keyListing } from "./listed-key.ts";

/** GET /v1/keys, an addition to the interface: the keys of the caller's account. */
export const keysRoute: OperationRoute = {
  access: "operation",
  scope: "manage",
  method: "GET",
  path: keysPath,
  reply: async (services, { caller: { accountId } }) => {
    const keys = await services.control.latestKeys(accountId, listedKeysMax);
    const listed = await keyListing(services, accountId);
    return jsonReply({ keys: keys.map(listed) } satisfies KeysResponse);
  },
};
