import {
  type ContributionGrouping,
  contributionGroupings,
  contributionsMax,
  groupings,
  intervals,
  pageAnswersMax,
  pageAnswersUnlessSaid,
  pageSourcesMax,
  providers,
  rankThresholdUnlessSaid,
  type SummaryGrouping,
  type SummaryMetricName,
  summaryGroupings,
  summaryMetricNames,
  thresholdUnlessSaid,
} from "@sightline/contract";
import { type Command, InvalidArgumentError, Option } from "commander";
import { type ConnectionOptions, withConnectionOptions } from "../connection/connection.ts";
import {
  choiceOption,
  choicesOption,
  fractionOption,
  integerOption,
  placesOption,
} from "../option-values.ts";
import { type Format, formats } from "../output/records.ts";
import { daysByInterval, daysUnlessSaid, type TimeOptions } from "./time-range.ts";
import { timeForms } from "./time-word.ts";

/** How a reply is printed. */
export interface OutputOptions {
  readonly format?: Format;
  readonly json?: boolean;
}

/** The options that choose answers: all of the interface's filters. */
export interface FilterOptions extends TimeOptions {
  readonly provider?: readonly (typeof providers)[number][];
  readonly topic?: readonly string[];
  readonly prompt?: readonly string[];
  readonly region?: readonly string[];
  readonly branded?: boolean;
}

/** Options of `query mentions`, `visibility`, `citations` and `rank`. */
export interface SeriesOptions extends ConnectionOptions, FilterOptions, OutputOptions {
  readonly interval?: (typeof intervals)[number];
  readonly competitor?: readonly string[];
  readonly plot?: boolean;
}

/** Options of `query sources`. */
export interface SourcesOptions extends ConnectionOptions, FilterOptions, OutputOptions {
  readonly groupBy: (typeof groupings)[number];
  readonly limit?: number;
  readonly offset?: number;
  readonly all?: boolean;
}

/** What an entity is in the answers of `query answers`, as options name it. */
const answerRoles = ["mentioned", "cited", "visible", "not-visible", "any"] as const;

/** Options that name a cited source. `--url` is the address of the service. */
export interface CitedOptions {
  readonly sourceDomain?: string;
  readonly sourceUrl?: string;
}

/** Options of `query answers`. */
export interface AnswersOptions
  extends ConnectionOptions,
    FilterOptions,
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

/** Options of `query gaps`. */
export interface GapsOptions extends Omit<SourcesOptions, "all">, ComparisonOptions, CitedOptions {}

/** Options of `query summary`. */
export interface SummaryOptions
  extends ConnectionOptions,
    FilterOptions,
    OutputOptions,
    ComparisonOptions {
  readonly groupBy: SummaryGrouping;
  readonly entity?: readonly string[];
  readonly stability?: boolean;
  readonly extraction?: boolean;
}

/** Options of `query changes`. */
export interface ChangesOptions
  extends ConnectionOptions,
    FilterOptions,
    OutputOptions,
    Omit<ComparisonOptions, "compare" | "parts"> {
  readonly compare: string;
  readonly entity?: string;
  readonly metric: SummaryMetricName;
  readonly by: ContributionGrouping;
  readonly limit?: number;
}

/** Options of `query workspace`. */
export interface WorkspaceOptions extends ConnectionOptions, OutputOptions {}

/** Contributions that are listed unless it is said. */
export const contributionsUnlessSaid = 20;

/** Sources on a page unless it is said. */
export const sourcesUnlessSaid = 20;

const collect = (given: string, before: readonly string[] | undefined) => [
  ...(before ?? []),
  given,
];

/** What the help says of a range that is not given: of its start, and of its end. */
interface UngivenTimes {
  readonly from: string;
  readonly to: string;
}

const lastDays: UngivenTimes = {
  from: `default: ${daysUnlessSaid} days before --to`,
  to: "default: the end of today, UTC",
};

/** Adds the filters, which all questions about answers have. */
export function withFilterOptions(command: Command, ungiven: UngivenTimes = lastDays): Command {
  return command
    .option("--from <time>", `start, inclusive: ${timeForms} (${ungiven.from})`)
    .option("--to <time>", `end, exclusive (${ungiven.to})`)
    .addOption(choicesOption("--provider <name...>", "only these providers", providers))
    .addOption(
      new Option("--topic <name...>", "only these topics, by name or id")
        .argParser(collect)
        .conflicts("prompt"),
    )
    .addOption(
      new Option("--prompt <text...>", "only these prompts, by id, text or a part of it").argParser(
        collect,
      ),
    )
    .addOption(
      new Option("--region <code...>", "only these regions: ISO 3166 codes, such as US").argParser(
        regions,
      ),
    )
    .option("--branded", "only prompts that name the brand")
    .option("--no-branded", "only prompts that do not");
}

/** Adds the options of a time series. */
export function withSeriesOptions(command: Command): Command {
  const { daily, weekly } = daysByInterval;
  const standard = `daily up to ${daily} days, weekly up to ${weekly}, else monthly`;
  withFilterOptions(command).addOption(
    choiceOption("--interval <interval>", `length of a bucket (default: ${standard})`, intervals),
  );
  command.addOption(
    new Option(
      "--competitor <name...>",
      "only the brand and these competitors, by name or id",
    ).argParser(collect),
  );
  command.addOption(new Option("--plot", "draw a chart").conflicts(["format", "json"]));
  return withOutputOptions(withConnectionOptions(command));
}

/** Adds the options of a summary. */
export function withSummaryOptions(command: Command): Command {
  withFilterOptions(command).addOption(
    choiceOption("--group-by <unit>", "groups of the answers", summaryGroupings).default("none"),
  );
  command.addOption(
    new Option(
      "--entity <name...>",
      "only these: the brand or competitors, by name or id; values stay the same",
    ).argParser(collect),
  );
  withComparisonOptions(command)
    .addOption(rankThreshold())
    .option("--stability", "similarity of the citations of consecutive answers; takes time")
    .option("--extraction", "mentions and citations by labels, with extraction's errors");
  return withOutputOptions(withConnectionOptions(command));
}

/** Adds the options of the ranked sources. */
export function withSourcesOptions(command: Command): Command {
  const all = new Option("--all", "every source, page by page").conflicts("limit");
  return withOutputOptions(withConnectionOptions(withPageOptions(command).addOption(all)));
}

/** Adds the options of a page of sources with gaps. */
export function withGapsOptions(command: Command): Command {
  withPageOptions(command)
    .option(
      "--source-domain <domain>",
      "only sources of this domain: with --group-by url its pages",
    )
    .option("--source-url <url>", "only this page, or with --group-by domain its domain");
  return withOutputOptions(withConnectionOptions(withComparisonOptions(command)));
}

function withComparisonOptions(command: Command): Command {
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
  withFilterOptions(command)
    .option("--entity <name>", "the brand or a competitor, by name or id (default: the brand)")
    .addOption(
      choiceOption("--metric <metric>", "whose change", summaryMetricNames).default("visibility"),
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
    .addOption(rankThreshold());
  return withOutputOptions(withConnectionOptions(command));
}

function withPageOptions(command: Command): Command {
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
  withFilterOptions(command)
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

function regions(given: string, before: readonly string[] | undefined): readonly string[] {
  if (/^[A-Za-z]{2}$/.test(given)) return [...(before ?? []), given.toUpperCase()];
  throw new InvalidArgumentError("It must be two letters (ISO 3166-1 alpha-2), such as US.");
}
