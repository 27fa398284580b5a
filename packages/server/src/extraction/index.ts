export { canonicalUrl } from "./canonical-url.ts";
export { comparableName } from "./comparable-text.ts";
export {
  type AnswerContent,
  compileExtractor,
  type Extraction,
  type Extractor,
} from "./compile-extractor.ts";
export { domainOf } from "./domains.ts";
export { compileDomainTable } from "./domains.ts";
export type { EntityRule, NameRule } from "./entity-rule.ts";
export { extractionVersion } from "./compile-extractor.ts";
export {
  type CitationVerdict,
  compileEvidenceLocator,
  type Evidence,
  type EvidenceLocator,
  type LocatedCitation,
  type LocatedMention,
} from "./locate-evidence.ts";
export { normalizeDomainRule } from "./domains.ts";
