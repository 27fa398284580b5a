import {
  type LifeGrouping,
  lifeGroupings,
  lifeGroupsMax,
  pageNamesMax,
  pageQueriesMax,
  type SourceClass,
  type SourceForm,
  type SourceOrder,
  sourceClasses,
  sourceForms,
  sourceOrders,
} from "@sightline/contract";
import type { Command } from "commander";
import { type ConnectionOptions, withConnectionOptions } from "../connection/connection.ts";
import { choiceOption, choicesOption, integerOption } from "../option-values.ts";
import {
  type FilterOptions,
  type InsightOptions,
  withFilterOptions,
  withInsightOptions,
} from "./filter-options.ts";
import {
  type CitedOptions,
  type ComparisonOptions,
  type FactsOptions,
  facts,
  type OutputOptions,
  type SourcesOptions,
  sourcesUnlessSaid,
  withComparisonOptions,
  withOutputOptions,
  withPageOptions,
} from "./question-options.ts";

/** Options of `query gaps`. */
export interface GapsOptions
  extends Omit<SourcesOptions, "all">,
    InsightOptions,
    ComparisonOptions,
    CitedOptions {
  readonly orderBy: SourceOrder;
  readonly class?: readonly SourceClass[];
  readonly form?: readonly SourceForm[];
}

/** Options of `query life`. */
export interface LifeOptions
  extends ConnectionOptions,
    FilterOptions,
    InsightOptions,
    OutputOptions {
  readonly by: LifeGrouping;
  readonly limit?: number;
}

/** Options of `query queries`. */
export interface QueriesOptions
  extends ConnectionOptions,
    FilterOptions,
    InsightOptions,
    OutputOptions {
  readonly entity?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

/** Options of `query names`. */
export type NamesOptions = Omit<QueriesOptions, "entity">;

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

/** Adds the options of a page of sources with gaps. */
export function withGapsOptions(command: Command): Command {
  withInsightOptions(withPageOptions(command))
    .addOption(
      choiceOption("--order-by <order>", "what comes first", sourceOrders).default("opportunity"),
    )
    .option(
      "--source-domain <domain>",
      "only sources of this domain: with --group-by url its pages",
    )
    .option("--source-url <url>", "only this page, or with --group-by domain its domain")
    .addOption(choicesOption("--class <name...>", "only sources of these classes", sourceClasses))
    .addOption(choicesOption("--form <name...>", "only pages of these forms", sourceForms));
  return withOutputOptions(
    withConnectionOptions(withComparisonOptions(command).addOption(facts())),
  );
}

/** Adds the options of how long citations last. */
export function withLifeOptions(command: Command): Command {
  withInsightOptions(withFilterOptions(command))
    .addOption(choiceOption("--by <unit>", "groups of citations", lifeGroupings).default("class"))
    .addOption(
      integerOption("--limit <number>", `groups that are listed (default: ${sourcesUnlessSaid})`, [
        1,
        lifeGroupsMax,
      ]),
    );
  return withOutputOptions(withConnectionOptions(command));
}

/** Adds the options of what assistants searched for. */
export function withQueriesOptions(command: Command): Command {
  withInsightOptions(withFilterOptions(command))
    .option("--entity <name>", "the brand or a competitor, by name or id (default: the brand)")
    .addOption(
      integerOption("--limit <number>", `queries on the page (default: ${sourcesUnlessSaid})`, [
        1,
        pageQueriesMax,
      ]),
    )
    .option("--cursor <text>", "the cursor that the previous page ends with");
  return withOutputOptions(withConnectionOptions(command));
}

/** Adds the options of names that nobody tracks. */
export function withNamesOptions(command: Command): Command {
  withInsightOptions(withFilterOptions(command))
    .addOption(
      integerOption("--limit <number>", `names on the page (default: ${sourcesUnlessSaid})`, [
        1,
        pageNamesMax,
      ]),
    )
    .option("--cursor <text>", "the cursor that the previous page ends with");
  return withOutputOptions(withConnectionOptions(command));
}
