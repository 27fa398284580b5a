import type { Command } from "commander";
import { type ConnectionOptions, withConnectionOptions } from "../connection/connection.ts";
import {
  type ExcludeOptions,
  type FilterOptions,
  withExcludeOptions,
  withFilterOptions,
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
    ExcludeOptions,
    OutputOptions,
    Omit<ComparisonOptions, "rankThreshold">,
    FactsOptions {
  readonly entity?: string;
}

/** Adds the options of how an entity is named and cited. */
export function withPresenceOptions(command: Command): Command {
  withExcludeOptions(withFilterOptions(command)).option(
    "--entity <name>",
    "the brand or a competitor, by name or id (default: the brand)",
  );
  withComparisonOptions(command).addOption(facts());
  return withOutputOptions(withConnectionOptions(command));
}
