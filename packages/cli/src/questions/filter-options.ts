import { providers, surfaces } from "@sightline/contract";
import { type Command, InvalidArgumentError, Option } from "commander";
import { choicesOption } from "../option-values.ts";
import { daysUnlessSaid, type TimeOptions } from "./time-range.ts";
import { timeForms } from "./time-word.ts";

/** The options that choose answers: all of the interface's filters. */
export interface FilterOptions extends TimeOptions {
  readonly provider?: readonly (typeof providers)[number][];
  readonly topic?: readonly string[];
  readonly prompt?: readonly string[];
  readonly region?: readonly string[];
  readonly branded?: boolean;
}

/** The options that choose answers where the interface does not: by more, and by what is not. */
export interface InsightOptions {
  readonly model?: readonly string[];
  readonly surface?: readonly (typeof surfaces)[number][];
  readonly tag?: readonly string[];
  readonly excludeTag?: readonly string[];
  readonly excludeModel?: readonly string[];
  readonly excludeSurface?: readonly (typeof surfaces)[number][];
  readonly excludeProvider?: readonly (typeof providers)[number][];
  readonly excludeTopic?: readonly string[];
  readonly excludePrompt?: readonly string[];
  readonly excludeRegion?: readonly string[];
}

/** Collects the values of an option that may be given several times. */
export const collect = (given: string, before: readonly string[] | undefined) => [
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
  return withAnswerFilters(
    command
      .option("--from <time>", `start, inclusive: ${timeForms} (${ungiven.from})`)
      .option("--to <time>", `end, exclusive (${ungiven.to})`),
  );
}

/** Adds the filters but the range of time. */
export function withAnswerFilters(command: Command): Command {
  return command
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

/** Adds the options that only insights have; they are those of both sides of a comparison. */
export function withInsightOptions(command: Command): Command {
  return command
    .addOption(new Option("--model <name...>", "only answers of these models").argParser(collect))
    .addOption(choicesOption("--surface <name...>", "only answers of these surfaces", surfaces))
    .addOption(new Option("--tag <name...>", "only prompts with these tags").argParser(collect))
    .addOption(choicesOption("--exclude-provider <name...>", "not these providers", providers))
    .addOption(
      new Option("--exclude-topic <name...>", "not these topics, by name or id").argParser(collect),
    )
    .addOption(
      new Option(
        "--exclude-prompt <text...>",
        "not these prompts, by id, text or a part of it",
      ).argParser(collect),
    )
    .addOption(new Option("--exclude-region <code...>", "not these regions").argParser(regions))
    .addOption(new Option("--exclude-model <name...>", "not these models").argParser(collect))
    .addOption(choicesOption("--exclude-surface <name...>", "not these surfaces", surfaces))
    .addOption(new Option("--exclude-tag <name...>", "not prompts with these").argParser(collect));
}

function regions(given: string, before: readonly string[] | undefined): readonly string[] {
  if (/^[A-Za-z]{2}$/.test(given)) return [...(before ?? []), given.toUpperCase()];
  throw new InvalidArgumentError("It must be two letters (ISO 3166-1 alpha-2), such as US.");
}
