import { jsonReply, type OpenRoute } from "../../../http/route.ts";

/** GET /healthz: the process is alive. Says nothing of its data. */
export const healthzRoute: OpenRoute = {
  access: "open",
  method: "GET",
  path: "/healthz",
  reply: async () => jsonReply({ status: "alive" }),
};
