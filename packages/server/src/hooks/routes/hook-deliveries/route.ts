import { type DeliveriesResponse, hooksPath } from "@sightline/contract";
import { jsonReply, type OperationRoute } from "../../../http/route.ts";
import { deliveriesOf } from "../../delivery-store.ts";
import { listedDelivery } from "../../listed-delivery.ts";
import { hookOf } from "../hooks/hook-of.ts";

/** GET /v1/hooks/{id}/deliveries, an addition: what was sent to a webhook, and how it went. */
export const hookDeliveriesRoute: OperationRoute = {
  access: "operation",
  scope: "manage",
  method: "GET",
  path: `${hooksPath}/:id/deliveries`,
  reply: async ({ control, clock }, call) => {
    const { accountId, id } = await hookOf(control, call);
    const deliveries = await deliveriesOf(control, accountId, id, clock.now());
    return jsonReply({
      deliveries: deliveries.map(listedDelivery),
    } satisfies DeliveriesResponse);
  },
};
