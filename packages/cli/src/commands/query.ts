import type { MetricName } from "@sightline/contract";
import { Command } from "commander";
import { type CommandIo, processIo } from "../command-io.ts";
import { withConnectionOptions } from "../connection/connection.ts";
import { type Example, withExamples } from "../examples.ts";
import { askAnswers } from "../questions/ask-answers.ts";
import { askChanges } from "../questions/ask-changes.ts";
import { askGaps } from "../questions/ask-gaps.ts";
import { askLife } from "../questions/ask-life.ts";
import { askNames } from "../questions/ask-names.ts";
import { askPresence } from "../questions/ask-presence.ts";
import { askQueries } from "../questions/ask-queries.ts";
import { askSeries } from "../questions/ask-series.ts";
import { askSources } from "../questions/ask-sources.ts";
import { askPortrayal, askSummary } from "../questions/ask-summary.ts";
import { askWorkspace } from "../questions/ask-workspace.ts";
import {
  type AnswersOptions,
  type ChangesOptions,
  type PortrayalOptions,
  type SeriesOptions,
  type SourcesOptions,
  type SummaryOptions,
  type WorkspaceOptions,
  withAnswersOptions,
  withChangesOptions,
  withOutputOptions,
  withPortrayalOptions,
  withSeriesOptions,
  withSourcesOptions,
  withSummaryOptions,
} from "../questions/question-options.ts";
import {
  type GapsOptions,
  type LifeOptions,
  type NamesOptions,
  type PresenceOptions,
  type QueriesOptions,
  withGapsOptions,
  withLifeOptions,
  withNamesOptions,
  withPresenceOptions,
  withQueriesOptions,
} from "../questions/source-options.ts";

interface SeriesCommand {
  readonly metric: MetricName;
  readonly description: string;
  readonly examples: readonly Example[];
}

/** The time series by the name of their command. */
const seriesCommands: Readonly<Record<string, SeriesCommand>> = {
  mentions: {
    metric: "mentions",
    description: "how often each is mentioned",
    examples: [
      ["sightline query mentions", "the last 30 days, day by day"],
      ["sightline query mentions --from 12w --interval weekly --plot", "twelve weeks as a chart"],
      [
        'sightline query mentions --topic "Sleeping bags" --provider OPENAI GEMINI --no-branded',
        "one topic, two providers, without prompts that name the brand",
      ],
      [
        "sightline query mentions --from last-month --to this-month --format csv",
        "the whole of last month, for a spreadsheet",
      ],
    ],
  },
  visibility: {
    metric: "overall-visibility",
    description: "how often each is visible: mentioned or cited",
    examples: [["sightline query visibility --from 2026-01-01 --plot", "this year as a chart"]],
  },
  citations: {
    metric: "citations",
    description: "how often each one's own pages are cited",
    examples: [["sightline query citations --region US --from 90d", "in one region, 90 days"]],
  },
  rank: {
    metric: "rank",
    description: "the mean place of each in the order of first mention",
    examples: [
      ['sightline query rank --prompt "two-person tent"', "one prompt, by a part of its text"],
    ],
  },
};

/** `sightline query`: asks a service, here or elsewhere, and shows the reply. */
export function queryCommand(io: CommandIo = processIo): Command {
  const query = new Command("query");
  for (const [name, { metric, description, examples }] of Object.entries(seriesCommands)) {
    const command = withSeriesOptions(new Command(name).description(description));
    if (metric !== name) command.alias(metric);
    command.action((options: SeriesOptions) => askSeries(metric, options, io));
    query.addCommand(withExamples(command, ...examples));
  }
  query
    .addCommand(sourcesCommand(io))
    .addCommand(answersCommand(io))
    .addCommand(summaryCommand(io))
    .addCommand(portrayalCommand(io))
    .addCommand(changesCommand(io))
    .addCommand(gapsCommand(io))
    .addCommand(presenceCommand(io))
    .addCommand(lifeCommand(io))
    .addCommand(queriesCommand(io))
    .addCommand(namesCommand(io))
    .addCommand(workspaceCommand(io));
  return withExamples(
    query,
    ["sightline query workspace", "what can be queried"],
    ["sightline query mentions --from 30d --plot", "a chart of the last 30 days"],
    ["sightline query sources --group-by url", "the pages cited most"],
  );
}

function sourcesCommand(io: CommandIo): Command {
  const command = new Command("sources").description("the domains or URLs that are cited most");
  withSourcesOptions(command).action((options: SourcesOptions) => askSources(options, io));
  return withExamples(
    command,
    ["sightline query sources", "the first 20 domains of the last 30 days"],
    ["sightline query sources --group-by url --limit 100 --offset 100", "the second 100 URLs"],
    ["sightline query sources --all --format ndjson", "every domain, a line each"],
  );
}

function answersCommand(io: CommandIo): Command {
  const command = new Command("answers").description(
    "the answers behind a value, with each mention marked",
  );
  withAnswersOptions(command).action((options: AnswersOptions) => askAnswers(options, io));
  return withExamples(
    command,
    ["sightline query answers --entity Acme", "the newest that mention it"],
    [
      "sightline query answers --entity Acme --role not-visible --no-branded",
      "where it is missing",
    ],
    ["sightline query answers --source-domain example.org", "those that cite a domain"],
    ["sightline query answers --all --format ndjson", "every answer of 30 days, a line each"],
  );
}

