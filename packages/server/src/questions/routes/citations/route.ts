import { timeSeriesRoute } from "../../time-series-route.ts";

/** POST /v1/analytics/brands/citations (interface, operation 3). */
export const citationsRoute = timeSeriesRoute("citations");
