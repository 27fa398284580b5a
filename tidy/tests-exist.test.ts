import { assertRule } from "./rule.ts";
import { statusTests } from "./tests-exist.ts";

assertRule(statusTests);
