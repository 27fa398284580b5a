import { collectionsPath } from "@sightline/contract";
import { listedSweep } from "../../../collection/listed-sweep.ts";
import { jsonReply, type OperationRoute } from "../../route.ts";
import { sweepOf } from "../collection/sweep-of.ts";

/** DELETE /v1/collections/{id}, an addition to the interface: asks nothing more for a sweep. */
export const cancelCollectionRoute: OperationRoute = {
  access: "operation",
  scope: "manage",
  method: "DELETE",
  path: `${collectionsPath}/:id`,
  reply: async ({ control }, call) => {
    const { id } = await sweepOf(control, call);
    await control.cancelSweep(call.caller.accountId, id);
    return jsonReply(listedSweep(await sweepOf(control, call)));
  },
};
