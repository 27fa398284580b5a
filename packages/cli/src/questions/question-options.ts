import {
  type ChangesMetricName,
  type ContributionGrouping,
  changesMetricNames,
  contributionGroupings,
  contributionsMax,
  groupings,
  intervals,
  pageAnswersMax,
  pageAnswersUnlessSaid,
  pageSourcesMax,
  plannedAnswers,
  plannedAnswersMax,
  plannedChangeUnlessSaid,
  powerUnlessSaid,
  rankThresholdUnlessSaid,
  type SummaryGrouping,
  type SummaryMetricName,
  summaryGroupings,
  summaryMetricNames,
  thresholdUnlessSaid,
} from "@sightline/contract";
import { type Command, Option } from "commander";
import { type ConnectionOptions, withConnectionOptions } from "../connection/connection.ts";
import {
  choiceOption,
  fractionOption,
  integerOption,
  placesOption,
  sizeOption,
} from "../option-values.ts";
import { type Format, formats } from "../output/records.ts";
import {
  collect,
  type FilterOptions,
  type InsightOptions,
  withFilterOptions,
  withInsightOptions,
} from "./filter-options.ts";
import { daysByInterval } from "./time-range.ts";

/** How a reply is printed. */
export interface OutputOptions {
  readonly format?: Format;
  readonly json?: boolean;
}

/** Whether the reply says by what answers it was measured. */
export interface FactsOptions {
  readonly facts?: boolean;
}

/** The requested parts of a reply, as requests list them. */
export function includedFacts({ facts }: FactsOptions) {
  return facts === true ? { include: ["facts"] as const } : {};
}

/** Options of `query mentions`, `visibility`, `citations` and `rank`. */
export interface SeriesOptions
  extends ConnectionOptions,
    FilterOptions,
    InsightOptions,
    OutputOptions,
    FactsOptions {
  readonly interval?: (typeof intervals)[number];
  readonly competitor?: readonly string[];
  readonly plot?: boolean;
}

/** Options of `query sources`. */
export interface SourcesOptions
  extends ConnectionOptions,
    FilterOptions,
    OutputOptions,
    FactsOptions {
  readonly groupBy: (typeof groupings)[number];
  readonly limit?: number;
  readonly offset?: number;
  readonly all?: boolean;
}

/** What an entity is in the answers of `query answers`, as options name it. */
const answerRoles = [
  ...(["mentioned", "cited", "visible", "not-visible", "any"] as const),
  ...(["both", "mentioned-only", "cited-only"] as const),
  ...(["recommended", "praised", "criticized", "discouraged", "not-found"] as const),
] as const;

/** Options that name a cited source. `--url` is the address of the service. */
export interface CitedOptions {
  readonly sourceDomain?: string;
  readonly sourceUrl?: string;
}

/** Options of `query answers`. */
export interface AnswersOptions
  extends ConnectionOptions,
    FilterOptions,
    InsightOptions,
    OutputOptions,
    CitedOptions {
  readonly entity?: string;
  readonly role?: (typeof answerRoles)[number];
  readonly limit?: number;
  readonly cursor?: string;
  readonly all?: boolean;
}

/** Options of what is compared with another range. */
export interface ComparisonOptions {
  readonly compare?: string;
  readonly threshold?: number;
  readonly rankThreshold?: number;
  readonly parts?: boolean;
}

/** Options of `query summary`. */
export interface SummaryOptions
  extends ConnectionOptions,
    FilterOptions,
    InsightOptions,
    OutputOptions,
    ComparisonOptions,
    FactsOptions {
  readonly groupBy: SummaryGrouping;
  readonly entity?: readonly string[];
  readonly stability?: boolean;
  readonly trend?: boolean;
  readonly extraction?: boolean;
}

/** Options of `query portrayal`. */
export type PortrayalOptions = Omit<SummaryOptions, "stability" | "trend">;

/** Options of `query changes`. */
export interface ChangesOptions
  extends ConnectionOptions,
    FilterOptions,
    InsightOptions,
    OutputOptions,
    Omit<ComparisonOptions, "compare" | "parts">,
    FactsOptions {
  readonly compare: string;
  readonly entity?: string;
  readonly metric: ChangesMetricName;
  readonly by: ContributionGrouping;
  readonly limit?: number;
}

