import assert from "node:assert/strict";
import { type InsightsPlanResponse, providers, rangeBefore } from "@sightline/contract";
import {
  type Adds,
  type Asked,
  type Comparison,
  comparedOf,
  emptyOf,
  parts,
  sideOf,
  Tests,
} from "./compared.ts";
import { contributionsOf, sourceContributionsOf, spreadOfWindows } from "./decomposed.ts";
import { type Both, effective, type Part, promptsMin, total, varianceOf } from "./estimates.ts";
import { groupsOf, type MetricName, metricOf, tagsIn } from "./insights.ts";
import type { OracleAccount } from "./model.ts";
import type { Reading } from "./oracle.ts";
import type { SaidName } from "./said.ts";
import { critical } from "./student.ts";

/** What a change is divided by. */
export const divisions = [
  "prompt",
  "topic",
  "provider",
  "region",
  "domain",
  "model",
  "surface",
  "tag",
] as const;

/** A question for what a change consists of. */
export interface ChangesAsked extends Comparison {
  readonly before: Asked;
  readonly entityId: string;
  readonly metric: MetricName | SaidName;
  readonly by: (typeof divisions)[number];
  readonly limit: number;
}

interface Item {
  readonly key: string | null;
  readonly name: string;
  readonly value: number;
  readonly within: number;
  readonly mix: number;
  readonly before: Part;
  readonly after: Part;
}

/**
 * What POST /v1/insights/changes has to reply.
 *
 * @param listed the keys that the reply lists, in its order: equal sizes may come in any.
 */
export function expectedChanges(
  account: OracleAccount,
  asked: ChangesAsked,
  listed: readonly (string | null)[],
): object {
  const { metric, by, limit, entityId } = asked;
  const [before, after] = [sideOf(account, asked.before), sideOf(account, asked.after)];
  const isTracked = account.workspace.entities.some(({ id }) => id === entityId.toLowerCase());
  const tests = new Tests(asked);
  const [kind, adds] = metricOf(entityId.toLowerCase(), metric);
  const none: Adds = () => ({ a: 0, b: 0 });
  const counted = isTracked ? adds : none;
  const change = tests.compared(before.readings, after.readings, [kind, counted]);
  tests.end();
  const sides: Both<readonly Reading[]> = [before.readings, after.readings];
  const items = change.value === null ? [] : itemsOf(account, sides, { by, adds: counted });
  const own = listed.map((key) => items.find((item) => item.key === key));
  const rest = items.filter(({ key }) => !listed.includes(key));
  assert.equal(listed.length, Math.min(limit, items.length), "as many as are wanted");
  for (const [place, item] of [...own, ...rest].entries()) {
    const last = own[Math.min(place, own.length) - 1];
    assert.ok(item !== undefined && new Set(listed).size === listed.length, "each is listed once");
    assert.ok(
      last === undefined || Math.abs(item.value) <= Math.abs(last.value) + 1e-12,
      "by size",
    );
  }
  return {
    metric,
    by,
    value: change.value,
    parts: change.parts,
    change,
    contributions: own.flatMap((item) =>
      item === undefined ? [] : [{ ...item, ...shownSides(item) }],
    ),
    rest: restOf(rest, by === "domain"),
    empty: emptyOf(account, after),
    compare: comparedOf(account, before, after),
  };
}

function itemsOf(
  account: OracleAccount,
  [before, after]: Both<readonly Reading[]>,
  { by, adds }: { readonly by: ChangesAsked["by"]; readonly adds: Adds },
): readonly Item[] {
  if (by === "domain") return domainItems([before, after], adds);
  const groups = groupsOf(account, by, [...before, ...after]);
  // An answer to a prompt with several tags is divided among them.
  const shares = ({ promptId }: Reading) =>
    by === "tag" ? Math.max(1, tagsIn(account, promptId).length) : 1;
  const added = (readings: readonly Reading[]): Part => {
    const each = readings.map((reading) => ({ of: adds([reading]), shares: shares(reading) }));
    return total(each.map(({ of: { a, b }, shares }) => ({ a: a / shares, b: b / shares })));
  };
  const sums = groups.map(
    ({ has }): Both<Part> => [added(before.filter(has)), added(after.filter(has))],
  );
  const contributions = contributionsOf(sums);
  return groups.map(({ key, name }, place) => {
    const [first, second] = sums[place] ?? [nothing, nothing];
    const own = contributions[place] ?? { value: Number.NaN, within: 0, mix: 0 };
    return { key, name, ...own, before: first, after: second };
  });
}

