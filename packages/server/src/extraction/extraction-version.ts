import tldts from "tldts/package.json" with { type: "json" };

/** Raised with every change of code or tables that can alter a mention, rank, URL or domain. */
const rules = 1;

/**
 * The version of the rules by which answers are read, with that of the public suffix list: each
 * release of `tldts` carries its own. The snapshot of the facts adds Unicode's, which is the
 * runtime's. When any of them changes, every stored answer is read again.
 */
export const extractionVersion: string = `rules ${rules}, tldts ${tldts.version}`;
