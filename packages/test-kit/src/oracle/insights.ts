import {
  type Adds,
  type Asked,
  type Comparison,
  comparedOf,
  emptyOf,
  parts,
  promptsIn,
  providersInOrder,
  sideOf,
  Tests,
} from "./compared.ts";
import { estimated, type Kind } from "./estimates.ts";
import { expectedFacts, type OfService } from "./measurement.ts";
import type { OracleAccount, OraclePrompt } from "./model.ts";
import { byCodeUnit, isRead, type Reading, says, seriesOrder } from "./oracle.ts";
import { expectedReader, type SaidName, saidNames } from "./said.ts";
import { Trends } from "./trends.ts";

/** What answers are grouped by. */
export const groupings = [
  "none",
  "provider",
  "topic",
  "prompt",
  "region",
  "branded",
  "model",
  "surface",
  "tag",
] as const;

/** A question for a summary. */
export interface SummaryAsked extends Comparison {
  readonly groupBy: (typeof groupings)[number];
  readonly withStability: boolean;
  readonly withTrend: boolean;
  /** Null: it is not asked how the numbers were measured. */
  readonly ofService: OfService | null;
  /** Undefined: how answers speak of the entities is asked too. */
  readonly withoutPortrayal?: boolean;
  /** In any case; null: all. */
  readonly entityIds: readonly string[] | null;
}

const ofAnswers =
  (counts: (reading: Reading) => boolean): Adds =>
  (readings) => ({ a: readings.filter(counts).length, b: readings.length });

/** The values of an entity. */
export const metricNames = ["mentions", "visibility", "citations", "rank", "shareOfVoice"] as const;
/** One of them. */
export type MetricName = (typeof metricNames)[number];

/** What answers add to a value of an entity. */
export const metricOf = (id: string, metric: MetricName | SaidName): readonly [Kind, Adds] => {
  return saidNames.some((name) => name === metric)
    ? ["rate", saidOf(id, metric as SaidName)]
    : valuesOf(id)[metric as MetricName];
};

/** What answers that were read add to how often something is said of an entity. */
const saidOf =
  (id: string, name: SaidName): Adds =>
  (readings) => ({
    a: readings.filter((reading) => says(reading, id, name)).length,
    b: readings.filter((reading) => isRead(reading, id)).length,
  });

function valuesOf(id: string): Readonly<Record<MetricName, readonly [Kind, Adds]>> {
  const mentions = ({ mentioned }: Reading) => mentioned.includes(id);
  const cites = ({ cited }: Reading) => cited.includes(id);
  return {
    mentions: ["rate", ofAnswers(mentions)],
    visibility: ["rate", ofAnswers((reading) => mentions(reading) || cites(reading))],
    citations: ["rate", ofAnswers(cites)],
    rank: [
      "rank",
      (readings) => {
        const ranks = readings.filter(mentions).map(({ mentioned }) => mentioned.indexOf(id) + 1);
        return { a: ranks.reduce((sum, rank) => sum + rank, 0), b: ranks.length };
      },
    ],
    shareOfVoice: [
      "rate",
      (readings) => ({
        a: readings.filter(mentions).length,
        b: readings.reduce((sum, { mentioned }) => sum + mentioned.length, 0),
      }),
    ],
  };
}

/** A question for how an entity is named and cited. */
export interface PresenceAsked extends Comparison {
  /** In any case. */
  readonly entityId: string;
}

/** What POST /v1/insights/presence has to reply. */
export function expectedPresence(account: OracleAccount, asked: PresenceAsked): object {
  const after = sideOf(account, asked.after);
  const before = asked.before && sideOf(account, asked.before);
  const tests = new Tests(asked);
  const id = asked.entityId.toLowerCase();
  const isTracked = account.workspace.entities.some((entity) => entity.id === id);
  const shareOf = (isNamed: boolean, isCited: boolean) => {
    const adds: Adds = (readings) => {
      const hits = ({ mentioned, cited }: Reading) =>
        mentioned.includes(id) === isNamed && cited.includes(id) === isCited;
      return isTracked ? ofAnswers(hits)(readings) : { a: 0, b: 0 };
    };
    const value = estimated(parts(after.readings, adds), "rate");
    const change = before && tests.compared(before.readings, after.readings, ["rate", adds]);
    return change === null ? value : { ...value, change };
  };
  const ways = {
    both: shareOf(true, true),
    mentionedOnly: shareOf(true, false),
    citedOnly: shareOf(false, true),
    neither: shareOf(false, false),
  };
  return {
    entityId: id,
    answers: after.readings.length,
    prompts: promptsIn(after.readings).length,
    ...ways,
    tests: tests.end(),
    empty: emptyOf(account, after),
    ...(before === null ? {} : { compare: comparedOf(account, before, after) }),
  };
}