/** Options of `plan`. */
export interface PlanOptions
  extends ConnectionOptions,
    FilterOptions,
    InsightOptions,
    OutputOptions {
  readonly entity?: string;
  readonly metric: SummaryMetricName;
  readonly change?: number;
  readonly power?: number;
  readonly answersPerPrompt?: number;
  readonly rate?: number;
  readonly correlation?: number;
}

/** Options of `query workspace`. */
export interface WorkspaceOptions extends ConnectionOptions, OutputOptions {}

/** Contributions that are listed unless it is said. */
export const contributionsUnlessSaid = 20;

/** Sources on a page unless it is said. */
export const sourcesUnlessSaid = 20;

/** Adds the options of a time series. */
export function withSeriesOptions(command: Command): Command {
  const { daily, weekly } = daysByInterval;
  const standard = `daily up to ${daily} days, weekly up to ${weekly}, else monthly`;
  withInsightOptions(withFilterOptions(command)).addOption(
    choiceOption("--interval <interval>", `length of a bucket (default: ${standard})`, intervals),
  );
  command.addOption(
    new Option(
      "--competitor <name...>",
      "only the brand and these competitors, by name or id",
    ).argParser(collect),
  );
  command.addOption(new Option("--plot", "draw a chart").conflicts(["format", "json"]));
  return withOutputOptions(withConnectionOptions(command.addOption(facts())));
}

/** Adds the options of a summary. */
export function withSummaryOptions(command: Command): Command {
  withGroupedOptions(command)
    .addOption(rankThreshold())
    .option("--stability", "similarity of the citations of consecutive answers; takes time")
    .option("--trend", "how each value rises or falls over whole weeks, of five or more")
    .option("--extraction", "mentions and citations by labels, with extraction's errors")
    .addOption(facts());
  return withOutputOptions(withConnectionOptions(command));
}

/** Adds the options of how answers speak of entities. */
export function withPortrayalOptions(command: Command): Command {
  withGroupedOptions(command)
    .option("--extraction", "what is said by labels, with the reader's errors")
    .addOption(facts());
  return withOutputOptions(withConnectionOptions(command));
}

function withGroupedOptions(command: Command): Command {
  withInsightOptions(withFilterOptions(command)).addOption(
    choiceOption("--group-by <unit>", "groups of the answers", summaryGroupings).default("none"),
  );
  command.addOption(
    new Option(
      "--entity <name...>",
      "only these: the brand or competitors, by name or id; values stay the same",
    ).argParser(collect),
  );
  return withComparisonOptions(command);
}

/** Adds the options of the ranked sources. */
export function withSourcesOptions(command: Command): Command {
  const all = new Option("--all", "every source, page by page").conflicts("limit");
  withPageOptions(command).addOption(all).addOption(facts().conflicts("all"));
  return withOutputOptions(withConnectionOptions(command));
}

/** The option of by what answers something was measured. */
export function facts(): Option {
  return new Option("--facts", "by what answers it was measured, with the table or in JSON");
}

/** Adds the options of a comparison that is not of ranks. */
export function withComparisonOptions(command: Command): Command {
  return command
    .option(
      "--compare <time>",
      "range to compare with: previous, year-ago, or a time in it, such as 2026-01",
    )
    .addOption(
      fractionOption(
        "--threshold <fraction>",
        `with --compare: the smallest change called moved (default: ${thresholdUnlessSaid})`,
      ),
    )
    .option("--parts", "with --compare: the whole change and its parts in the table");
}

function rankThreshold(): Option {
  const standard = `default: ${rankThresholdUnlessSaid}`;
  const words = `with --compare: the smallest change of a rank called moved (${standard})`;
  return placesOption("--rank-threshold <places>", words);
}

