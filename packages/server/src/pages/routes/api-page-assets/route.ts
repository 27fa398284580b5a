import { entityReply } from "../../../http/entity-reply.ts";
import type { OpenRoute } from "../../../http/route.ts";
import { ServiceError } from "../../../platform/service-error.ts";

/** GET /docs/assets/<name>: what the pages load. A name holds a hash, and so never goes stale. */
export const apiPageAssetsRoute: OpenRoute = {
  access: "open",
  method: "GET",
  path: "/docs/assets/:name",
  reply: async ({ documents }, { name = "" }, headers) => {
    const asset = await documents.asset(name);
    if (asset === null) {
      throw new ServiceError("not_found", "No page uses this file. Reload the page.");
    }
    const forever = "public, max-age=31536000, immutable";
    return entityReply(asset, headers, { "Cache-Control": forever });
  },
};