/** What POST /v1/insights/summary has to reply. */
export function expectedSummary(account: OracleAccount, asked: SummaryAsked): object {
  const after = sideOf(account, asked.after);
  const before = asked.before && sideOf(account, asked.before);
  const [tests, saidTests] = [new Tests(asked), new Tests(asked)];
  const withPortrayal = asked.withoutPortrayal !== true;
  const trends = asked.withTrend ? new Trends(asked.after, asked.threshold) : null;
  const { workspace } = account;
  const wanted = asked.entityIds?.map((id) => id.toLowerCase());
  const entities = [...workspace.entities]
    .sort(seriesOrder)
    .filter(({ id }) => wanted === undefined || wanted.includes(id));
  const groups = groupsOf(account, asked.groupBy, [
    ...after.readings,
    ...(before?.readings ?? []),
  ]).map(({ key, name, has }) => {
    const [own, other] = [after.readings.filter(has), before?.readings.filter(has)];
    const adds = ofAnswers(({ mentioned }) => mentioned.length > 0);
    const informative = estimated(parts(own, adds), "rate");
    const prompts = promptsIn(own).length;
    const values = (id: string) =>
      Object.entries(valuesOf(id)).map(([metric, [kind, adds]]) => {
        const value = estimated(parts(own, adds), kind);
        const change = other === undefined ? null : tests.compared(other, own, [kind, adds]);
        const compared = change === null ? value : { ...value, change };
        return [metric, trends === null ? compared : { ...compared, trend: trends.of(own, adds) }];
      });
    const portrayalOf = (id: string) => {
      const mentioning = own.filter(({ mentioned }) => mentioned.includes(id));
      const said = saidNames.map((name) => {
        const adds = saidOf(id, name);
        const value = estimated(parts(own, adds), "rate");
        const change = other && saidTests.compared(other, own, ["rate", adds]);
        return [name, change === undefined ? value : { ...value, change }];
      });
      const reader = expectedReader(mentioning.map(({ said: { language } }) => language));
      return { portrayal: { reader, ...Object.fromEntries(said) } };
    };
    return {
      key,
      name,
      answers: own.length,
      prompts,
      lastAnsweredAt: own.length === 0 ? null : newestOf(own),
      informative,
      flags: informative.flags.filter((flag) => flag !== "noVariation"),
      ...(asked.withStability ? { stability: stabilityOf(own) } : {}),
      entities: entities.map(({ id, name }) => ({
        id,
        name,
        ...Object.fromEntries(values(id)),
        ...(withPortrayal ? portrayalOf(id) : {}),
      })),
    };
  });
  trends?.end();
  return {
    groupBy: asked.groupBy,
    groups,
    tests: tests.end(),
    ...(before === null || !withPortrayal ? {} : { portrayalTests: saidTests.end() }),
    empty: emptyOf(account, after),
    ...factsOf(asked.after),
    ...(before === null
      ? {}
      : { compare: { ...comparedOf(account, before, after), ...factsOf(before.asked) } }),
  };

  function factsOf(side: Asked): object {
    if (asked.ofService === null) return {};
    return { facts: expectedFacts(account, side, asked.ofService) };
  }
}

function newestOf(readings: readonly Reading[]): string {
  const [newest = 0] = readings.map(({ at }) => at).toSorted((a, b) => b - a);
  return new Date(newest).toISOString();
}

