import { sql } from "./ban-of-sql.ts";
import { castThroughUnknown, spreadLiterals, suppressions } from "./bans-in-syntax.ts";
import { testBans } from "./bans-in-tests.ts";
import { textBans } from "./bans-in-text.ts";
import { documentedExports } from "./documented-exports.ts";
import { documentedInterfaces } from "./documented-interfaces.ts";
import { documentedLinks } from "./documented-links.ts";
import { documentedOperations } from "./documented-operations.ts";
import { importRules } from "./import-rules.ts";
import { languageRules } from "./language.ts";
import { manifestRules } from "./manifests.ts";
import type { Rule } from "./rule.ts";
import { lineWidth } from "./sizes.ts";
import { smallFileRule } from "./small-files.ts";
import { statusTests } from "./tests-exist.ts";

/** All bans. */
export const bans: readonly Rule[] = [
  sql,
  castThroughUnknown,
  spreadLiterals,
  suppressions,
  ...testBans,
  ...textBans,
];

/** All rules about what the documents must name, and about what they name. */
export const documentedRules: readonly Rule[] = [
  documentedExports,
  ...documentedInterfaces,
  ...documentedOperations,
  ...documentedLinks,
];

/** Every rule, so that the list in tidy/README.md and the exceptions can be checked against it. */
export const allRules: readonly Rule[] = [
  ...importRules,
  lineWidth,
  smallFileRule,
  ...bans,
  ...documentedRules,
  ...languageRules,
  ...manifestRules,
  statusTests,
];
