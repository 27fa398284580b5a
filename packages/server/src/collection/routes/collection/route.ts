import { collectionsPath } from "@sightline/contract";
import { jsonReply, type OperationRoute } from "../../../http/route.ts";
import { sweepOf } from "./sweep-of.ts";

/** GET /v1/collections/{id}, an addition to the interface: a sweep, and how it stands. */
export const collectionRoute: OperationRoute = {
  access: "operation",
  scope: "manage",
  method: "GET",
  path: `${collectionsPath}/:id`,
  reply: async ({ collection }, call) => jsonReply(await sweepOf(call, collection.api.get)),
};