/** The mean likeness of what consecutive answers cite; each pair is compared by itself. */
function stabilityOf(readings: readonly Reading[]): object {
  const likenesses = readings.flatMap((reading, place) => {
    const earlier = readings.filter(
      (each, other) =>
        each.promptId === reading.promptId &&
        each.provider === reading.provider &&
        each.region === reading.region &&
        (each.at < reading.at || (each.at === reading.at && other < place)),
    );
    const last = earlier.toSorted((a, b) => a.at - b.at).at(-1);
    const [own, others] = [reading, last].map(
      (each) => new Set(each?.pages.map(({ domain }) => domain)),
    );
    const either = new Set([...(own ?? []), ...(others ?? [])]).size;
    if (last === undefined || either === 0) return [];
    return [[...(own ?? [])].filter((domain) => others?.has(domain)).length / either];
  });
  const pairs = likenesses.length;
  const sum = likenesses.reduce((total, each) => total + each, 0);
  return { value: pairs < 20 ? null : sum / pairs, pairs };
}

/** Answers that have something in common. */
export interface Group {
  readonly key: string | null;
  readonly name: string;
  readonly has: (reading: Reading) => boolean;
}

/** The tags of a prompt. */
export function tagsIn({ workspace }: OracleAccount, promptId: string): readonly string[] {
  return workspace.prompts.find(({ id }) => id === promptId)?.tags ?? [];
}

/** An answer is in the group of each tag of its prompt. */
function tagGroups(account: OracleAccount, readings: readonly Reading[]): readonly Group[] {
  const tagsOf = ({ promptId }: Reading) => tagsIn(account, promptId);
  const tags = [...new Set(readings.flatMap(tagsOf))];
  const groups = tags
    .toSorted((a, b) => byCodeUnit(a.toLowerCase(), b.toLowerCase()))
    .map((tag): Group => ({ key: tag, name: tag, has: (each) => tagsOf(each).includes(tag) }));
  const hasNone = (reading: Reading) => tagsOf(reading).length === 0;
  return readings.some(hasNone) ? [...groups, { key: null, name: "No tag", has: hasNone }] : groups;
}

/** The groups of answers, in the order of a reply. */
export function groupsOf(
  account: OracleAccount,
  groupBy: SummaryAsked["groupBy"],
  readings: readonly Reading[],
): readonly Group[] {
  if (groupBy === "tag") return tagGroups(account, readings);
  const { workspace } = account;
  const promptOf = ({ promptId }: Reading): OraclePrompt | undefined =>
    workspace.prompts.find(({ id }) => id === promptId);
  const keys: Readonly<Record<typeof groupBy, (reading: Reading) => string | null>> = {
    none: () => null,
    provider: ({ provider }) => provider,
    topic: (reading) => promptOf(reading)?.topicId ?? null,
    prompt: ({ promptId }) => promptId,
    region: ({ region }) => region,
    branded: (reading) => String(promptOf(reading)?.branded),
    model: ({ model }) => model,
    surface: ({ surface }) => surface,
  };
  const named: Readonly<Record<typeof groupBy, (key: string) => string>> = {
    none: String,
    provider: String,
    topic: (key) => workspace.topics.find(({ id }) => id === key)?.name ?? key,
    prompt: (key) => workspace.prompts.find(({ id }) => id === key)?.text ?? key,
    region: String,
    branded: (key) => (key === "true" ? "Branded" : "Not branded"),
    model: String,
    surface: String,
  };
  const unknown = { none: "All answers", model: "Model not known", surface: "Surface not known" };
  const nothing = (unknown as Readonly<Record<string, string>>)[groupBy] ?? `No ${groupBy}`;
  const groups = [...new Set(readings.map(keys[groupBy]))].map((key): Group => {
    const name = key === null ? nothing : named[groupBy](key);
    return { key, name, has: (reading) => keys[groupBy](reading) === key };
  });
  return groups.sort((left, right) => {
    if (left.key === null || right.key === null) return left.key === null ? 1 : -1;
    if (groupBy === "provider") return placeOf(left.key) - placeOf(right.key);
    const byName = byCodeUnit(left.name.toLowerCase(), right.name.toLowerCase());
    return byName === 0 ? byCodeUnit(left.key, right.key) : byName;
  });
}

const placeOf = (provider: string) => providersInOrder.indexOf(provider);
