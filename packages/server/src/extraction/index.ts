export { canonicalUrl } from "./canonical-url.ts";
export { comparableName } from "./comparable-text.ts";
export {
  type AnswerContent,
  compileExtractor,
  type Extraction,
  extractionVersion,
} from "./compile-extractor.ts";
export { compileDomainTable, domainOf, normalizeDomainRule } from "./domains.ts";
export type { EntityRule, NameRule } from "./entity-rule.ts";
export {
  compileEvidenceLocator,
  type EvidenceLocator,
  type LocatedCitation,
} from "./locate-evidence.ts";
export { compileNameMatcher } from "./name-matcher.ts";
export { type ClaimVerdict, judgedClaim } from "./portrayal/judged-claim.ts";
export {
  type DropReason,
  dropReasons,
  type Finding,
  findingKinds,
  findingsMax,
  verifiedReply,
} from "./portrayal/model-findings.ts";
export {
  type FlagAccuracy,
  type PortrayalFlag,
  portrayalAccuracy,
  portrayalFlags,
  portrayalVersion,
} from "./portrayal/portrayal.ts";
export { sentencesOf, statementAt, statementsOf } from "./statements.ts";
