/** A name or alias of an entity. */
export interface NameRule {
  readonly text: string;
  /** Whether the name matches only in the case in which it is written here. */
  readonly caseSensitive: boolean;
}

/** How an entity is recognized in an answer. */
export interface EntityRule {
  readonly names: readonly NameRule[];
  /** Phrases inside which its names do not count, compared as names are; omitted: none. */
  readonly except?: readonly string[];
  /**
   * Hosts with an optional path prefix, as `normalizeDomainRule` returns them; anything else owns
   * nothing.
   */
  readonly domains: readonly string[];
}
