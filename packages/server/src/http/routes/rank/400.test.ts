import { metrics } from "@sightline/contract";
import { testBadSeriesRequests } from "../../../../test/bad-requests.ts";

testBadSeriesRequests(metrics["rank"].path);
