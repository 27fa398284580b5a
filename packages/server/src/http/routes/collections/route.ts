import { collectionsPath } from "@sightline/contract";
import { listedCollections } from "../../../collection/listed-outlook.ts";
import { jsonReply, type OperationRoute } from "../../route.ts";

/** GET /v1/collections, an addition to the interface: sweeps, and how collection stands. */
export const collectionsRoute: OperationRoute = {
  access: "operation",
  scope: "manage",
  method: "GET",
  path: collectionsPath,
  reply: async ({ control, collection, clock }, { caller: { accountId } }) => {
    const outlook = await collection.outlook(accountId);
    return jsonReply(await listedCollections(control, accountId, { now: clock.now(), outlook }));
  },
};
