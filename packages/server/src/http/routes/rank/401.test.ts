import { metrics } from "@sightline/contract";
import { testSessionRefusals } from "../../../../test/session-refusals.ts";

testSessionRefusals(metrics["rank"].path, { interval: "daily" });
