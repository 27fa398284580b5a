/** What is counted of an entity in an answer: 0 or 1, and the rank. Sums in a rollup. */
export const measures = ["mentioned", "cited", "visible", "rank"] as const;
