import { timeSeriesRoute } from "../../time-series-route.ts";

/** POST /v1/analytics/brands/mentions (interface, operation 1). */
export const mentionsRoute = timeSeriesRoute("mentions");
