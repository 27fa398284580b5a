import { assertRule } from "./rule.ts";
import { lineWidth } from "./sizes.ts";

assertRule(lineWidth);
