import type { Provider } from "@sightline/contract";
import { noPlan, type PlanUsed } from "./plan/plan.ts";

/** What an account's facts are about: its answers that count, without any filter. */
export interface FactsCoverage {
  /** Those that have answers, in the order of the contract's list. */
  readonly providers: readonly Provider[];
  /** Those that have answers, as two upper-case letters, by code unit. */
  readonly regions: readonly string[];
  /** How many there are, those without a region included. */
  readonly answers: number;
  /** When the first was given, in milliseconds since 1970; null: there is none. */
  readonly firstMs: number | null;
  /** When the last was given. */
  readonly lastMs: number | null;
  readonly used: PlanUsed;
}

/** Of an account without answers. */
export const noCoverage: FactsCoverage = {
  providers: [],
  regions: [],
  answers: 0,
  firstMs: null,
  lastMs: null,
  used: noPlan,
};
