/** The lengths of a period that ends with the newest answer, the calendar's, or all there is. */
export const periodNames = [
  "7d",
  "28d",
  "12w",
  "26w",
  "12m",
  "this-month",
  "last-month",
  "this-quarter",
  "last-quarter",
  "this-year",
  "last-year",
  "all",
] as const;

/** One of them. */
export type PeriodName = (typeof periodNames)[number];