const nothing: Part = { a: 0, b: 0 };

function domainItems(sides: Both<readonly Reading[]>, adds: Adds): readonly Item[] {
  const answers = sides.map((readings) =>
    readings.map((reading) => {
      return { hit: adds([reading]).a > 0, domains: reading.pages.map(({ domain }) => domain) };
    }),
  );
  const [first = [], second = []] = answers;
  const counts = ([first, second] as const).map((side) => {
    const hits = side.filter(({ hit }) => hit);
    // Compared with nothing, a side's contributions are its own parts.
    const own = sourceContributionsOf([[{ hit: false, domains: [] }], hits]);
    return new Map([...own].map(([domain, share]) => [domain, share * hits.length]));
  });
  const [all1, all2] = [
    total(sides[0].map((each) => adds([each]))),
    total(sides[1].map((each) => adds([each]))),
  ];
  return [...sourceContributionsOf([first, second])].flatMap(([domain, value]) => {
    const [one = 0, two = 0] = counts.map((each) => each.get(domain) || 0);
    if (one === 0 && two === 0) return [];
    const key = domain === "none" ? null : domain;
    const name = key ?? "No citation";
    const [before, after] = [
      { a: one, b: all1.b },
      { a: two, b: all2.b },
    ];
    return [{ key, name, value, within: value, mix: 0, before, after }];
  });
}

function shownSides({ before, after }: Pick<Item, "before" | "after">) {
  const shown = ({ a, b }: Part) => {
    return { value: b === 0 ? null : a / b, numerator: a, denominator: b };
  };
  return { before: shown(before), after: shown(after) };
}

function restOf(rest: readonly Item[], isOfWhole: boolean) {
  const sum = (of: (item: Item) => number) => rest.reduce((all, item) => all + of(item), 0);
  const side = (of: (item: Item) => Part): Part => {
    const [first] = rest;
    const whole = first === undefined ? 0 : of(first).b;
    return { a: sum((item) => of(item).a), b: isOfWhole ? whole : sum((item) => of(item).b) };
  };
  const sides = { before: side(({ before }) => before), after: side(({ after }) => after) };
  return {
    contributions: rest.length,
    value: sum(({ value }) => value),
    within: sum(({ within }) => within),
    mix: sum(({ mix }) => mix),
    ...shownSides(sides),
  };
}

/** A question for a plan. */
export interface PlanAsked {
  readonly window: Asked;
  readonly entityId: string;
  readonly metric: MetricName;
  readonly change: number;
  readonly power: number;
  readonly answersPerPrompt: readonly number[];
}

/**
 * What POST /v1/insights/plan has to reply.
 *
 * @param reply takes what answers cost, and the numbers of prompts and least changes, of which it
 *   is required that they fulfil the planner's equation and that nothing less does.
 */
