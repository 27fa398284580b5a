/** What is counted of an entity in an answer: 0 or 1, and the rank. Sums in a rollup. */
export const measures = ["mentioned", "cited", "visible", "rank"] as const;

/** Whether an answer mentions, cites or shows any entity: 0 or 1. */
export const anyMeasures = ["any_mentioned", "any_cited", "any_visible"] as const;

/** What the rollup of appearances adds up. */
export const dailySums = [...measures, ...anyMeasures] as const;
