import {
  type CollectionFailedEvent,
  type DigestEvent,
  type MovedEvent,
  providerNames,
  type ReportMadeEvent,
  type SummaryMetricName,
  sizeText,
  summaryMetricNames,
  type ThresholdCrossedEvent,
  type WebhookEvent,
} from "@sightline/contract";
import {
  consoleLink,
  counted,
  daysText,
  dayText,
  type Message,
  type MessageContext,
  metricWords,
  named,
  oneLine,
  periodOf,
  sizeOf,
  valueText,
} from "./message-words.ts";

/** An event in words. Names in it are as they were given, on one line. */
export function messageOf(event: WebhookEvent, context: MessageContext): Message {
  const { title, lines, link } = wordsOf(event, context);
  const account = `Account: ${named(context.accountName)}`;
  return { title: oneLine(title), lines: [...lines, account].map(oneLine), link };
}

function wordsOf(event: WebhookEvent, context: MessageContext): Message {
  switch (event.type) {
    case "digest":
      return digestMessage(event.data, context);
    case "moved":
      return movedMessage(event.data, context);
    case "threshold-crossed":
      return thresholdMessage(event.data, context);
    case "collection-failed":
      return collectionFailedMessage(event.data, context);
    case "report-made":
      return reportMessage(event.data, context);
    case "test":
      return { title: "Test of a webhook", lines: [event.data.message], link: null };
  }
}

type Summary = DigestEvent["data"]["summary"];
type Entity = Summary["groups"][number]["entities"][number];

/** Competitors whose mentions moved, in a digest. */
const competitorsShown = 5;

function digestMessage(
  { timeRange, summary, expectedFalse }: DigestEvent["data"],
  context: MessageContext,
): Message {
  const [group] = summary.groups;
  const [brand, ...others] = group?.entities ?? [];
  const week = `week of ${daysText(timeRange)}`;
  const link = consoleLink(context, "Open the week", { period: periodOf(timeRange) });
  if (group === undefined || brand === undefined || summary.empty !== null) {
    return { title: `The ${week}`, lines: [emptyText(summary.empty)], link };
  }
  const moved = others.filter(({ mentions }) => mentions.change?.verdict === "moved");
  const lines = [
    ...summaryMetricNames.map((metric) => metricLine(metric, brand[metric])),
    ...moved.slice(0, competitorsShown).map(competitorLine),
    ...(moved.length > competitorsShown
      ? [`${counted(moved.length - competitorsShown, "more competitor")} moved.`]
      : []),
    `${counted(group.answers, "answer")} to ${counted(group.prompts, "prompt")}, compared with ` +
      `the week before. Of 52 digests, at most ${expectedFalse} say "moved" by chance alone.`,
  ];
  return { title: `${named(brand.name)}: ${week}`, lines, link };
}

function emptyText(empty: Summary["empty"]): string {
  if (empty?.reason === "uninformative") return "No answer names the brand or a competitor.";
  return empty?.reason === "noAnswers" ? "There are no answers yet." : "No answers of this week.";
}

function metricLine(metric: SummaryMetricName, estimated: Entity[SummaryMetricName]): string {
  const { name } = metricWords[metric];
  const became = verdictText(metric, estimated.change);
  const title = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
  return `${title}: ${valueText(metric, estimated)}${became === "" ? "" : `, ${became}`}`;
}

function competitorLine({ name, mentions }: Entity): string {
  return `${named(name)}: mentions ${verdictText("mentions", mentions.change)}`;
}

type Change = Entity["mentions"]["change"];

/** What became of a value, by the verdict; empty: nothing is said of it. */
function verdictText(metric: SummaryMetricName, change: Change): string {
  switch (change?.verdict) {
    case "moved":
      return movedText(metric, change.parts?.likeForLike ?? 0);
    case "within-noise":
      return "no change beyond noise";
    case "insufficient":
      return "too few prompts to tell a change";
    case "discontinuous":
      return "other models or surfaces answered than before";
    default:
      return "";
  }
}

/** Of ranks less is better, so that "up" could be read both ways. */
function movedText(metric: SummaryMetricName, likeForLike: number): string {
  const [more, less] = metric === "rank" ? ["worsened", "improved"] : ["moved up", "moved down"];
  const way = likeForLike > 0 ? more : less;
  return `${way} by ${sizeText(metric, Math.abs(likeForLike))}, like for like`;
}

