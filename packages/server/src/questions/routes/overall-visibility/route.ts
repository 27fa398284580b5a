import { timeSeriesRoute } from "../../time-series-route.ts";

/** POST /v1/analytics/brands/overall-visibility (interface, operation 2). */
export const overallVisibilityRoute = timeSeriesRoute("overall-visibility");
