import { apiPagePolicy } from "../../documents/api-page.ts";
import { entityReply } from "../../entity-reply.ts";
import type { OpenRoute } from "../../route.ts";

/** GET /docs: the API page, over /openapi.json. */
export const apiPageRoute: OpenRoute = {
  access: "open",
  method: "GET",
  path: "/docs",
  reply: async ({ documents }, _, headers) =>
    entityReply(await documents.apiPage(), headers, {
      "Cache-Control": "no-cache",
      "Content-Security-Policy": apiPagePolicy,
      "Referrer-Policy": "no-referrer",
      "X-Frame-Options": "DENY", // for browsers that do not know frame-ancestors
    }),
};