function movedMessage(
  { entity, metrics, timeRange }: MovedEvent["data"],
  context: MessageContext,
): Message {
  const [first, ...others] = metrics;
  const name = named(entity.name);
  const title =
    first === undefined || others.length > 0
      ? `${name}: ${counted(metrics.length, "value")} moved`
      : `${name}: ${metricWords[first.metric].name} moved`;
  const days = `The 7 days to ${dayText(Date.parse(timeRange.to) - 1)}, compared with the 7 before`;
  return {
    title,
    lines: [
      ...metrics.map(({ metric, ...estimated }) => metricLine(metric, estimated)),
      `${days}; seen on three days in succession.`,
    ],
    link: consoleLink(context, "Open these days", { period: periodOf(timeRange) }),
  };
}

function thresholdMessage(
  { state, threshold, entity, timeRange, ...estimated }: ThresholdCrossedEvent["data"],
  context: MessageContext,
): Message {
  const { metric, below, above, days, filters } = threshold;
  const { name, are } = metricWords[metric];
  const beyond = below === undefined ? "above" : "below";
  const limit = sizeOf(metric, below ?? above ?? 0);
  const verb = state === "recovered" ? `${are} no longer` : are;
  const answers = ["rank", "shareOfVoice"].includes(metric)
    ? counted(estimated.effectivePrompts, "effective prompt")
    : counted(estimated.denominator, "answer");
  const only = filterTexts(filters);
  return {
    title: `${named(entity.name)}: ${name} ${verb} ${beyond} ${limit}`,
    lines: [
      metricLine(metric, estimated),
      `${answers} of the ${days} days to ${dayText(Date.parse(timeRange.to) - 1)}.`,
      ...(only.length === 0 ? [] : [`Only ${only.join("; ")}.`]),
    ],
    link: consoleLink(context, "Open these days", {
      period: periodOf(timeRange),
      ...filterParameters(filters),
    }),
  };
}

type StoredFilters = ThresholdCrossedEvent["data"]["threshold"]["filters"];

/** What a value is limited to; ids are counted, for they say nothing. */
function filterTexts(filters: StoredFilters = {}): readonly string[] {
  const { providers = [], topics = [], promptIds = [], regions = [], branded } = filters;
  const { models = [], surfaces = [], tags = [] } = filters;
  const listed = (what: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`${what} ${names.map(named).join(", ")}`];
  return [
    ...listed(
      "answers of",
      providers.map((provider) => providerNames[provider] ?? provider),
    ),
    ...(topics.length === 0 ? [] : [counted(topics.length, "topic")]),
    ...(promptIds.length === 0 ? [] : [counted(promptIds.length, "prompt")]),
    ...listed("prompts with the tag", tags),
    ...listed(
      "region",
      regions.map(({ code }) => code),
    ),
    ...listed("model", models),
    ...listed("surface", surfaces),
    ...(branded === undefined ? [] : [branded ? "branded prompts" : "prompts without the brand"]),
  ];
}

/** The same filters in the console's address. */
function filterParameters(filters: StoredFilters = {}): Readonly<Record<string, string>> {
  const { providers = [], topics = [], promptIds = [], regions = [], branded } = filters;
  const { models = [], surfaces = [], tags = [] } = filters;
  // A list is separated by commas, which a model's name and a tag may have.
  const escaped = (name: string) => name.replaceAll("%", "%25").replaceAll(",", "%2C");
  const lists = {
    providers,
    topics: topics.map(({ id }) => id),
    prompts: promptIds,
    regions: regions.map(({ code }) => code),
    models: models.map(escaped),
    surfaces,
    tags: tags.map(escaped),
    branded: branded === undefined ? [] : [String(branded)],
  };
  const given = Object.entries(lists).filter(([, list]) => list.length > 0);
  return Object.fromEntries(given.map(([name, list]) => [name, list.join(",")]));
}

function collectionFailedMessage(
  data: CollectionFailedEvent["data"],
  context: MessageContext,
): Message {
  const { provider, surface, failedSweeps, heldBack, slot, jobs, reasons } = data;
  const name = `${providerNames[provider] ?? provider}${surface === "api" ? "" : " (web page)"}`;
  return {
    title:
      heldBack === true
        ? `Answers of ${name} look wrong and do not count`
        : `${name} gave no answer in ${counted(failedSweeps, "sweep")}`,
    lines: [
      `The latest sweep was due at ${slot.slice(0, 16).replace("T", " ")} UTC, with ` +
        `${counted(jobs, "answer")} of it.`,
      ...reasons.map(({ reason, jobs: of }) => `${named(reason)}: ${counted(of, "answer")}`),
    ],
    link: consoleLink(context, "Open collection", { page: "setup", _tab: "collection" }),
  };
}

function reportMessage(
  { name, timeRange, address }: ReportMadeEvent["data"],
  context: MessageContext,
): Message {
  const own = address === null ? null : { text: "Open the report", url: address };
  return {
    title: `Report: ${named(name)}`,
    lines: [`About ${daysText(timeRange)}.`],
    link: own ?? consoleLink(context, "Open the console"),
  };
}
