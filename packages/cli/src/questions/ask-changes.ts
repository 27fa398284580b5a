import type {
  ChangesMetricName,
  ContributionGrouping,
  InsightsChangesResponse,
} from "@sightline/client";
import type { Exclude } from "@sightline/contract";
import type { CommandIo } from "../command-io.ts";
import { connectionOf } from "../connection/connection.ts";
import { withClient } from "../connection/with-client.ts";
import { changesTable } from "../output/changes-table.ts";
import {
  type AnswersCommands,
  contributionFields,
  contributionRecords,
} from "../output/insight-records.ts";
import { dayText } from "../output/series-table.ts";
import type { Terminal } from "../output/terminal.ts";
import { CommandError } from "../result.ts";
import { comparisonOf } from "./compared-range.ts";
import { emptyHint } from "./empty-hint.ts";
import { type Chosen, chosenOf } from "./filters.ts";
import { entityOf } from "./names.ts";
import { formatOf, printReply } from "./print-reply.ts";
import { type ChangesOptions, contributionsUnlessSaid, includedFacts } from "./question-options.ts";
import { type TimeRange, timeRangeOf } from "./time-range.ts";

/** Asks for what the change of a value consists of, and prints it. */
export async function askChanges(options: ChangesOptions, io: CommandIo): Promise<void> {
  const now = io.now();
  const timeRange = timeRangeOf(options, now);
  const { compared, fieldsFor } = comparisonOf(options, timeRange, now);
  const connection = await connectionOf(options, io);
  await withClient(connection, async (client) => {
    const chosen = await chosenOf(options, timeRange, () => client.workspace());
    const { metric, by, limit = contributionsUnlessSaid } = options;
    const { compare, ...thresholds } = fieldsFor(chosen);
    if (compared === null || compare === undefined) throw new CommandError("--compare: empty.", 2);
    const entity = await entityOf(options.entity, client);
    const asked = { entityId: entity.id, metric, by, limit, ...chosen, compare };
    const reply: InsightsChangesResponse = await client.insights.changes({
      ...asked,
      ...thresholds,
      ...includedFacts(options),
    });
    const commands = answersCommands({ by, metric, entityId: entity.id, chosen }, [
      compared,
      timeRange,
    ]);
    const format = formatOf(options, io);
    const shown = { entity: entity.name, ranges: { timeRange, compared }, commands };
    const printable = {
      document: reply,
      table: (terminal: Terminal) => changesTable(reply, shown, terminal),
      fields: contributionFields,
      records: () => contributionRecords(reply, commands),
      facts: reply.facts,
    };
    printReply(format, printable, io);
    if (format === "table") io.stderr.write(emptyHint(reply.empty));
  });
}

/** The answers of contributions. */
interface ContributedAnswers {
  readonly by: ContributionGrouping;
  readonly metric: ChangesMetricName;
  readonly entityId: string;
  /** Of the whole change. */
  readonly chosen: Chosen;
}

/** What an entity is in the answers that a metric's numerator counts. */
const roles: Readonly<Record<ChangesMetricName, string>> = {
  mentions: "mentioned",
  visibility: "visible",
  citations: "cited",
  rank: "mentioned",
  shareOfVoice: "mentioned",
  recommended: "recommended",
  praised: "praised",
  criticized: "criticized",
  discouraged: "discouraged",
  notFound: "not-found",
};

const flags: Readonly<Record<ContributionGrouping, string>> = {
  prompt: "--prompt",
  topic: "--topic",
  provider: "--provider",
  region: "--region",
  domain: "--source-domain",
  model: "--model",
  surface: "--surface",
  tag: "--tag",
};

/** The commands that show in which answers of both ranges the entity counts for a contribution. */
function answersCommands(
  { by, metric, entityId, chosen: { filters, exclude } }: ContributedAnswers,
  [before, after]: readonly [before: TimeRange, after: TimeRange],
): AnswersCommands {
  const { providers = [], topics = [], promptIds = [], regions = [], branded } = filters;
  const { models = [], surfaces = [], tags = [] } = filters;
  // A topic and prompts cannot both be filters, and prompts of one tag have others too.
  const hasFilter = by === "tag" ? tags.length === 0 : by !== "topic" || promptIds.length === 0;
  const list = (flag: string, values: readonly string[]) =>
    (hasFilter && flag === flags[by]) || values.length === 0 ? [] : [flag, ...values];
  const topicIds = by === "prompt" ? [] : topics.map(({ id }) => id);
  const words = [
    ...excludeWords(exclude ?? {}),
    ...list("--provider", providers),
    ...list("--topic", topicIds),
    ...list("--prompt", promptIds),
    ...list(
      "--region",
      regions.map(({ code }) => code),
    ),
    ...list("--model", models.map(shellWord)),
    ...list("--surface", surfaces),
    ...list("--tag", tags.map(shellWord)),
    ...(branded === undefined ? [] : [branded ? "--branded" : "--no-branded"]),
  ];
  const command = ({ from, to }: TimeRange) => {
    const counted = ["--entity", entityId, "--role", roles[metric]];
    const range = ["--from", dayText(from), "--to", dayText(to)];
    return ["sightline query answers", ...counted, ...range, ...words].join(" ");
  };
  return {
    before: command(before),
    after: command(after),
    filterOf: (key) => (key === null || !hasFilter ? null : `${flags[by]} ${shellWord(key)}`),
  };
}

/** What is left out, as options. */
function excludeWords(exclude: Exclude): readonly string[] {
  const { providers, topics, promptIds, regions, models, surfaces, tags } = exclude;
  const list = (name: string, values: readonly string[] = []) =>
    values.length === 0 ? [] : [`--exclude-${name}`, ...values];
  return [
    ...list("provider", providers),
    ...list(
      "topic",
      topics?.map(({ id }) => id),
    ),
    ...list("prompt", promptIds),
    ...list(
      "region",
      regions?.map(({ code }) => code),
    ),
    ...list("model", models?.map(shellWord)),
    ...list("surface", surfaces),
    ...list("tag", tags?.map(shellWord)),
  ];
}

/** A domain is a text of the open web. */
function shellWord(word: string): string {
  return /^[\w.:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
