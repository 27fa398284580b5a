import { languageRules } from "./language.ts";
import { assertRule } from "./rule.ts";

for (const rule of languageRules) assertRule(rule);
