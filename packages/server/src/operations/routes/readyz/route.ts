import { jsonReply, type OpenRoute } from "../../../http/route.ts";
import { ServiceError } from "../../../platform/service-error.ts";

/** The most failing accounts that a reply names: a full disk may fail all of 10,000. */
const degradedMax = 100;

/**
 * GET /readyz: 200 when every account's facts are caught up since the start or have failed, and the
 * service is not stopping. Accounts that fail now are named.
 */
export const readyzRoute: OpenRoute = {
  access: "open",
  method: "GET",
  path: "/readyz",
  reply: async ({ projection, lifecycle }) => {
    if (lifecycle.stopping) {
      throw new ServiceError(
        "shutting_down",
        "The service is finishing its requests before it stops.",
      );
    }
    const late = projection.notReady();
    if (late.length === 0) {
      const degraded = projection.failing().slice(0, degradedMax);
      return jsonReply({ status: "ready", ...(degraded.length > 0 ? { degraded } : {}) });
    }
    const waiting = late.includes("*") ? "The record" : `The record of ${late.length} accounts`;
    throw new ServiceError("facts_not_ready", `${waiting} is still being processed into facts.`, {
      headers: { "Retry-After": "1" },
    });
  },
};
