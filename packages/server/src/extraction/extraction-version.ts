import tldts from "tldts/package.json" with { type: "json" };

/**
 * Incremented with every change of code or tables that can alter a mention, rank, URL or domain.
 */
const rules = 4;

/**
 * The version of the extraction rules, including that of the public suffix list: each release of
 * `tldts` contains its own. The snapshot of the facts adds the runtime's Unicode version. When any
 * of them changes, every stored answer is read again.
 */
export const extractionVersion: string = `rules ${rules}, tldts ${tldts.version}`;
