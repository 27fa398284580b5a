import { testSessionRefusals } from "../../../../test/session-refusals.ts";

testSessionRefusals("/v1/analytics/sources", { limit: 10, offset: 0, groupBy: "url" });
