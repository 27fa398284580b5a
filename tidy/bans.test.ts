import { assertRule } from "./rule.ts";
import { bans } from "./rules.ts";

for (const rule of bans) assertRule(rule);
