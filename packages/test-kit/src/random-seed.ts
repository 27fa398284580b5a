// Random tests that name no seed ask the same questions in each run of the suite, so that a failure
// is one of the change. A file that is run alone asks others each time: it has no such neighbour.
import fc from "fast-check";
import { testSeed } from "./oracle/runs.ts";

fc.configureGlobal({ seed: testSeed() });
