import { manifestRules } from "./manifests.ts";
import { assertRule } from "./rule.ts";

for (const rule of manifestRules) assertRule(rule);