function summaryCommand(io: CommandIo): Command {
  const command = new Command("summary").description(
    "every value of each over the whole range, with its 95 % interval",
  );
  withSummaryOptions(command).action((options: SummaryOptions) => askSummary(options, io));
  return withExamples(
    command,
    ["sightline query summary --from 90d", "one table of the last 90 days"],
    ["sightline query summary --entity Acme Globex --group-by topic", "two of them, by topic"],
    ["sightline query summary --compare previous", "what changed against the 30 days before"],
    ["sightline query summary --compare previous --parts", "the same with the parts of each"],
    ["sightline query summary --group-by provider --format csv", "each provider, a line a value"],
  );
}

function portrayalCommand(io: CommandIo): Command {
  const command = new Command("portrayal").description(
    "how answers speak of each: recommended, praised, criticized, discouraged, not found",
  );
  withPortrayalOptions(command).action((options: PortrayalOptions) => askPortrayal(options, io));
  return withExamples(
    command,
    ["sightline query portrayal --from 90d", "one table of the last 90 days"],
    ["sightline query portrayal --group-by topic --entity Acme", "one of them, by topic"],
    ["sightline query portrayal --compare previous", "what changed against the 30 days before"],
    [
      "sightline query answers --entity Acme --role criticized",
      "the answers that criticize one of them",
    ],
  );
}

function changesCommand(io: CommandIo): Command {
  const command = new Command("changes").description(
    "why a value changed: its parts, and what contributes to the change",
  );
  withChangesOptions(command).action((options: ChangesOptions) => askChanges(options, io));
  return withExamples(
    command,
    ["sightline query changes", "which prompts moved the brand's visibility"],
    ["sightline query changes --metric citations --by domain", "by the domains that are cited"],
    [
      "sightline query changes --entity Globex --metric rank --by provider --compare year-ago",
      "a competitor's rank, by provider, against a year before",
    ],
    ["sightline query changes --limit 500 --format csv", "500 prompts, with their answers"],
  );
}

function gapsCommand(io: CommandIo): Command {
  const command = new Command("gaps").description(
    "cited sources, and who is visible where they are cited; the greatest opportunity first",
  );
  withGapsOptions(command).action((options: GapsOptions) => askGaps(options, io));
  return withExamples(
    command,
    ["sightline query gaps --from 90d", "domains where competitors are visible without you"],
    ["sightline query gaps --group-by url --limit 100", "the first 100 pages"],
    ["sightline query gaps --order-by citations", "the sources cited most first"],
    ["sightline query gaps --group-by url --source-domain example.org", "the pages of a domain"],
    ["sightline query gaps --class review forum --group-by url", "pages of reviews and forums"],
    ["sightline query gaps --compare previous", "which sources are cited more than before"],
  );
}

function presenceCommand(io: CommandIo): Command {
  const command = new Command("presence").description(
    "in how many answers one is named and cited, named only, cited only, or neither",
  );
  withPresenceOptions(command).action((options: PresenceOptions) => askPresence(options, io));
  return withExamples(
    command,
    ["sightline query presence --from 90d", "the brand, in the answers of 90 days"],
    ["sightline query presence --entity Globex --compare previous", "a competitor, and what moved"],
  );
}

function lifeCommand(io: CommandIo): Command {
  const command = new Command("life").description(
    "how long citations last: the median, and how many are left after 28 days",
  );
  withLifeOptions(command).action((options: LifeOptions) => askLife(options, io));
  return withExamples(
    command,
    ["sightline query life --from 90d", "by class of sources, over 90 days"],
    ["sightline query life --from 90d --by page --limit 500", "the pages won and lost"],
  );
}

function queriesCommand(io: CommandIo): Command {
  const command = new Command("queries").description(
    "what assistants searched the web for, and how often one is named and cited afterwards",
  );
  withQueriesOptions(command).action((options: QueriesOptions) => askQueries(options, io));
  return withExamples(
    command,
    ["sightline query queries --from 90d", "the queries of the most answers"],
    ['sightline query queries --prompt "two-person tent" --format csv', "those of one prompt"],
  );
}

function namesCommand(io: CommandIo): Command {
  const command = new Command("names").description(
    "names that answers have and nobody tracks: likely brands, and likely aliases",
  );
  withNamesOptions(command).action((options: NamesOptions) => askNames(options, io));
  return withExamples(
    command,
    ["sightline query names --from 90d", "the names of the most answers"],
    ["sightline query names --from 90d --limit 100 --format csv", "a hundred, for a sheet"],
  );
}

function workspaceCommand(io: CommandIo): Command {
  const command = new Command("workspace").description(
    "what is tracked, and which providers, regions and dates there are",
  );
  withOutputOptions(withConnectionOptions(command)).action((options: WorkspaceOptions) =>
    askWorkspace(options, io),
  );
  return withExamples(command, [
    "sightline query workspace --format csv",
    "ids and names of topics and prompts, for a spreadsheet",
  ]);
}
