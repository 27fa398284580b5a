import { type HooksResponse, hooksPath } from "@sightline/contract";
import { jsonReply, type OperationRoute } from "../../../http/route.ts";
import { hooksOf } from "../../hook-store.ts";
import { listedHook } from "../../listed-hook.ts";

/** GET /v1/hooks, an addition to the interface: the webhooks of the caller's account. */
export const hooksRoute: OperationRoute = {
  access: "operation",
  scope: "manage",
  method: "GET",
  path: hooksPath,
  reply: async ({ control }, { caller }) => {
    const hooks = await hooksOf(control, caller.accountId);
    return jsonReply({ hooks: hooks.map(listedHook) } satisfies HooksResponse);
  },
};
