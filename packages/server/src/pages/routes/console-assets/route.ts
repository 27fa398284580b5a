import { entityReply } from "../../../http/entity-reply.ts";
import type { OpenRoute } from "../../../http/route.ts";
import { ServiceError } from "../../../platform/service-error.ts";

/** GET /console/assets/<name>: what the console loads. A name holds a hash: it never goes stale. */
export const consoleAssetsRoute: OpenRoute = {
  access: "open",
  method: "GET",
  path: "/console/assets/:name",
  reply: async ({ consoleFiles }, { name = "" }, headers) => {
    const asset = await consoleFiles.asset(name);
    if (asset === null) {
      throw new ServiceError("not_found", "The console has no such file. Reload the page.");
    }
    const forever = "public, max-age=31536000, immutable";
    return entityReply(asset, headers, { "Cache-Control": forever });
  },
};
