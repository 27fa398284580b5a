import { ServiceError } from "../../../platform/service-error.ts";
import { jsonReply, type OpenRoute } from "../../route.ts";

/** GET /readyz: 200 when every account's facts are caught up since the start, and not stopping. */
export const readyzRoute: OpenRoute = {
  access: "open",
  method: "GET",
  path: "/readyz",
  answer: async ({ facts, lifecycle }) => {
    if (lifecycle.stopping) {
      throw new ServiceError("shutting_down", "The service finishes its requests and stops.");
    }
    const late = facts.notReady();
    if (late.length === 0) return jsonReply({ status: "ready" });
    const waiting = late.includes("*") ? "The record" : `The record of ${late.length} accounts`;
    throw new ServiceError("facts_not_ready", `${waiting} is still being turned into facts.`, {
      headers: { "Retry-After": "1" },
    });
  },
};
