import { hooksPath, type ListedDelivery } from "@sightline/contract";
import { jsonReply, type OperationRoute } from "../../../http/route.ts";
import { listedDelivery } from "../../listed-delivery.ts";
import { hookOf } from "../hooks/hook-of.ts";

/** POST /v1/hooks/{id}/test, an addition to the interface: sends a test, and says how it went. */
export const testHookRoute: OperationRoute = {
  access: "operation",
  scope: "manage",
  method: "POST",
  path: `${hooksPath}/:id/test`,
  hasBody: false,
  reply: async (services, call) => {
    const hook = await hookOf(services.control, call);
    const delivery = await services.webhooks.test(hook);
    return jsonReply(listedDelivery(delivery) satisfies ListedDelivery);
  },
};
