import { collectionsPath } from "@sightline/contract";
import { jsonReply, type OperationRoute } from "../../../http/route.ts";
import { sweepOf } from "../collection/sweep-of.ts";

/** DELETE /v1/collections/{id}, an addition to the interface: sends no further question. */
export const cancelCollectionRoute: OperationRoute = {
  access: "operation",
  scope: "manage",
  method: "DELETE",
  path: `${collectionsPath}/:id`,
  reply: async ({ collection, clock }, call) => {
    const cancel = (accountId: string, sweepId: string) =>
      collection.api.cancel(accountId, sweepId, clock.now());
    return jsonReply(await sweepOf(call, cancel));
  },
};
