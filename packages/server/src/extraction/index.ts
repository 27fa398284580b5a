export { canonicalUrl } from "./canonical-url.ts";
export { comparableName } from "./comparable-text.ts";
export {
  type AnswerContent,
  compileExtractor,
  type Extraction,
  type Extractor,
  extractionVersion,
} from "./compile-extractor.ts";
export { compileDomainTable, domainOf, normalizeDomainRule } from "./domains.ts";
export type { EntityRule, NameRule } from "./entity-rule.ts";
export {
  type CitationVerdict,
  compileEvidenceLocator,
  type Evidence,
  type EvidenceLocator,
  type LocatedCitation,
  type LocatedMention,
} from "./locate-evidence.ts";
