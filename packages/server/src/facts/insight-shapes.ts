import type { RowShape } from "../platform/row-shape.ts";

/** See PromptSums. */
export const promptSumsShape = {
  group: "number",
  prompt: "number",
  entity: "number",
  mentioned: "number",
  cited: "number",
  visible: "number",
  rank: "number",
  first: "number",
  lastMs: "number",
} as const satisfies RowShape;

/** See SpreadRow. */
export const spreadShape = {
  bucket: "number",
  entity: "number",
  prompts: "number",
  sum: "number",
  mentions: "number",
  numeratorSquares: "number",
  denominatorSquares: "number",
  products: "number",
} as const satisfies RowShape;

/** See SourcePromptSum. */
export const sourcePromptsShape = {
  prompt: "number",
  counted: "number",
  sum: "number",
} as const satisfies RowShape;

/** See Origin. */
export const originsShape = {
  group: "number",
  provider: "number",
  model: "number",
  surface: "number",
} as const satisfies RowShape;

/** See AlikePairs. */
export const alikePairsShape = {
  group: "number",
  shared: "number",
  either: "number",
  pairs: "number",
} as const satisfies RowShape;

/** See DayCount. */
export const dayCountShape = { day: "number", answers: "number" } as const satisfies RowShape;

/** See AnswerPlace. */
export const placeShape = {
  sequence: "number",
  answeredAtMs: "number",
} as const satisfies RowShape;
