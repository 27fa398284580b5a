export { canonicalUrl } from "./canonical-url.ts";
export { comparableName } from "./comparable-name.ts";
export {
  type AnswerContent,
  compileExtractor,
  type Extraction,
  type Extractor,
} from "./compile-extractor.ts";
export { domainOf } from "./domain-of.ts";
export { compileDomainTable } from "./domain-table.ts";
export type { EntityRule, NameRule } from "./entity-rule.ts";
export { extractionVersion } from "./extraction-version.ts";
export {
  type CitationVerdict,
  compileEvidenceLocator,
  type Evidence,
  type EvidenceLocator,
  type LocatedCitation,
  type LocatedMention,
} from "./locate-evidence.ts";
export { normalizeDomainRule } from "./normalize-domain-rule.ts";
