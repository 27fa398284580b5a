import { collectionsPath } from "@sightline/contract";
import { unlessFailed } from "../../../http/refused-work.ts";
import { jsonReply, type OperationRoute } from "../../../http/route.ts";

const refused = { failed: "The collections could not be listed.", advice: "Retry." };

/** GET /v1/collections, an addition to the interface: sweeps, and how collection stands. */
export const collectionsRoute: OperationRoute = {
  access: "operation",
  scope: "manage",
  method: "GET",
  path: collectionsPath,
  reply: async ({ collection, clock }, { caller: { accountId } }) =>
    jsonReply(await unlessFailed(collection.api.list(accountId, clock.now()), refused)),
};