/** Adds the options of what a change consists of. */
export function withChangesOptions(command: Command): Command {
  withInsightOptions(withFilterOptions(command))
    .option("--entity <name>", "the brand or a competitor, by name or id (default: the brand)")
    .addOption(
      choiceOption("--metric <metric>", "whose change", changesMetricNames).default("visibility"),
    )
    .addOption(
      choiceOption("--by <unit>", "what the change is divided by", contributionGroupings).default(
        "prompt",
      ),
    )
    .addOption(
      integerOption(
        "--limit <number>",
        `contributions that are listed (default: ${contributionsUnlessSaid})`,
        [1, contributionsMax],
      ),
    )
    .option(
      "--compare <time>",
      "range to compare with: previous, year-ago, or a time in it, such as 2026-01",
      "previous",
    )
    .addOption(
      fractionOption(
        "--threshold <fraction>",
        `the smallest change called moved (default: ${thresholdUnlessSaid})`,
      ),
    )
    .addOption(rankThreshold())
    .addOption(facts());
  return withOutputOptions(withConnectionOptions(command));
}

/** Adds the options of a plan. */
export function withPlanOptions(command: Command): Command {
  const { rate, rank } = plannedChangeUnlessSaid;
  const size = `a fraction for rates and shares (default: ${rate}), places for ranks (${rank})`;
  withInsightOptions(withFilterOptions(command))
    .option("--entity <name>", "the brand or a competitor, by name or id (default: the brand)")
    .addOption(
      choiceOption("--metric <metric>", "whose change", summaryMetricNames).default("mentions"),
    )
    .addOption(sizeOption("--change <size>", `the change that is to be seen: ${size}`))
    .addOption(
      fractionOption(
        "--power <fraction>",
        `how probable it is that the change is seen (default: ${powerUnlessSaid})`,
      ),
    )
    .addOption(
      integerOption(
        "--answers-per-prompt <number>",
        `answers to each prompt in the range (default: ${plannedAnswers.join(", ")})`,
        [1, plannedAnswersMax],
      ),
    )
    .addOption(fractionOption("--rate <fraction>", "plan for this value, not for the account's"))
    .addOption(
      fractionOption("--correlation <fraction>", "plan for answers to a prompt that are so alike"),
    );
  return withOutputOptions(withConnectionOptions(command));
}

/** Adds the options of a page of sources. */
export function withPageOptions(command: Command): Command {
  return withFilterOptions(command)
    .addOption(choiceOption("--group-by <unit>", "what is counted", groupings).default("domain"))
    .addOption(
      integerOption("--limit <number>", `sources on the page (default: ${sourcesUnlessSaid})`, [
        1,
        pageSourcesMax,
      ]),
    )
    .addOption(
      integerOption("--offset <number>", "sources to skip (default: 0)", [
        0,
        Number.MAX_SAFE_INTEGER,
      ]),
    );
}

/** Adds the options of the answers behind a value. */
export function withAnswersOptions(command: Command): Command {
  withInsightOptions(withFilterOptions(command))
    .option("--entity <name>", "the brand or a competitor, by name or id (default: any of them)")
    .addOption(
      choiceOption(
        "--role <role>",
        "role of the entity in the answers (default: mentioned with --entity, else any)",
        answerRoles,
      ),
    )
    .option("--source-domain <domain>", "only answers that cite a page of this domain")
    .option("--source-url <url>", "only answers that cite this page, in any spelling")
    .addOption(
      integerOption("--limit <number>", `answers on the page (default: ${pageAnswersUnlessSaid})`, [
        1,
        pageAnswersMax,
      ]),
    )
    .option("--cursor <text>", "the cursor that the previous page ends with")
    .addOption(
      new Option("--all", "every answer, one per line, with --format ndjson or csv").conflicts(
        "limit",
      ),
    );
  return withOutputOptions(withConnectionOptions(command));
}

/** Adds the options that say how a reply is printed. */
export function withOutputOptions(command: Command): Command {
  const standard = "table on a terminal, else json";
  return command
    .addOption(
      choiceOption("--format <format>", `form of the reply (default: ${standard})`, formats),
    )
    .addOption(
      new Option("--json", "the same as --format json; failures are JSON too").conflicts("format"),
    );
}
