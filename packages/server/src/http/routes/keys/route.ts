import { type KeysResponse, keysPath, listedKeysMax } from "@sightline/contract";
import { jsonReply, type OperationRoute } from "../../route.ts";
import { listedKey } from "./listed-key.ts";

/** GET /v1/keys, an addition to the interface: the keys of the caller's account. */
export const keysRoute: OperationRoute = {
  access: "operation",
  scope: "manage",
  method: "GET",
  path: keysPath,
  reply: async ({ control }, { caller }) => {
    const keys = await control.latestKeys(caller.accountId, listedKeysMax);
    return jsonReply({ keys: keys.map(listedKey) } satisfies KeysResponse);
  },
};
