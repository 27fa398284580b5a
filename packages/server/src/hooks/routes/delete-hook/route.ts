import { hooksPath } from "@sightline/contract";
import { jsonReply, type OperationRoute } from "../../../http/route.ts";
import { deleteHook } from "../../hook-store.ts";
import { listedHook } from "../../listed-hook.ts";
import { unknownHook } from "../hooks/hook-of.ts";

/** DELETE /v1/hooks/{id}, an addition to the interface: deletes a webhook and its deliveries. */
export const deleteHookRoute: OperationRoute = {
  access: "operation",
  scope: "manage",
  method: "DELETE",
  path: `${hooksPath}/:id`,
  reply: async ({ control }, { caller, parameters }) => {
    const { id = "" } = parameters;
    const deleted = await deleteHook(control, caller.accountId, id.toLowerCase());
    if (deleted === null) throw unknownHook(id);
    return jsonReply(listedHook(deleted));
  },
};
