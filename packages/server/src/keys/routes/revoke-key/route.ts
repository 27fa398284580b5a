import { keysPath, quoted } from "@sightline/contract";
import { jsonReply, type OperationRoute } from "../../../http/route.ts";
import { ServiceError } from "../../../platform/service-error.ts";
import { keyListing } from "../keys/listed-key.ts";

/** DELETE /v1/keys/{keyId}, an addition to the interface: revokes a key, and ends its sessions. */
export const revokeKeyRoute: OperationRoute = {
  access: "operation",
  scope: "manage",
  method: "DELETE",
  path: `${keysPath}/:keyId`,
  reply: async (services, { caller, parameters }) => {
    const { control, keyRing } = services;
    const { keyId = "" } = parameters;
    const key = await control.key(keyId);
    // A key never changes its account. A foreign one gets the reply of an unknown one.
    const revoked = key?.accountId === caller.accountId ? await keyRing.revoke(keyId) : null;
    if (revoked !== null) {
      return jsonReply((await keyListing(services, caller.accountId))(revoked));
    }
    throw new ServiceError("not_found", `No key of this account has the id ${quoted(keyId)}.`);
  },
};