export function expectedPlan(
  account: OracleAccount,
  { window, entityId, metric, change, power, answersPerPrompt }: PlanAsked,
  reply: InsightsPlanResponse,
): object {
  const before = { ...window, ...rangeBefore(window) };
  const sides = [before, window].map((asked) => sideOf(account, asked).readings);
  const [first = [], second = []] = sides;
  const isTracked = account.workspace.entities.some(({ id }) => id === entityId);
  const [, adds] = metricOf(entityId, metric);
  const ids = [...new Set(sides.flat().map(({ promptId }) => promptId))];
  const prompts = ids.map((id): Both<Part> => {
    const own = ({ promptId }: Reading) => promptId === id;
    return [adds(first.filter(own)), adds(second.filter(own))];
  });
  const isRate = metric !== "rank" && metric !== "shareOfVoice";
  const sums = total(isTracked ? prompts.flat() : []);
  const isMeasured = isTracked && isRate && first.length > 0 && second.length > 0;
  const spread = isMeasured ? spreadOfWindows(prompts) : null;
  const count = parts(second, adds).length;
  const needs: Needs | null = isRate
    ? spread && ((answers, d) => rateNeeds(spread, answers, d))
    : pairedNeeds(isTracked ? prompts : []);
  const asked = { change, power, prompts: count };
  const answered = prompts.map(([, { b }]) => b).filter((b) => b > 0);
  const inverses = answered.reduce((sum, b) => sum + 1 / b, 0);
  const typical = isMeasured && answered.length > 0 ? answered.length / inverses : null;
  const options = answersPerPrompt.map((answers, place) =>
    optionOf(
      needs === null ? null : (d) => needs(answers, d),
      { ...asked, answers },
      reply.options[place],
    ),
  );
  const price = reply.prices.some(({ cost }) => cost === null)
    ? null
    : reply.prices.reduce((sum, { share, cost }) => sum + share * (cost ?? 0), 0);
  const least = Math.min(...options.map(({ requests }) => requests ?? Number.POSITIVE_INFINITY));
  const range = ({ fromMs, toMs }: Asked) => ({
    from: new Date(fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
  });
  return {
    metric,
    rate: spread?.rate ?? (sums.b === 0 ? null : sums.a / sums.b),
    withinVariance: spread?.within ?? null,
    correlation: spread?.correlation ?? null,
    drift: spread?.drift ?? null,
    assumed: isMeasured && prompts.flat().every(({ b }) => b <= 1),
    change,
    power,
    prompts: count,
    now: {
      answersPerPrompt: typical,
      leastChange: leastOf(
        needs === null ? null : (d) => needs(typical ?? 1, d),
        asked,
        reply.now.leastChange,
      ),
    },
    windows: [range(before), range(window)],
    prices: providers.flatMap((provider) => {
      const own = second.filter((reading) => reading.provider === provider).length;
      const cost = reply.prices.find((each) => each.provider === provider)?.cost ?? null;
      return own === 0 ? [] : [{ provider, share: own / second.length, cost }];
    }),
    options: options.map((option) => {
      const cost =
        option.requests === null || price === null || second.length === 0
          ? null
          : option.requests * price;
      const { answersPerPrompt, prompts, requests, leastChange } = option;
      return {
        answersPerPrompt,
        prompts,
        requests,
        cost,
        leastChange,
        isCheapest: isRate && requests === least,
      };
    }),
    empty: emptyOf(account, { asked: window, readings: second }),
  };
}

/** S² of a change d with so many answers a prompt. */
type Needs = (answers: number, d: number) => number;

function rateNeeds(
  { within, drift, correlation }: ReturnType<typeof spreadOfWindows>,
  answers: number,
  d: number,
): number {
  return (2 * within) / answers + drift + correlation * d * (1 - d);
}

/** m*·V of the last change; null: too few effective prompts are in both windows. */
function pairedNeeds(prompts: readonly Both<Part>[]): Needs | null {
  const common = prompts.filter(([x, y]) => x.b > 0 && y.b > 0);
  const sides = [common.map(([x]) => x), common.map(([, y]) => y)];
  const least = Math.min(...sides.map((side) => effective(side.map(({ b }) => b))));
  if (least < promptsMin) return null;
  const variance = varianceOf(sides, [-1, 1]);
  return () => least * variance;
}

interface OptionAsked {
  readonly answers: number;
  readonly change: number;
  readonly power: number;
  readonly prompts: number;
}

function optionOf(
  needs: ((d: number) => number) | null,
  { answers, change, power, prompts: today }: OptionAsked,
  told: InsightsPlanResponse["options"][number] | undefined,
) {
  if (needs === null)
    return { answersPerPrompt: answers, prompts: null, requests: null, leastChange: null };
  /** How far m prompts fall short of showing d. */
  const short = (m: number, d: number) => (factorOf(m, power) * needs(d)) / (m * d * d) - 1;
  const prompts = told?.prompts ?? Number.NaN;
  assert.ok(short(prompts, change) <= 1e-9, `${prompts} prompts show ${change}`);
  assert.ok(prompts === promptsMin || short(prompts - 1, change) > -1e-9, "no fewer do");
  const leastChange = leastOf(needs, { power, prompts: today }, told?.leastChange);
  return { answersPerPrompt: answers, prompts, requests: prompts * answers, leastChange };
}

/** (t(m − 1; .975) + t(m − 1; power))². */
const factorOf = (m: number, power: number) => (critical(m - 1) + critical(m - 1, power)) ** 2;

/** The least change that is told, of which it is required that the planner's equation holds. */
function leastOf(
  needs: ((d: number) => number) | null,
  { power, prompts }: Pick<OptionAsked, "power" | "prompts">,
  told: number | null | undefined,
): number | null {
  if (needs === null || prompts < promptsMin) return null;
  const least = told ?? Number.NaN;
  const rest = factorOf(prompts, power) * needs(least) - prompts * least * least;
  assert.ok(
    Math.abs(rest) < 1e-9,
    `${least} is the least change of ${prompts} prompts, by ${rest}`,
  );
  return least;
}
