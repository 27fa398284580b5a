import type { DeclaredWorkspaceResponse, Provider } from "@sightline/client";
import type { Draft } from "../accounts/draft.ts";
import { countOf, dollarsText } from "../data/format.ts";
import { providerName, regionName } from "../data/names.ts";
import { type AskChoice, plainChoice } from "./ask-choice.ts";
import { scheduleOf, scheduleText } from "./schedule.ts";

/** What the workspace file says of collection. */
export type Rules = NonNullable<DeclaredWorkspaceResponse["collection"]>;

/** A provider to ask: its name, or with how to ask it. */
export type Asked = NonNullable<Rules["providers"]>[number];

/** The provider of an item. */
export const providerOf = (item: Asked): Provider =>
  typeof item === "string" ? item : item.provider;

const providersOf = ({ providers = [] }: Rules): readonly Provider[] => [
  ...new Set(providers.map(providerOf)),
];

/** What is asked, in words, a line each. */
export function planWords(rules: Rules): readonly string[] {
  const { cron, timeZone = "UTC", samples = 1, regions = [], caps } = rules;
  const schedule = scheduleText(scheduleOf(cron));
  const names = providersOf(rules).map(providerName).join(", ");
  const where = regions.length === 0 ? "" : `, in ${regions.map(regionName).join(", ")}`;
  const dollars = caps?.dollarsPerDay;
  return [
    cron === undefined ? schedule : `${schedule} (${timeZone})`,
    names === "" ? "No provider" : names,
    `${countOf(samples, "sample")} of each prompt${where}`,
    dollars === undefined ? "No limit of dollars a day" : `At most ${dollarsText(dollars)} a day`,
  ];
}

/** What an estimate is asked for: what is not edited is as it is saved, models and all. */
export function choiceOf(rules: Rules, before: Rules): AskChoice {
  const { samples = 1, regions = [] } = rules;
  const [now, saved] = [providersOf(rules), providersOf(before)];
  return {
    ...plainChoice,
    providers: sameText(now, saved) ? [] : now,
    regions: sameText(regions, before.regions ?? []) ? [] : regions,
    samples: samples === (before.samples ?? 1) ? null : samples,
  };
}

/** The rules with a field of another value; undefined: without it. */
export function withRule<Field extends keyof Rules>(
  rules: Rules,
  field: Field,
  value: Rules[Field] | undefined,
): Rules {
  const { [field]: _before, ...rest } = rules;
  return value === undefined ? (rest as Rules) : { ...rules, [field]: value };
}

/** The rules with a provider asked or not; one that was asked before is asked in the same way. */
export function withProvider(
  rules: Rules,
  before: Rules,
  provider: Provider,
  isAsked: boolean,
): Rules {
  const isIts = (item: Asked) => providerOf(item) === provider;
  const others = (rules.providers ?? []).filter((item) => !isIts(item));
  const its = before.providers?.filter(isIts) ?? [];
  const added = isAsked ? (its.length > 0 ? its : [provider]) : [];
  // In the saved order, so that what is taken out and put back changes nothing.
  const order = (item: Asked) => {
    const at = before.providers?.findIndex((each) => sameText(each, item)) ?? -1;
    return at < 0 ? Number.POSITIVE_INFINITY : at;
  };
  const items = [...others, ...added].toSorted((one, other) => {
    const [first, second] = [order(one), order(other)];
    return first === second ? 0 : first - second;
  });
  return withRule(rules, "providers", items.length === 0 ? undefined : items);
}

const sameText = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** The rules with another model of a provider's item. */
export function withModel(rules: Rules, item: Asked, model: string): Rules {
  if (typeof item === "string") return rules;
  const items = (rules.providers ?? []).map((each) => (each === item ? { ...item, model } : each));
  return withRule(rules, "providers", items);
}

/** The rules with a cap of dollars per UTC day; undefined: without it. Other caps stay. */
export function withCap(rules: Rules, dollarsPerDay: number | undefined): Rules {
  const { dollarsPerDay: _before, ...others } = rules.caps ?? {};
  const caps = dollarsPerDay === undefined ? others : { ...others, dollarsPerDay };
  return withRule(rules, "caps", Object.keys(caps).length === 0 ? undefined : caps);
}

/** What of a draft's collection only the file can say, a line each. */
export function setInFile({ collection, topics, prompts }: Draft): readonly string[] {
  const { caps, mixSurfaces } = collection ?? {};
  const own = (items: readonly { readonly collection?: unknown }[]) =>
    items.filter((item) => item.collection !== undefined).length;
  const [ofTopics, ofPrompts] = [own(topics), own(prompts)];
  return [
    ...(caps?.callsPerDay === undefined
      ? []
      : [`at most ${countOf(caps.callsPerDay, "call")} a day`]),
    ...Object.entries(caps?.providers ?? {}).map(
      ([provider, cap]) => `${providerName(provider)}: at most ${capText(cap ?? {})} a day`,
    ),
    ...(mixSurfaces === true ? ["a provider may be asked on its API and its page"] : []),
    ...(ofTopics === 0 ? [] : [`rules of ${countOf(ofTopics, "topic")}`]),
    ...(ofPrompts === 0 ? [] : [`rules of ${countOf(ofPrompts, "prompt")}`]),
  ];
}

interface Cap {
  readonly callsPerDay?: number | undefined;
  readonly dollarsPerDay?: number | undefined;
}

function capText({ callsPerDay, dollarsPerDay }: Cap): string {
  const parts = [
    ...(callsPerDay === undefined ? [] : [countOf(callsPerDay, "call")]),
    ...(dollarsPerDay === undefined ? [] : [dollarsText(dollarsPerDay)]),
  ];
  return parts.join(" and ");
}
