import { timeSeriesRoute } from "../../time-series-route.ts";

/** POST /v1/analytics/brands/rank (interface, operation 4). */
export const rankRoute = timeSeriesRoute("rank");
