import type { OpenRoute } from "../../route.ts";

/** GET /metrics: measurements for Prometheus. */
export const metricsRoute: OpenRoute = {
  access: "open",
  method: "GET",
  path: "/metrics",
  answer: async ({ metrics: { registry } }) => {
    return { contentType: registry.contentType, body: await registry.metrics() };
  },
};
