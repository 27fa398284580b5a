import type { Command } from "commander";
import { type ConnectionOptions, withConnectionOptions } from "../connection/connection.ts";
import {
  type FilterOptions,
  type InsightOptions,
  withFilterOptions,
  withInsightOptions,
} from "./filter-options.ts";
import {
  type ComparisonOptions,
  type FactsOptions,
  facts,
  type OutputOptions,
  withComparisonOptions,
  withOutputOptions,
} from "./question-options.ts";

/** Options of `query presence`. */
export interface PresenceOptions
  extends ConnectionOptions,
    FilterOptions,
    InsightOptions,
    OutputOptions,
    Omit<ComparisonOptions, "rankThreshold">,
    FactsOptions {
  readonly entity?: string;
}

/** Adds the options of how an entity is named and cited. */
export function withPresenceOptions(command: Command): Command {
  withInsightOptions(withFilterOptions(command)).option(
    "--entity <name>",
    "the brand or a competitor, by name or id (default: the brand)",
  );
  withComparisonOptions(command).addOption(facts());
  return withOutputOptions(withConnectionOptions(command));
}
