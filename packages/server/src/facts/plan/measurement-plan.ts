import { namedModelsMax } from "@sightline/contract";
import { type Codes, type RowSelection, rowsOf } from "./plan.ts";
import type { Selection } from "./question.ts";

/** How it is found by what answers a number was measured. */
export interface MeasurementPlan {
  /** Appearances. */
  readonly rows: RowSelection;
  /** What was asked in the same selection and not answered. */
  readonly unanswered: RowSelection;
  /** How many there are, numbered from 1. */
  readonly entities: number;
  /** The most models that are named: an answer of each is read for it. */
  readonly modelsMax: number;
}

/** The plan of a measurement; null when no row can pass the filters. */
export function planMeasurement(
  selection: Selection,
  { codes, entities }: { readonly codes: Codes; readonly entities: number },
): MeasurementPlan | null {
  const rows = rowsOf(selection, "appearances", codes);
  const unanswered = rowsOf(selection, "unanswered", codes);
  return rows && unanswered && { rows, unanswered, entities, modelsMax: namedModelsMax };
}

/** Answers of one provider in one region on one surface, as numbers; see codes. */
interface AnswersOfOrigin {
  readonly provider: number;
  readonly region: number;
  readonly surface: number;
  readonly answers: number;
}

/** Answers of one known model of a provider. */
interface AnswersOfModel {
  readonly provider: number;
  readonly model: number;
  readonly answers: number;
  /** One of them: the name is in the record. */
  readonly sequence: number;
  /** Of all known models of all providers: their number, and their answers. */
  readonly models: number;
  readonly known: number;
}

/** Pairs of consecutive answers that lie equally far apart and are equally alike. */
export interface RetestPairs {
  /** Between their UTC days. */
  readonly days: number;
  /** 1: exactly one of them mentions the brand. */
  readonly brandDiffers: number;
  /** Entities that both mention. */
  readonly shared: number;
  /** Entities that either mentions. */
  readonly either: number;
  readonly pairs: number;
}

/** What the facts say of how something was measured. Rows come in no order. */
export interface MeasurementFacts {
  readonly origins: readonly AnswersOfOrigin[];
  /** Those with the most answers. */
  readonly models: readonly AnswersOfModel[];
  /** How many prompts have so many answers. */
  readonly prompts: readonly { readonly answers: number; readonly prompts: number }[];
  /** UTC days with answers. */
  readonly days: number;
  /** By the numbers of outcomes; see codes. */
  readonly unanswered: readonly { readonly outcome: number; readonly answers: number }[];
  /** Whether the account has anything that was not answered, in any selection. */
  readonly knowsUnanswered: boolean;
  readonly pairs: readonly RetestPairs[];
}
